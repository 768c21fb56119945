/** `@person` in the palette finds all documents that a person created, however many others changed since. */
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import { answered } from "../../../support/sites/admin_answers.ts";
import { type Admin, setUpAdmin, signIn } from "../../../support/sites/backups.ts";
import { testApp } from "../../../support/sites/app.ts";
import { compactCollection } from "../../../../kv/index/segments/compaction.ts";
import { readIndexRows } from "../../../../kv/documents/rows.ts";
import { indexManifestKey } from "../../../../kv/index/index_keys.ts";
import type { Manifest } from "../../../../kv/index/segments/manifest.ts";
import { Operation } from "../../../../kv/store/operation.ts";

/** More documents than a page of the palette has, and than it once looked through. */
const OTHERS = 230;
const GRACE = {
  email: "grace@example.org",
  password: "another correct horse",
  displayName: "Grace Hopper",
};

async function site() {
  const app = await testApp();
  const ada = await setUpAdmin(app);
  const fields = [{ name: "body", type: "text" }];
  for (const slug of ["posts", "notes"]) {
    answered(await ada.ask("POST", "/collections", { slug, name: slug, fields }), 201);
  }
  const user = { ...GRACE, roles: ["editor"] };
  answered(await ada.ask("POST", "/users", user), 201);
  const grace = await signIn(app, GRACE);
  const write = async ({ ask }: Admin, collection: string, title: string, body: string) =>
    answered(await ask("POST", "/documents", { collection, title, body, status: "published" }), 201)
      .id as string;
  const session = await app.call("POST", "/api/admin/session", {
    body: { email: GRACE.email, password: GRACE.password },
  });
  const cookie = session.headers.get("set-cookie")?.split(";")[0] ?? "";
  const entries = async (q: string) => {
    const path = `/admin/find?${new URLSearchParams({ q })}`;
    const { json } = await app.call("GET", path, { headers: { cookie } });
    return json.entries.filter(({ group }: { group: string }) => group === "Documents") as {
      label: string;
      href: string;
      hint: string;
    }[];
  };
  const isWhole = ({ label }: { label: string }) => label.startsWith("All documents by ");
  const find = async (q: string) =>
    (await entries(q)).filter((one) => !isWhole(one)).map(({ label }) => label);
  /** The rows that lead to a whole list, which is the last one. */
  const whole = async (q: string) => {
    const found = await entries(q);
    assert(!found.slice(0, -1).some(isWhole));
    const { id } = answered(await ada.ask("GET", "/users"), 200).data.find(
      ({ displayName }: { displayName: string }) => displayName === "Ada",
    );
    return found.filter(isWhole).map(({ label, hint, href }) =>
      `${label} (${hint}) ${href.replace(id, "ADA")}`
    );
  };
  return {
    app,
    ada,
    grace,
    write,
    find,
    whole,
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}

Deno.test("@person with a collection and words finds what was created long before the last changes", async () => {
  await using test = await site();
  const { app, ada, grace, write, find, whole } = test;
  await write(grace, "posts", "Compilers", "A lighthouse far out at sea, of which little is said.");
  await write(grace, "notes", "Nanoseconds", "A wire.");
  app.context.advance(60_000);
  for (let n = 0; n < OTHERS; n++) {
    await write(ada, "posts", `Lighthouse ${n}`, "Lighthouse, lighthouse.");
  }
  await app.runner.drain();
  assertEquals((await find("@grace-hopper")).toSorted(), ["Compilers", "Nanoseconds"]);
  assertEquals(await find("@grace-hopper in:posts"), ["Compilers"]);
  assertEquals((await find("@ada")).length, 20, "the palette shows the beginning");
  assertEquals(await whole("@ada"), ["All documents by Ada (230) /admin/content?createdBy=ADA"]);
  assertEquals(await whole("@ada in:posts"), [
    "All documents by Ada (230) /admin/content/posts?createdBy=ADA",
  ]);
  for (const query of ["@ada in:notes", "@ada lighthouse", "@stranger", "in:posts"]) {
    assertEquals(await whole(query), [], query);
  }
  assertEquals(await find("@grace-hopper compil"), ["Compilers"]);
  assertEquals(await find("@grace-hopper lighthouse"), ["Compilers"], "behind better matches");
  assertEquals(await find("@grace-hopper in:notes lighthouse"), []);
});

Deno.test("rows of an earlier release, which have no creator, are found, and filled in later", async () => {
  await using test = await site();
  const { app, ada, grace, write, find } = test;
  await write(grace, "posts", "Compilers", "");
  await write(ada, "posts", "Engines", "");
  await app.runner.drain();
  const { store } = app.context;
  const collection = (await app.deps.content.schema.current()).bySlug.get("posts");
  assert(collection !== undefined);
  const options = {
    loadRows: (one: typeof collection, ids: string[]) => readIndexRows(app.context, one, ids),
    deltaRowsMin: 1,
  };
  const compact = async () => {
    while (!(await compactCollection(store, collection, options)).done);
  };
  await compact();
  const columnsOf = async () => {
    const entry = await store.get<Manifest>(indexManifestKey(collection.id));
    return { entry, segments: entry.value?.segments ?? [] };
  };
  const { entry, segments } = await columnsOf();
  const old = segments.map(({ columns: { ".$by": _by, ...columns }, ...segment }) => {
    assert(_by !== undefined);
    return { ...segment, columns };
  });
  const operation = new Operation().check(entry).set(entry.key, { ...entry.value, segments: old });
  assert((await store.commit(operation)).ok);
  // Readers look at the manifest again after a write.
  await write(ada, "posts", "Later", "");
  assertEquals(await find("@grace-hopper"), ["Compilers"]);
  await compact();
  assert((await columnsOf()).segments.every(({ columns }) => ".$by" in columns));
  assertEquals(await find("@grace-hopper"), ["Compilers"]);
});
