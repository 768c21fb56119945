/**
 * `deno task jsr`: switches the packages that JSR has too to their JSR names, and back. Nothing else changes:
 * code imports them under one name, and uses only what both registries have.
 *
 *     deno task jsr          says where they come from
 *     deno task jsr on       from JSR
 *     deno task jsr off      from npm, as checked in
 *
 * @module
 */
import exported from "./jsr_exports.json" with { type: "json" };

const CONFIG = new URL("../deno.json", import.meta.url);

/** Where the packages come from otherwise: JSR cannot be reached everywhere. */
const ELSEWHERE: Record<keyof typeof exported, RegExp> = {
  "@hono/hono": /^npm:hono@/,
  "@std/ulid": /^npm:ulid@/,
  "@std/assert": /^\.\/tests\/support\/assert\.ts$/,
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

if (import.meta.main) {
  const [direction] = Deno.args;
  const config = await Deno.readTextFile(CONFIG);
  if (direction === "on") await Deno.writeTextFile(CONFIG, fromJsr(config));
  else if (direction === "off") await Deno.writeTextFile(CONFIG, fromNpm(config));
  else console.log(isCheckedIn(config) ? "from npm" : "from JSR");
}
