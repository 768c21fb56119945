/**
 * The examples of the documents that no other test runs: commands against a started service, and bodies that it or its
 * parsers must take. A new example belongs to a test, or to {@linkcode NOT_RUN} with its reason.
 */
import { parseManifest } from "../../kv/model/entities/package_manifest.ts";
import type { Json } from "../../kv/model/entities/entity.ts";
import { findSetting } from "../../kv/model/entities/setting.ts";
import { parseSchemaFiles } from "../../kv/schema/files/schema_files.ts";
import { parseMigrations } from "../../kv/schema/files/value_steps.ts";
import { assert, assertEquals } from "../support/harness/assert.ts";
import { Client } from "../support/harness/client.ts";
import { inFolder } from "../support/harness/folder.ts";
import { startService } from "../tour.ts";

/** Languages of examples that something can run or read. */
const RUNNABLE = /^(?:bash|sh|console|json|ts|http)$/;

/** Documents whose examples other tests run. */
const ELSEWHERE: Record<string, string> = {
  "README.md": "tests/stories/tour_test.ts",
  "docs/tutorial.md": "tests/stories/tour_test.ts",
  "docs/programs.md": "tests/stories/programs_docs_test.ts",
  "docs/querying.md": "tests/routes/v1/reading/querying_docs_test.ts",
};

/** The beginnings of examples that are not run, and why. */
const NOT_RUN: Record<string, string> = {
  "docker build": ".ci/image builds and starts the image",
  "export KV_ACCESS_TOKEN": "needs Docker; tests/deploy_test.ts checks compose.yaml",
  "useradd": "needs root and systemd; tests/deploy_test.ts verifies the unit",
  "mkdir copy": "tests/stories/moving_test.ts copies a live folder by it",
  "sqlite3 data/kv.sqlite3": "tests/stories/moving_test.ts runs it",
  "deno task package": "tests/routes/command_line/package_command_test.ts packs a theme by it",
  "for await": "a fragment; docs/programs.md has it as a program that is run",
  "RateLimit-Policy": "headers of an answer: tests/routes/v1/rate_limit_headers_test.ts",
  "Content-Security-Policy": "a header that another site sends",
  "deno task cms schema pull": "tests/routes/command_line/schema_command_test.ts runs each of them",
};

interface Example {
  page: string;
  language: string;
  text: string;
}

async function* pages(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory && name !== "starters") yield* pages(`${folder}/${name}`);
    else if (name.endsWith(".md")) yield `${folder}/${name}`;
  }
}

const examples: Example[] = [];
for (const page of ["README.md", ...(await Array.fromAsync(pages("docs"))).sort()]) {
  if (page in ELSEWHERE) continue;
  // An example of a list is indented.
  const blocks = (await Deno.readTextFile(page)).matchAll(/^( *)```(\w+)\n([\s\S]*?)\n\1```$/gm);
  for (const [, indent = "", language = "", inner = ""] of blocks) {
    const text = inner.split("\n").map((line) => line.slice(indent.length)).join("\n");
    if (RUNNABLE.test(language)) examples.push({ page, language, text });
  }
}

/** What a JSON example is for, by its page; answers nothing when it is right. */
const READERS: Record<string, (text: string, client: Client) => void | Promise<void>> = {
  "docs/languages.md": assertSettings,
  "docs/modelling.md": async (text, client) => {
    if (text.startsWith("[")) return assertMigration(text);
    const { status, json } = await client.call("POST", "/api/admin/collections", JSON.parse(text));
    assertEquals(status, 201, JSON.stringify(json));
  },
  "docs/plugins.md": (text) => assertManifest(text),
  // Saving it asks the provider, which does not exist.
  "docs/signing_in.md": (text) => {
    for (const [key, value] of Object.entries(JSON.parse(text))) {
      const parsed = findSetting(key)?.schema.safeParse(value);
      assert(parsed?.success, `${key}: ${parsed?.error}`);
    }
  },
  "docs/themes.md": (text) => assertManifest(text),
  "docs/operating/watching.md": (text) => void JSON.parse(text),
  "docs/transfers.md": assertSettings,
  "docs/writing.md": async (text, client) => {
    const headers = { "content-type": "application/x-ndjson" };
    const response = await fetch(`${client.origin}/api/v1/posts/_bulk`, {
      method: "POST",
      headers: { ...headers, authorization: `Bearer ${client.token}` },
      body: text,
    });
    const answers = (await response.text()).trim().split("\n").map((line) => JSON.parse(line));
    // The ids of the page are of no document.
    const statuses = answers.slice(0, -1).map(({ status }) => status);
    assertEquals(statuses, [201, 201, 404, 404], JSON.stringify(answers));
  },
};

