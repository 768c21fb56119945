/**
 * What the first command on a fresh machine fetches: the packages that the service imports, and none of tests, icons
 * or fonts. `.ci/first_download` measures it.
 */
import { assert, assertEquals } from "./support/harness/assert.ts";

/** What only tests and the build import. */
const ELSEWHERE =
  /^(?:playwright-core|axe-core|pixelmatch|pngjs|fast-check|s3rver|smtp-server)@|^@apidevtools|^@redocly|^openapi-|^standardwebhooks@|^@fontsource|^lucide-static@|^prosemirror-|^@codemirror|^lowlight@|^highlight\.js@/;

interface Info {
  modules: { npmPackage?: string }[];
  npmPackages: Record<string, { dependencies?: string[] }>;
}

Deno.test("the service imports no package of tests or of the build, and others are not fetched", async () => {
  const { unstable } = JSON.parse(await Deno.readTextFile("deno.json"));
  assert(unstable.includes("npm-lazy-caching"));
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", "main.ts"],
    stderr: "null",
  }).output();
  const { modules, npmPackages }: Info = JSON.parse(new TextDecoder().decode(stdout));
  const found = new Set<string>();
  const waiting = modules.flatMap(({ npmPackage }) => npmPackage ?? []);
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    waiting.push(...npmPackages[name]?.dependencies ?? []);
  }
  assert(found.size > 50, `${found.size} packages`);
  assertEquals([...found].filter((name) => ELSEWHERE.test(name)), []);
});
