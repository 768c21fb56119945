/** Stores that earlier releases have left, each opened by this one; and one that a newer release has. */
import { assert, assertEquals } from "@std/assert";
import { FORMAT } from "../../kv/upgrade/stored_format.ts";
import { Client } from "../support/harness/client.ts";
import { askAll, type KeptAnswers } from "../stores/make.ts";
import { startService } from "../tour.ts";

const STORES = new URL("../stores/", import.meta.url).pathname;

async function unpack(release: string): Promise<string> {
  const dataDir = await Deno.makeTempDir({ prefix: "cms-kept-" });
  const args = ["-xzf", `${STORES}${release}.tar.gz`, "-C", dataDir];
  assert((await new Deno.Command("tar", { args }).output()).success);
  return dataDir;
}

async function run(dataDir: string, ...args: string[]): Promise<{ code: number; text: string }> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", "--no-check", "main.ts", ...args],
    env: { DATA_DIR: dataDir, PORT: "0", LOG_LEVEL: "error", NO_COLOR: "1" },
  }).output();
  const decoder = new TextDecoder();
  return { code, text: (decoder.decode(stdout) + decoder.decode(stderr)).trim() };
}

/** What was answered then must be answered now; there may be more beside it. */
function assertHolds(now: unknown, then: unknown, path: string): void {
  if (typeof then !== "object" || then === null) return assertEquals(now, then, path);
  if (Array.isArray(then)) {
    assertEquals((now as unknown[]).length, then.length, path);
    then.forEach((part, n) => assertHolds((now as unknown[])[n], part, `${path}.${n}`));
    return;
  }
  for (const [name, part] of Object.entries(then)) {
    assertHolds((now as Record<string, unknown>)[name], part, `${path}.${name}`);
  }
}

/** What earlier releases did not write is added in the background. */
async function untilBroughtUp(client: Client, { answers }: KeptAnswers): Promise<void> {
  const path = Object.keys(answers).find((one) => one.endsWith("/uses"));
  if (path === undefined) return;
  const { meta } = (answers[path] as { json: { meta: { total: number } } }).json;
  for (let attempt = 0;; attempt++) {
    const { json } = await client.call("GET", path);
    if (json.meta.total === meta.total) return;
    assert(attempt < 100, `${json.meta.total} of ${meta.total} uses`);
    await new Promise((done) => setTimeout(done, 100));
  }
}

const releases: string[] = [];
for await (const { name } of Deno.readDir(STORES)) {
  if (name.endsWith(".tar.gz")) releases.push(name.replace(".tar.gz", ""));
}

/** Values that a newer V8 has written are closed to Deno 2.5: a site goes there by back-up. */
const options = { ignore: Deno.version.deno.startsWith("2.5.") };

for (const release of releases.sort()) {
  Deno.test(
    `a store of release ${release} is opened, answers as it did, takes writes, and is sound`,
    options,
    async () => {
      const dataDir = await unpack(release);
      const kept: KeptAnswers = JSON.parse(await Deno.readTextFile(`${STORES}${release}.json`));
      {
        await using service = await startService({ BASE_URL: "http://kept.example" }, dataDir);
        const client = new Client(service.origin);
        Object.assign(client, { token: kept.token });
        const session = await client.call("POST", "/api/admin/session", {
          email: "ada@example.org",
          password: "correct horse battery",
        });
        client.cookie = session.headers.get("set-cookie")!.split(";")[0]!;
        await untilBroughtUp(client, kept);
        const answers = await askAll(client, Object.keys(kept.answers));
        for (const [path, answer] of Object.entries(kept.answers)) {
          assertHolds(answers[path], answer, path);
        }
        const created = await client.call("POST", "/api/v1/notes", { title: "Now", code: "c-1" });
        assertEquals(created.status, 422);
        const other = await client.call("POST", "/api/v1/notes", {
          title: "Now",
          status: "published",
        });
        assertEquals(other.status, 201);
      }
      const doctor = await run(dataDir, "cms", "doctor");
      assertEquals(doctor.code, 0, doctor.text);
      await Deno.remove(dataDir, { recursive: true });
    },
  );
}

Deno.test(
  "a store of a newer release is refused in one line, and is not changed",
  options,
  async () => {
    const dataDir = await unpack("0.1.0");
    const kv = await Deno.openKv(`${dataDir}/kv.sqlite3`);
    await kv.set(["format"], { format: FORMAT + 1 });
    kv.close();

    const { code, text } = await run(dataDir, "start");

    assertEquals(code, 1);
    assertEquals(text.split("\n").length, 1, text);
    assert(text.includes(`format ${FORMAT + 1}`) && text.includes("newer release"), text);
    // At the operator's own risk it is opened all the same.
    {
      await using service = await startService({ ALLOW_NEWER_STORE: "1" }, dataDir);
      assertEquals((await new Client(service.origin).call("GET", "/healthz")).status, 200);
    }
    await Deno.remove(dataDir, { recursive: true });
  },
);
