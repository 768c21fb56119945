/** `cms schema`: pulled into files, changed there, compared, pushed and reverted; over a store and over HTTP. */
import { schemaCommand } from "../../../routes/command_line/schema/schema_command.ts";
import { localTarget } from "../../../routes/command_line/schema/schema_target.ts";
import { secondApp, type TestApp, testApp } from "../../support/sites/app.ts";
import { assert, assertEquals } from "../../support/harness/assert.ts";

const ADDRESS = "http://cms.example";

/** Runs the command over the store of a test. */
async function local(test: TestApp, ...args: string[]) {
  const { deps, runner } = secondApp(test.context);
  return await run({ local: localTarget(deps, runner), token: "", fetch }, args);
}

/** The same over HTTP. */
async function remote(test: TestApp, token: string, ...args: string[]) {
  const ask = async (address: string, init: RequestInit) => {
    const response = await test.app.fetch(new Request(address, init));
    if (init.method === "POST") await test.runner.drain();
    return response;
  };
  return await run({ local: null, token, fetch: ask }, args);
}

async function run(context: Omit<Parameters<typeof schemaCommand>[0], "print">, args: string[]) {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  const code = await schemaCommand({ ...context, print }, args).catch((error) => {
    lines.push(...error.lines ?? [error.message]);
    return 1;
  });
  return { code, lines };
}

async function change(path: string, work: (file: Record<string, unknown>) => void) {
  const file = JSON.parse(await Deno.readTextFile(path));
  work(file);
  await Deno.writeTextFile(path, JSON.stringify(file, null, 2));
}

Deno.test("cms schema pulls, compares, pushes and reverts files of the local store", async () => {
  await using test = await testApp();
  const dir = await Deno.makeTempDir();
  const at = ["--dir", dir];
  const fields = [{ name: "body", label: "Body", type: "text" }];
  await test.collection({ slug: "posts", name: "Posts", fields });
  assertEquals((await local(test, "pull", ...at)).code, 0);
  const path = `${dir}/collections/posts.json`;
  const lock = JSON.parse(await Deno.readTextFile(`${dir}/schema.lock.json`));
  assertEquals(Object.keys(lock.etags), ["local"]);
  assertEquals(Object.keys(lock.ids), ["collections/posts", "collections/posts.body"]);
  assertEquals(await local(test, "diff", ...at), { code: 0, lines: [] });
  await change(path, (file) => {
    (file.fields as unknown[]).push({ name: "more", label: "More", type: "number" });
  });
  assertEquals(await local(test, "diff", ...at), {
    code: 2,
    lines: ["create field posts.more"],
  });
  assertEquals((await local(test, "push", "--dry-run", ...at)).code, 0);
  const pushed = await local(test, "push", ...at);
  assertEquals(pushed.code, 0, pushed.lines.join("\n"));
  assertEquals((await local(test, "diff", ...at)).code, 0);
  const [, id = ""] = /revert (\w+)$/.exec(pushed.lines.at(-1)!) ?? [];
  assertEquals((await local(test, "revert", id, ...at)).code, 0);
  assertEquals((await local(test, "diff", ...at)).lines, ["create field posts.more"]);
  assertEquals((await local(test, "revert", id, ...at)).code, 1);
  await Deno.remove(dir, { recursive: true });
});

Deno.test("cms schema works over HTTP with an API token, and refuses what moved or is lost", async () => {
  await using test = await testApp();
  await using other = await testApp();
  const token = await test.token();
  const dir = await Deno.makeTempDir();
  const at = ["--dir", dir];
  await other.collection({ slug: "posts", name: "Posts" });
  await local(other, "pull", ...at);
  const to = ["--to", ADDRESS, ...at];
  // An empty schema is always accepted.
  const first = await remote(test, token, "push", ...to);
  assertEquals(first.code, 0, first.lines.join("\n"));
  await test.collection({ slug: "news", name: "News" });
  const moved = await remote(test, token, "push", ...to);
  assertEquals(moved.code, 1);
  assert(moved.lines.join().includes("changed"), moved.lines.join());
  const seen = await remote(test, token, "diff", ...to);
  assertEquals(seen, { code: 2, lines: ["remove collection news"] });
  assertEquals((await remote(test, token, "push", ...to)).code, 1);
  const pushed = await remote(test, token, "push", "--delete", ...to);
  assertEquals(pushed.code, 0, pushed.lines.join("\n"));
  assertEquals((await remote(test, token, "diff", ...to)).code, 0);
  assertEquals((await remote(test, "svc_pk_wrong", "diff", ...to)).code, 3);
  await Deno.remove(dir, { recursive: true });
});

Deno.test("cms schema check names the file and the line of each fault", async () => {
  await using test = await testApp();
  const dir = await Deno.makeTempDir();
  await Deno.mkdir(`${dir}/collections`);
  const write = (name: string, text: string) =>
    Deno.writeTextFile(`${dir}/collections/${name}.json`, text);
  await write(
    "posts",
    '{\n  "slug": "posts",\n  "name": "Posts",\n  "fields": [\n' +
      '    { "name": "a", "label": "A", "type": "nothing" }\n  ]\n}\n',
  );
  const wrong = await local(test, "check", "--dir", dir);
  assertEquals(wrong.code, 1);
  assert(wrong.lines[0]?.startsWith("collections/posts.json:5: fields.0.type "), wrong.lines[0]);
  await write("posts", '{\n  "slug": "posts",\n  oops\n}\n');
  const broken = await local(test, "check", "--dir", dir);
  assertEquals(broken.code, 1);
  assert(broken.lines[0]?.startsWith("collections/posts.json:3: "), broken.lines[0]);
  await write("posts", '{ "slug": "posts", "name": "Posts" }');
  assertEquals((await local(test, "check", "--dir", dir)).code, 0);
  await Deno.remove(dir, { recursive: true });
});

