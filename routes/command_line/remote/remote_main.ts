/**
 * `deno task cms` with an address: nothing of a store is opened.
 *
 * @module
 */
import { remoteCommand } from "../command.ts";
import { readPassword } from "./read_password.ts";
import { RemoteService } from "./remote_service.ts";

/** The URL of the remote service and the command; null to use the store. */
export function remoteArguments(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): { address: string; args: readonly string[] } | null {
  const [first, address, ...rest] = args;
  if (first === "--url" && address !== undefined) return { address, args: rest };
  if (first?.startsWith("--url=")) {
    return { address: first.slice("--url=".length), args: args.slice(1) };
  }
  return env.CMS_URL ? { address: env.CMS_URL, args } : null;
}

/** Runs a command over the service at an address; answers its exit code. */
export function askRemote(
  { address, args }: { address: string; args: readonly string[] },
  env: Readonly<Record<string, string>>,
  print: (line: string) => void,
): Promise<number> {
  if (!/^https?:/.test(address) || !URL.canParse(address)) {
    print(`${address} is not a valid URL of a service`);
    return Promise.resolve(2);
  }
  return remoteCommand({
    service: new RemoteService(address, env.CMS_TOKEN ?? "", fetch),
    readPassword: (email) =>
      env.CMS_PASSWORD
        ? Promise.resolve(env.CMS_PASSWORD)
        : readPassword(`Password for ${email}: `),
    readCode: () => readPassword("Code of your authenticator app, or a recovery code: "),
    print,
  }, args);
}
