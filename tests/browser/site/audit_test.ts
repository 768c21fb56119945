/**
 * The public site under Lighthouse. `LIGHTHOUSE` is the program, as `.ci/audit` installs it; without it the test is
 * skipped.
 */
import { assertEquals } from "../../support/harness/assert.ts";
import { findChromium } from "../../support/browser/chromium.ts";
import { headless } from "../../support/sites/headless.ts";

const PROGRAM = Deno.env.get("LIGHTHOUSE") ?? "";
const CATEGORIES = ["accessibility", "best-practices", "seo"];
const PATHS = ["/", "/posts", "/posts/the-lantern-on-the-pier", "/posts/tags/a", "/search"];

interface Report {
  categories: Record<string, { score: number }>;
  audits: Record<string, { id: string; score: number | null }>;
}

Deno.test({
  name: "the public site has 100 points of accessibility, best practices and search engines",
  ignore: PROGRAM === "",
  fn: async () => {
    await using site = await headless();
    await site.setUp();
    const body = "For forty years a lamp has burned at the end of the pier.";
    const tags = ["a", "b"];
    await site.post({ title: "A rope, and a bell", summary: body, tags, status: "published" });
    await site.post({ title: "The lantern on the pier", summary: body, tags, status: "published" });
    const handler = (request: Request, info: Deno.ServeHandlerInfo) =>
      site.app.fetch(request, info);
    const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, handler);
    const origin = `http://127.0.0.1:${server.addr.port}`;
    await site.admin("PATCH", "/settings", {
      "site.url": origin,
      "site.description": "Notes from a harbor and its lighthouse.",
    });
    for (let n = 0; n < 4; n++) {
      await site.runner.drain();
      site.context.advance(3_000);
    }

    const scores: Record<string, unknown> = {};
    for (const path of PATHS) scores[path] = await audit(origin + path);
    await server.shutdown();

    const full = Object.fromEntries(CATEGORIES.map((name) => [name, 1]));
    const expected = Object.fromEntries(PATHS.map((path) => [path, { ...full, faults: [] }]));
    assertEquals(scores, expected);
  },
});

async function audit(address: string): Promise<Record<string, unknown>> {
  const { stdout, stderr } = await new Deno.Command(PROGRAM, {
    args: [
      address,
      "--quiet",
      "--output=json",
      `--only-categories=${CATEGORIES.join()}`,
      "--chrome-flags=--headless --no-sandbox --disable-gpu --disable-dev-shm-usage",
    ],
    env: { CHROME_PATH: findChromium() ?? "" },
  }).output();
  const text = new TextDecoder().decode(stdout);
  if (text === "") throw new Error(new TextDecoder().decode(stderr));
  const { categories, audits } = JSON.parse(text) as Report;
  const scores = Object.entries(categories).map(([name, { score }]) => [name, score]);
  const faults = Object.values(audits).filter(({ score }) => score !== null && score < 1);
  return { ...Object.fromEntries(scores), faults: faults.map(({ id }) => id) };
}