Deno.test("cms schema reads collections that are defined as code, without permissions", async () => {
  await using test = await testApp();
  const dir = await Deno.makeTempDir();
  const at = ["--dir", dir];
  const token = await test.token();
  const types = await test.call("GET", "/api/v1/_meta/types.ts", { token });
  await Deno.writeTextFile(`${dir}/types.ts`, types.text);
  const code = (more: string) =>
    Deno.writeTextFile(
      `${dir}/posts.ts`,
      `import { defineCollection } from "./types.ts";
      ${more}
      export default defineCollection({
        slug: "posts",
        name: "Posts",
        fields: [
          { name: "kind", type: "select", options: { choices: ["a", "b"] } },
          { name: "kinds", type: "multi_select", options: { choices: ["a", "b"] } },
          { name: "topics", type: "references" },
          { name: "at", type: "datetime" },
          { name: "body", type: "rich_text" },
          {
            name: "rows",
            type: "repeater",
            options: { fields: [{ name: "on", type: "boolean" }] },
          },
        ],
      });`,
    );
  await code("");
  assertEquals((await local(test, "check", ...at)).code, 0);
  assertEquals((await local(test, "push", ...at)).code, 0);
  assertEquals((await local(test, "diff", ...at)).code, 0);
  await local(test, "pull", ...at);
  assertEquals((await local(test, "diff", ...at)).code, 0);
  await Deno.writeTextFile(
    `${dir}/use.check.ts`,
    `import type { DocumentOf } from "./types.ts";
    import type posts from "./posts.ts";
    type Post = DocumentOf<typeof posts>;
    export const kind = (post: Post): "a" | "b" | null => post.kind;
    export const title = (post: Post): string => post.title;
    export const kinds = (post: Post): ("a" | "b")[] | null => post.kinds;
    export const topics = (post: Post): string[] | null => post.topics;
    export const at = (post: Post): number | null => post.at;
    export const body = (post: Post): string[] => post.body?.map(({ _type }) => _type) ?? [];
    export const on = (post: Post): boolean | null | undefined => post.rows?.[0]?.on;
    // @ts-expect-error: not a choice
    export const wrong: Post["kind"] = "c";
    // @ts-expect-error: not a field
    export const none = (post: Post) => post.other;
`,
  );
  const checked = await new Deno.Command(Deno.execPath(), {
    args: ["check", "--no-config", `${dir}/use.check.ts`],
  }).output();
  assert(checked.success, new TextDecoder().decode(checked.stderr));
  await Deno.remove(`${dir}/use.check.ts`);
  await code('Deno.readTextFileSync("/etc/hostname");');
  const refused = await local(test, "check", ...at);
  assertEquals(refused.code, 1);
  assert(refused.lines[0]?.startsWith("posts.ts:1: "), refused.lines[0]);
  await code("");
  await Deno.writeTextFile(`${dir}/collections/posts.json`, '{ "slug": "posts", "name": "P" }');
  assertEquals((await local(test, "check", ...at)).code, 1);
  await Deno.remove(dir, { recursive: true });
});

Deno.test("cms schema pull adds roles, webhooks and settings, without secrets and times", async () => {
  await using test = await testApp();
  await test.setUp();
  const token = await test.token({ name: "deploy" });
  const webhook = {
    name: "Build",
    url: "https://build.example/hook",
    events: ["document.published"],
    collections: null,
    filter: null,
    enabled: true,
  };
  assertEquals((await test.admin("POST", "/webhooks", webhook)).status, 201);
  const pulled: string[] = [];
  for (const how of ["local", "remote"]) {
    const dir = await Deno.makeTempDir();
    const args = ["pull", "--dir", dir, "--with", "roles,webhooks,settings"];
    const { code, lines } = how === "local"
      ? await local(test, ...args)
      : await remote(test, token, ...args, "--from", ADDRESS);
    assertEquals(code, 0, lines.join("\n"));
    const read = async (name: string) => JSON.parse(await Deno.readTextFile(`${dir}/${name}.json`));
    const texts = await Promise.all(["roles", "webhooks", "settings"].map(read));
    const text = JSON.stringify(texts);
    assert(!/whsec_|createdAt|updatedAt/.test(text), text);
    assertEquals(texts[1].map(({ name }: { name: string }) => name), ["Build"]);
    assertEquals(texts[0][0].name, "administrator");
    assert("site.title" in texts[2], text);
    assertEquals((await local(test, "diff", "--dir", dir)).code, 0);
    pulled.push(text);
    await Deno.remove(dir, { recursive: true });
  }
  assertEquals(pulled[0], pulled[1]);
  assertEquals((await local(test, "pull", "--with", "users")).code, 1);
});