async function assertSettings(text: string, client: Client): Promise<void> {
  const { status, json } = await client.call("PATCH", "/api/admin/settings", JSON.parse(text));
  assertEquals(status, 200, JSON.stringify(json));
}

/** The fields of the steps are those that the page imagines. */
function assertMigration(text: string): void {
  const seo = { fields: [{ name: "rank", type: "number" }] };
  const fields = [{ name: "kind", type: "text" }, { name: "seo", type: "group", options: seo }];
  const posts = { slug: "posts", name: "Posts", fields };
  const definitions = parseSchemaFiles({ "collections/posts.json": posts });
  const [file] = parseMigrations({ "migrations/1.json": JSON.parse(text) }, definitions);
  assertEquals(file?.steps.length, 2);
}

function assertManifest(text: string): void {
  // Packing adds the publisher and the digests.
  const packed = { ...JSON.parse(text), publisher: "acme", files: { "a.js": "0".repeat(64) } };
  parseManifest(new TextEncoder().encode(JSON.stringify(packed)));
}

/** Runs a command of a page in an empty folder. */
async function run(script: string, env: Record<string, string>, cwd: string): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command("bash", {
    args: ["-euc", script],
    env,
    cwd,
  }).output();
  const decoder = new TextDecoder();
  assert(success, `${script}\n${decoder.decode(stderr)}${decoder.decode(stdout)}`);
  return decoder.decode(stdout);
}

/** Commands by the beginning of their example: what is put into them, and what they must leave. */
const COMMANDS: Record<
  string,
  (text: string, client: Client, folder: string) => Promise<void>
> = {
  'curl "$CMS/api/v1/_meta/types.ts"': async (text, client, folder) => {
    await run(text, { CMS: client.origin, TOKEN: client.token }, folder);
    assert((await Deno.readTextFile(`${folder}/cms.ts`)).includes("export "));
  },
  "curl -b jar": async (text, client, folder) => {
    const { json: { jobId } } = await client.call("POST", "/api/admin/exports", {});
    await jobDone(client, jobId);
    await signIn(client, folder);
    await run(text.replace("<id>", jobId), { CMS: client.origin }, folder);
    assertEquals((await Deno.readFile(`${folder}/backup.tar.gz`)).slice(0, 2).join(), "31,139");
  },
  "export CMS_URL": async (text, client, folder) => {
    const main = new URL("../../main.ts", import.meta.url).pathname;
    const cms = `"${Deno.execPath()}" run --allow-all --no-check "${main}" cms`;
    const script = text.replace("https://cms.example.org", client.origin)
      .replaceAll("deno task cms", cms);
    const env = { CMS_PASSWORD: "correct horse battery", DATA_DIR: `${folder}/data` };
    await run(script, env, folder);
    assertEquals((await Deno.readFile(`${folder}/backup.tar.gz`)).slice(0, 2).join(), "31,139");
  },
};

async function jobDone(client: Client, jobId: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const { json } = await client.call("GET", `/api/admin/jobs/${jobId}`);
    if (json.state === "done") return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error("The job is not done");
}

async function signIn(client: Client, folder: string): Promise<void> {
  const body = '{"email":"ada@example.org","password":"correct horse battery"}';
  const script = `curl -s -c jar "$CMS/api/admin/session" --json '${body}'`;
  await run(script, { CMS: client.origin }, folder);
}

const isOf = ({ text }: Example) => (begin: string) => text.startsWith(begin);

Deno.test("every example of the documents is run, read, or named with a reason", () => {
  const left = examples.filter((example) =>
    !Object.keys({ ...NOT_RUN, ...COMMANDS }).some(isOf(example)) &&
    !(example.language === "json" && example.page in READERS)
  );
  assertEquals(left, []);
  const unused = Object.keys({ ...NOT_RUN, ...COMMANDS }).filter((begin) =>
    !examples.some((example) => isOf(example)(begin))
  );
  assertEquals(unused, []);
});

Deno.test("the examples of the documents work", async () => {
  await using service = await startService();
  const client = new Client(service.origin);
  await client.setUp({ slug: "notes", name: "Notes", fields: [] as Json[] });
  const bodies = examples.filter(({ language }) => language === "json");
  // The collection of docs/modelling.md is the one that docs/writing.md writes to.
  const place = ({ page }: Example) => page === "docs/writing.md" ? 1 : 0;
  bodies.sort((a, b) => place(a) - place(b));
  for (const { page, text } of bodies) await READERS[page]!(text, client);
  for (const example of examples) {
    const begin = Object.keys(COMMANDS).find(isOf(example));
    if (begin === undefined) continue;
    await inFolder((folder) => COMMANDS[begin]!(example.text, client, folder));
  }
});
