import { cmsCommand } from "../../../routes/command_line/command.ts";
import { slugKey } from "../../../kv/keys.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { ADA, secondApp, type TestApp, testApp } from "../../support/sites/app.ts";
import { assert, assertEquals } from "../../support/harness/assert.ts";

/** Runs a command over a test's store, as a process of its own would. */
async function cms(test: TestApp, ...args: string[]): Promise<{ code: number; lines: string[] }> {
  const { deps, runner } = secondApp(test.context);
  const { content, people, search } = deps;
  const lines: string[] = [];
  const siteUrl = () => Promise.resolve("https://site.example");
  const print = (line: string) => void lines.push(line);
  const code = await cmsCommand({ content, people, search, runner, siteUrl, print }, args);
  return { code, lines };
}

Deno.test("deno task cms without a command, or with a wrong one, shows its usage", async () => {
  await using test = await testApp();
  assertEquals((await cms(test)).code, 0);
  for (
    const args of [["nothing"], ["toString"], ["jobs", "--color"], ["user", "reset-password"]]
  ) {
    const { code, lines } = await cms(test, ...args);
    assertEquals(code, 2, args.join(" "));
    assert(lines.join("\n").includes("Usage: deno task cms"));
  }
});

Deno.test("cms user reset-password prints a link that sets the password once", async () => {
  await using test = await testApp();
  await test.setUp();
  assertEquals((await cms(test, "user", "list")).lines, ["ada@example.org  Ada  administrator"]);
  const missing = await cms(test, "user", "reset-password", "bob@example.org");
  assertEquals([missing.code, missing.lines.length], [1, 1]);

  const { code, lines: [link] } = await cms(test, "user", "reset-password", ADA.email);
  assertEquals(code, 0);
  const [, token] = /^https:\/\/site\.example\/admin\/choose-password#token=(\w+)$/.exec(link!)!;
  const body = { token: token!, password: "another horse battery" };
  const confirm = () => test.call("POST", "/api/admin/password-reset/confirm", { body });
  assertEquals((await confirm()).status, 204);
  assertEquals((await confirm()).status, 422);
  const session = { email: ADA.email, password: body.password };
  assertEquals((await test.call("POST", "/api/admin/session", { body: session })).status, 200);
});

