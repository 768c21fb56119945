import { remoteCommand } from "../../../routes/command_line/command.ts";
import { remoteArguments } from "../../../routes/command_line/remote/remote_main.ts";
import { RemoteService } from "../../../routes/command_line/remote/remote_service.ts";
import { answerDevice } from "../../../kv/people/oauth/devices.ts";
import { ADA, type TestApp, testApp } from "../../support/sites/app.ts";
import { assert, assertEquals, assertMatch } from "../../support/harness/assert.ts";

/** Runs a command over a service's admin API, while the service does its jobs. */
async function cms(
  { app, runner, context }: TestApp,
  token: string,
  ...args: string[]
): Promise<{ code: number; lines: string[] }> {
  const lines: string[] = [];
  const send = async (address: string, init: RequestInit) =>
    await app.fetch(new Request(address, init), { remoteAddr: { hostname: "192.0.2.1" } });
  const service = new RemoteService("http://localhost/", token, send);
  let isRunning = true;
  const jobs = (async () => {
    while (isRunning) {
      context.advance(1_000);
      await runner.drain();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  try {
    const print = (line: string) => void lines.push(line);
    const readPassword = () => Promise.resolve(ADA.password);
    return { code: await remoteCommand({ service, readPassword, print }, args), lines };
  } finally {
    // What still runs would meet a closed store.
    isRunning = false;
    await jobs;
    await runner.drain();
  }
}

/** A service and a session of its administrator. */
async function signedIn(): Promise<{ test: TestApp; token: string }> {
  const test = await testApp();
  await test.setUp();
  const { code, lines: [token] } = await cms(test, "", "sign-in", ADA.email);
  assertEquals(code, 0);
  return { test, token: token! };
}

Deno.test("cms --url asks a service, and CMS_URL does; otherwise the store is meant", () => {
  const address = "https://cms.example";
  for (const args of [["--url", address, "jobs"], [`--url=${address}`, "jobs"]]) {
    assertEquals(remoteArguments(args, {}), { address, args: ["jobs"] });
  }
  assertEquals(remoteArguments(["jobs"], { CMS_URL: address }), { address, args: ["jobs"] });
  assertEquals(remoteArguments(["jobs"], {}), null);
});

Deno.test("cms --url does with a session what its user may, and nothing without one", async () => {
  const { test, token } = await signedIn();
  await using _closed = test;
  await test.collection({ slug: "notes", name: "Notes" });
  const refused = await cms(test, "", "jobs");
  assertEquals([refused.code, refused.lines], [1, ["Not signed in. Run: cms sign-in <email>"]]);
  assertEquals((await cms(test, token, "user", "list")).lines, [
    "ada@example.org  Ada  administrator",
  ]);

  const { lines: [text] } = await cms(test, token, "token", "create", "front end", "notes:read");
  assertEquals((await test.call("GET", "/api/v1/notes", { token: text! })).status, 200);
  const { lines: [line] } = await cms(test, token, "token", "list");
  const [id, name, scopes] = line!.split("  ");
  assertEquals([name, scopes], ["front end", "notes:read"]);
  assertEquals((await cms(test, token, "token", "revoke", id!)).code, 0);
  assertEquals((await test.call("GET", "/api/v1/notes", { token: text! })).status, 401);
  const wrong = await cms(test, token, "token", "create", "x", "*:*");
  assert(wrong.code === 1 && wrong.lines.some((line) => line.includes("scopes")));

  const { lines: jobs } = await cms(test, token, "jobs", "--type", "REBUILD_SEARCH");
  assertEquals(jobs[0]!.split("  ").slice(2, 4), ["REBUILD_SEARCH", "done"]);
  assertEquals((await cms(test, token, "jobs", "retry", "nothing")).code, 1);
  assertEquals((await cms(test, token, "doctor")).code, 2);
  const reset = await cms(test, token, "user", "reset-password", ADA.email);
  assertEquals([reset.code, reset.lines.length], [0, 1]);
});

Deno.test("cms --url export writes a file that cms --url import puts back", async () => {
  const { test, token: session } = await signedIn();
  await using _closed = test;
  const folder = await Deno.makeTempDir();
  const file = `${folder}/back-up.tar.gz`;
  await test.collection({ slug: "notes", name: "Notes" });
  const token = await test.token();
  const create = (title: string) => test.call("POST", "/api/v1/notes", { token, body: { title } });
  await create("Kept");

  assertEquals((await cms(test, session, "export", file)).code, 0);
  assertEquals((await Deno.stat(file)).mode! & 0o777, 0o600);
  await create("Lost");
  assertEquals(await cms(test, session, "import", file, "--dry-run"), {
    code: 0,
    lines: ["The backup is valid"],
  });
  assertEquals((await cms(test, session, "import", file)).code, 0);
  const { json } = await test.call("GET", "/api/v1/notes", { token });
  assertEquals(json.data.map(({ title }: { title: string }) => title), ["Kept"]);

  await Deno.writeTextFile(file, "no tarball");
  assertEquals((await cms(test, session, "import", file, "--dry-run")).code, 1);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("readPassword() takes a line of standard input", async () => {
  const module = new URL("../../../routes/command_line/remote/read_password.ts", import.meta.url);
  const code = `import { readPassword } from "${module}"; console.log(await readPassword("Q"));`;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["eval", code],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode("correct horse battery\n"));
  await writer.close();
  assertEquals(new TextDecoder().decode((await child.output()).stdout), "correct horse battery\n");
});

Deno.test("cms sign-in --device prints a token once its code is confirmed in a browser", async () => {
  await using test = await testApp();
  await test.setUp();
  const { context } = test.deps.content;
  const [ada] = (await test.deps.people.access.current()).users.values();
  const lines: string[] = [];
  const send = async (address: string, init: RequestInit) =>
    await test.app.fetch(new Request(address, init), { remoteAddr: { hostname: "192.0.2.1" } });
  const wait = async (ms: number) => {
    test.context.advance(ms);
    const code = /code (\S+)$/.exec(lines[0] ?? "")?.[1] ?? "";
    if (ada === undefined) throw new Error("The site has no user");
    await answerDevice(context, code, { user: ada, scopes: ["*"], provenAt: 0 });
  };
  const print = (line: string) => void lines.push(line);
  const readPassword = () => Promise.reject(new Error("No password is needed"));
  const service = new RemoteService("http://localhost", "", send);
  const code = await remoteCommand({ service, readPassword, print, wait }, ["sign-in", "--device"]);
  assertEquals(code, 0);
  assertEquals(lines[0]?.startsWith("Open http://localhost/oauth/device and enter"), true);
  const token = lines[1] ?? "";
  assertEquals((await cms(test, token, "user", "list")).code, 0);
});

Deno.test("cms --url transfer sends a folder, and runs its plan if asked", async () => {
  const { test, token } = await signedIn();
  await using _closed = test;
  const folder = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${folder}/content/posts`, { recursive: true });
    await Deno.writeTextFile(`${folder}/content/posts/one.md`, "---\ntitle: One\n---\nText");
    const { code, lines } = await cms(test, token, "transfer", folder, "--run");
    assertEquals(code, 0, lines.join("\n"));
    assertEquals(lines[0], "posts: 1");
    assert(lines.at(-1)?.startsWith("created 1, updated 0"), lines.join("\n"));
    assertEquals((await cms(test, token, "transfer")).code !== 0, true);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("this project's documentation becomes a site that can be searched", async () => {
  const { test, token } = await signedIn();
  await using _closed = test;
  const { code, lines } = await cms(test, token, "transfer", "docs", "--run");
  assertEquals(code, 0, lines.join("\n"));
  // Nothing of these pages is beyond Markdown.
  assertMatch(
    lines.at(-1)!,
    /^created \d+, updated 0, unchanged 0, skipped 0, failed 0, warnings 0$/,
  );
  const find = async (q: string) =>
    (await test.call("GET", `/api/v1/search?q=${encodeURIComponent(q)}`)).json.data
      .map(({ title }: { title: string }) => title);
  assertEquals((await find("back-channel logout"))[0], "Signing in");
  assert((await find("seed random order")).includes("Querying"));
  const page = await test.call("GET", "/pages/querying");
  assertEquals(page.status, 200);
  assert(page.text.includes('<code class="language-ts">import { createClient }'), "its code");
  assertEquals(page.text.match(/>Querying<\/h\d>/g)?.length, 1, "its title once");
});
