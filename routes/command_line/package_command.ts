/**
 * `deno task package`: keys for publishers, and packages signed with them.
 *
 * @module
 */
import { failureLine } from "./failure_line.ts";
import {
  MANIFEST_FILE,
  PackageFault,
  SIGNATURE_FILE,
} from "../../kv/model/entities/package_manifest.ts";
import {
  DEFAULT_THEME_MANIFEST,
  defaultThemeFiles,
  newSigningKey,
  packPackage,
  parseDraft,
  SigningKey,
} from "../../jobs/packages/pack_package.ts";

const USAGE = `Usage:
  deno task package key <key id> <prefix> <key file>     create a key and print its publisher setting
  deno task package pack <folder> <key file> <package>   sign a folder that contains a manifest.json
  deno task package default-theme <key file> <package>   sign the default theme`;

/** Runs the command; answers its exit code. */
export async function packageCommand(
  args: readonly string[],
  print: (line: string) => void,
  at: number,
): Promise<number> {
  const [verb, ...rest] = args;
  try {
    if (verb === "key" && rest.length === 3) await makeKey(rest, print, at);
    else if (verb === "pack" && rest.length === 3) await packFolder(rest, print);
    else if (verb === "default-theme" && rest.length === 2) await packDefault(rest, print);
    else {
      print(USAGE);
      return 1;
    }
    return 0;
  } catch (error) {
    const line = error instanceof PackageFault ? error.message : failureLine(error);
    if (line === null) throw error;
    print(`Cannot create the package: ${line}`);
    return 1;
  }
}

async function makeKey(
  [id = "", prefix = "", file = ""]: string[],
  print: (line: string) => void,
  at: number,
): Promise<void> {
  const key = newSigningKey(id, prefix);
  await Deno.writeTextFile(file, JSON.stringify(key, null, 2) + "\n", {
    createNew: true,
    mode: 0o600,
  });
  const { publicKey } = key;
  const publisher = { id, publicKey, label: id, prefix, from: at, until: null, revoked: false };
  print(JSON.stringify(publisher, null, 2));
}

async function packFolder(
  [folder = "", keyFile = "", target = ""]: string[],
  print: (line: string) => void,
): Promise<void> {
  const files = new Map<string, Uint8Array>();
  for await (const path of filesBelow(folder)) {
    files.set(path, await Deno.readFile(`${folder}/${path}`));
  }
  const draft = files.get(MANIFEST_FILE);
  if (draft === undefined) throw new PackageFault(`${folder} does not contain ${MANIFEST_FILE}`);
  files.delete(MANIFEST_FILE);
  files.delete(SIGNATURE_FILE);
  const key = await readKey(keyFile);
  const packed = await packPackage(parseDraft(new TextDecoder().decode(draft)), files, key);
  await Deno.writeFile(target, packed);
  print(`${target}: ${files.size} files, ${packed.byteLength} bytes`);
}

async function packDefault(
  [keyFile = "", target = ""]: string[],
  print: (line: string) => void,
): Promise<void> {
  const files = defaultThemeFiles();
  const key = await readKey(keyFile);
  // A key can only sign packages whose ID starts with its prefix.
  const id = key.prefix === undefined ? DEFAULT_THEME_MANIFEST.id : `${key.prefix}default-theme`;
  const packed = await packPackage({ ...DEFAULT_THEME_MANIFEST, id }, files, key);
  await Deno.writeFile(target, packed);
  print(`${target}: ${files.size} files, ${packed.byteLength} bytes`);
}

async function readKey(file: string): Promise<SigningKey> {
  const text = await Deno.readTextFile(file);
  const key = SigningKey.safeParse(await Promise.try(() => JSON.parse(text)).catch(() => null));
  if (!key.success) throw new PackageFault(`${file} is not a key file`);
  return key.data;
}

/** Paths of all files in a folder and its subfolders, sorted, without dot files. */
async function* filesBelow(folder: string, prefix = ""): AsyncGenerator<string> {
  const entries = await Array.fromAsync(Deno.readDir(`${folder}/${prefix}`));
  entries.sort((a, b) => a.name < b.name ? -1 : 1);
  for (const { name, isDirectory, isFile } of entries) {
    if (name.startsWith(".")) continue;
    if (isDirectory) yield* filesBelow(folder, `${prefix}${name}/`);
    else if (isFile) yield `${prefix}${name}`;
  }
}
