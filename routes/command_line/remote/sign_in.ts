/**
 * `cms sign-in`: prints a value for `CMS_TOKEN`, from a password and a code, or from a confirmation in a browser.
 *
 * @module
 */
import { z } from "zod";
import { parseOptions } from "../options.ts";
import { UsageError } from "../usage_error.ts";
import type { RemoteContext } from "./remote_commands.ts";

/** The client id of the command line. */
const CLIENT_ID = "cms";
const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";
/** What a poll that is too fast adds to the interval, seconds. */
const SLOW_DOWN_SECONDS = 5;

const Challenge = z.object({ challenge: z.string() });
const Device = z.object({
  device_code: z.string(),
  user_code: z.string(),
  verification_uri: z.string(),
  interval: z.number().default(5),
});
const Polled = z.object({ access_token: z.string().optional(), error: z.string().optional() });

/** Runs `cms sign-in`. */
export async function signIn(context: RemoteContext, args: readonly string[]): Promise<number> {
  const { positionals: [email], flags } = parseOptions(args, { device: "boolean" });
  if (flags.device) return await signInDevice(context);
  if (email === undefined) {
    throw new UsageError("cms sign-in requires an email address or --device");
  }
  const { service, readPassword, readCode, print } = context;
  let response = await service.send(
    "POST",
    "/session",
    json({ email, password: await readPassword(email) }),
  );
  if (response.status === 202) {
    const { challenge } = Challenge.parse(await response.json());
    const given = (await readCode?.())?.trim() ?? "";
    const code = /^\d{6}$/.test(given) ? { code: given } : { recoveryCode: given };
    response = await service.send("POST", "/session/second-factor", json({ challenge, ...code }));
  }
  const cookie = response.headers.get("set-cookie") ?? "";
  const [, secret] = /(?:^|__Host-)session=([^;]+)/.exec(cookie) ?? [];
  if (secret === undefined) throw new Error("The service did not start a session");
  print(secret);
  return 0;
}

/** Shows a code, and waits until it has been confirmed in a browser. */
async function signInDevice({ service, print, wait = sleep }: RemoteContext): Promise<number> {
  const begun = await service.authorize("/device", { client_id: CLIENT_ID });
  if (!begun.ok) throw new Error(`The service responded with ${begun.status}`);
  const device = Device.parse(await begun.json());
  print(`Open ${device.verification_uri} and enter the code ${device.user_code}`);
  for (let interval = device.interval;;) {
    await wait(interval * 1000);
    const response = await service.authorize("/token", {
      grant_type: DEVICE_GRANT,
      device_code: device.device_code,
      client_id: CLIENT_ID,
    });
    const { access_token, error } = Polled.parse(await response.json());
    if (access_token !== undefined) {
      print(access_token);
      return 0;
    }
    if (error === "slow_down") interval += SLOW_DOWN_SECONDS;
    else if (error !== "authorization_pending") {
      print(error === "access_denied" ? "Access was refused" : "The code has expired. Try again");
      return 1;
    }
  }
}

function json(body: Record<string, string>): RequestInit {
  return { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