Deno.test("cms export writes a file that cms import puts back", async () => {
  const folder = await Deno.makeTempDir();
  const file = `${folder}/back-up.tar.gz`;
  await using test = await testApp();
  await test.setUp();
  await test.collection({ slug: "notes", name: "Notes" });
  const token = await test.token();
  const title = (text: string) =>
    test.call("POST", "/api/v1/notes", { token, body: { title: text } });
  await title("Kept");

  assertEquals((await cms(test, "export", file)).code, 0);
  assertEquals((await Deno.stat(file)).mode! & 0o777, 0o600);
  await title("Lost");
  assertEquals(await cms(test, "import", file, "--dry-run"), {
    code: 0,
    lines: ["The backup is valid"],
  });
  // An import waits for a moment, for writes of other processes to end.
  const clock = setInterval(() => test.context.advance(1_000), 5);
  assertEquals((await cms(test, "import", file)).code, 0);
  clearInterval(clock);
  const { json } = await test.call("GET", "/api/v1/notes", { token });
  assertEquals(json.data.map(({ title }: { title: string }) => title), ["Kept"]);
  assertEquals((await cms(test, "import", `${folder}/none`)).code, 1);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("commands that fail say why in one line", async () => {
  const folder = await Deno.makeTempDir();
  const file = `${folder}/backup.tar.gz`;
  await using test = await testApp();
  await test.setUp();
  assertEquals((await cms(test, "export", file, "--redacted")).code, 0);
  const size = (await Deno.stat(file)).size;
  assertEquals(await cms(test, "export", file), {
    code: 1,
    lines: [`The file already exists: ${file}`],
  });
  assertEquals((await Deno.stat(file)).size, size);
  const clock = setInterval(() => test.context.advance(1_000), 5);
  const redacted = await cms(test, "import", file);
  clearInterval(clock);
  assertEquals([redacted.code, redacted.lines.length], [1, 1], redacted.lines.join("\n"));
  assert(/^IMPORT has failed: .*redacted/.test(redacted.lines[0]!), redacted.lines[0]);
  for (const args of [["export", `${folder}/none/file`], ["import", folder]]) {
    const { code, lines } = await cms(test, ...args);
    assertEquals([code, lines.length], [1, 1], lines.join("\n"));
  }
  await Deno.remove(folder, { recursive: true });
});

Deno.test("cms token and cms jobs do what their screens do", async () => {
  await using test = await testApp();
  await test.collection({ slug: "notes", name: "Notes" });
  const { lines: [text] } = await cms(test, "token", "create", "front end", "notes:read");
  assertEquals((await test.call("GET", "/api/v1/notes", { token: text! })).status, 200);
  const { lines: [line] } = await cms(test, "token", "list");
  const [id, name, scopes] = line!.split("  ");
  assertEquals([name, scopes], ["front end", "notes:read"]);
  assertEquals((await cms(test, "token", "revoke", id!)).code, 0);
  assertEquals((await test.call("GET", "/api/v1/notes", { token: text! })).status, 401);
  const wrong = await cms(test, "token", "create", "x", "*:*");
  assertEquals(wrong.code, 1);
  assert(wrong.lines.some((line) => line.includes("scopes")), wrong.lines.join());

  await test.setUp();
  const { lines: jobs } = await cms(test, "jobs", "--type", "REBUILD_SEARCH");
  assertEquals([jobs.length, jobs[0]!.split("  ").slice(2, 4)], [1, ["REBUILD_SEARCH", "queued"]]);
  assertEquals((await cms(test, "jobs", "retry", "nothing")).code, 1);
});

Deno.test("cms doctor ends with 1 while something is left, and repairs on request", async () => {
  await using test = await testApp();
  const { id } = await test.collection({ slug: "notes", name: "Notes" });
  const token = await test.token();
  await test.call("POST", "/api/v1/notes", { token, body: { title: "One" } });
  assertEquals(await cms(test, "doctor"), {
    code: 0,
    lines: ["0 problems found, 0 repaired, 0 remaining"],
  });
  await test.context.store.commit(new Operation().delete(slugKey(id, "one")));
  const found = await cms(test, "doctor");
  assertEquals([found.code, found.lines.at(-1)], [1, "1 problems found, 0 repaired, 1 remaining"]);
  const repaired = await cms(test, "doctor", "--repair");
  assertEquals([repaired.code, repaired.lines.at(-1)], [
    0,
    "1 problems found, 1 repaired, 0 remaining",
  ]);
  assertEquals((await cms(test, "doctor")).code, 0);
});

Deno.test("cms user recover prints a link that signs in once, without factors", async () => {
  await using test = await testApp();
  await test.setUp();
  assertEquals((await cms(test, "user", "recover", "bob@example.org")).code, 1);
  const wrong = await cms(test, "user", "recover", ADA.email, "--disable-passwords=true");
  assertEquals(wrong.code, 2);
  const { code, lines: [link = ""] } = await cms(test, "user", "recover", ADA.email);
  assertEquals(code, 0);
  const { pathname, search, origin } = new URL(link);
  assertEquals([origin, pathname], ["https://site.example", "/admin/recover"]);
  assertEquals((await test.admin("GET", "/session")).status, 401, "former sessions have ended");

  const first = await test.call("GET", pathname + search);
  assertEquals([first.status, first.headers.get("location")], [302, "/admin/account"]);
  const cookie = first.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const sessions = await test.call("GET", "/api/admin/sessions", { headers: { cookie } });
  const own = sessions.json.data[0];
  assertEquals([own.method, own.secondFactor], ["recovery", null]);
  const again = await test.call("GET", pathname + search);
  assertEquals(again.headers.get("location"), "/admin/sign-in?error=link_expired");
  const old = new URL((await cms(test, "user", "recover", ADA.email)).lines[0] ?? "");
  test.context.advance(900_000);
  const expired = await test.call("GET", old.pathname + old.search);
  assertEquals(expired.headers.getSetCookie(), []);
});

Deno.test("cms auth reset lets everyone use a password, as a version without an editor", async () => {
  await using test = await testApp();
  await test.setUp();
  const { people } = test.deps;
  await people.settings.patch({ userId: null }, { "auth.passwords": "nobody" });
  const session = { email: ADA.email, password: ADA.password };
  const signIn = () => test.call("POST", "/api/admin/session", { body: session });
  assertEquals((await signIn()).status, 401);
  assertEquals((await cms(test, "auth", "reset")).code, 0);
  assertEquals((await signIn()).status, 200);
  assertEquals((await cms(test, "auth")).code, 2);
  const encrypted = await cms(test, "auth", "encrypt");
  assertEquals([encrypted.code, encrypted.lines.length], [1, 1], "without SECRETS_KEY");

  await people.settings.patch({ userId: null }, { "auth.passwords": "nobody" });
  const recover = ["user", "recover", ADA.email, "--disable-passwords=false"];
  assertEquals((await cms(test, ...recover)).code, 0);
  assertEquals((await signIn()).status, 200);
});
