/**
 * `deno task jsr`: switches the packages that JSR has too to their JSR names, and back. Nothing else changes:
 * code imports them under one name, and uses only what both registries have. The lock file, which Deno changes
 * while they come from JSR, is kept beside and put back.
 *
 *     deno task jsr          says where they come from
 *     deno task jsr on       from JSR
 *     deno task jsr off      from npm, as checked in
 *
 * @module
 */
import exported from "./jsr_exports.json" with { type: "json" };

const CONFIG = new URL("../deno.json", import.meta.url);
const LOCK = new URL("../deno.lock", import.meta.url);
/** The lock file of the packages from npm, while they come from JSR. */
const NPM_LOCK = new URL("../.deno.lock.npm", import.meta.url);

/** Where the packages come from otherwise: JSR cannot be reached everywhere. */
const ELSEWHERE: Record<keyof typeof exported, RegExp> = {
  "@hono/hono": /^npm:hono@/,
  "@std/ulid": /^npm:ulid@/,
  "@std/assert": /^\.\/tests\/support\/harness\/assert\.ts$/,
};

/** The text of `deno.json` with its packages from JSR; those it came from are kept beside, for the way back. */
export function fromJsr(config: string): string {
  return Object.entries(exported).reduce((text, [name, { version }]) => {
    const [line, address] = lineOf(text, name);
    if (address.startsWith("jsr:")) return text;
    const switched = line.replace(address, `jsr:${name}@${version}`);
    return text.replace(line, `${switched}\n    "${name}#npm": "${address}",`);
  }, config);
}

/** And as it was. */
export function fromNpm(config: string): string {
  return Object.keys(exported).reduce((text, name) => {
    const [line, address] = lineOf(text, name);
    if (!address.startsWith("jsr:")) return text;
    const [kept, elsewhere] = lineOf(text, `${name}#npm`);
    return text.replace(`${kept}\n`, "").replace(line, line.replace(address, elsewhere));
  }, config);
}

function lineOf(config: string, name: string): [line: string, address: string] {
  const found = new RegExp(`^ *"${name}": "([^"]+)",$`, "m").exec(config);
  if (found === null) throw new Error(`deno.json does not import ${name}`);
  return [found[0], found[1]!];
}

/** Whether the packages come from where the project has them. */
export function isCheckedIn(config: string): boolean {
  return Object.entries(ELSEWHERE).every(([name, address]) =>
    address.test(lineOf(config, name)[1])
  );
}

/** A lock file without what JSR has added; for one that was changed before it was kept. */
export function lockFromNpm(lock: string): string {
  const { specifiers, jsr: _jsr, workspace, ...rest } = JSON.parse(lock);
  const isElsewhere = (one: string) => !one.startsWith("jsr:");
  const kept = Object.entries(specifiers as Record<string, string>)
    .filter(([name]) => isElsewhere(name));
  const dependencies = (workspace?.dependencies as string[] | undefined)?.filter(isElsewhere);
  const { version, ...others } = rest;
  const text = {
    version,
    specifiers: Object.fromEntries(kept),
    ...others,
    ...(workspace && { workspace: { ...workspace, dependencies } }),
  };
  return `${JSON.stringify(text, null, 2)}\n`;
}

async function readLock(path: URL): Promise<string | null> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

async function turnOn(config: string): Promise<void> {
  const lock = await readLock(LOCK);
  if (isCheckedIn(config) && lock !== null) await Deno.writeTextFile(NPM_LOCK, lock);
  await Deno.writeTextFile(CONFIG, fromJsr(config));
}

async function turnOff(config: string): Promise<void> {
  await Deno.writeTextFile(CONFIG, fromNpm(config));
  const [lock, kept] = [await readLock(LOCK), await readLock(NPM_LOCK)];
  if (kept !== null) await Deno.rename(NPM_LOCK, LOCK);
  else if (lock !== null && lock.includes('"jsr:')) {
    await Deno.writeTextFile(LOCK, lockFromNpm(lock));
  }
}

if (import.meta.main) {
  const [direction] = Deno.args;
  const config = await Deno.readTextFile(CONFIG);
  if (direction === "on") await turnOn(config);
  else if (direction === "off") await turnOff(config);
  else console.log(isCheckedIn(config) ? "from npm" : "from JSR");
}
