import { assertEquals } from "@std/assert";
import { createDocument, patchDocument } from "../../../kv/documents/documents.ts";
import { stateChunkPrefix } from "../../../kv/keys.ts";
import { UNATTENDED } from "../../../kv/model/entities/entity.ts";
import { noise } from "../../support/noise.ts";
import { testApp } from "../../support/sites/app.ts";
import { queryOf } from "../../support/harness/list_harness.ts";

Deno.test("each() gives small documents first, and reads large ones as they are taken", async () => {
  await using app = await testApp();
  const posts = await app.collection({
    slug: "posts",
    name: "Posts",
    fields: [{ name: "body", label: "Body", type: "text", options: {} }],
  });
  const { store } = app.context;
  const create = async (title: string, body: string) => {
    const input = { title, body };
    return (await createDocument(app.deps.content, UNATTENDED, posts.slug, input)).state.id;
  };
  const long = noise(90_000);
  const ids = [
    await create("Large", long),
    await create("Small", "word"),
    await create("Larger", long),
    app.context.newId(0),
  ];
  const [kind] = stateChunkPrefix("document", "", 0);
  const chunks: string[] = [];
  const getMany = store.getMany.bind(store);
  store.getMany = (keys) => {
    for (const key of keys) if (key[0] === kind) chunks.push(String(key[2]));
    return getMany(keys);
  };

  const seen: [string, number][] = [];
  for await (const { state } of app.deps.reader.each(ids)) {
    seen.push([state.title, new Set(chunks).size]);
  }

  assertEquals(seen, [["Small", 0], ["Large", 1], ["Larger", 2]]);
});

Deno.test("ofPage() keeps a document that others read at a newer version", async () => {
  await using app = await testApp();
  const posts = await app.collection({ slug: "posts", name: "Posts", fields: [] });
  const { context, deps: { content, reader } } = app;
  const create = async (title: string) =>
    (await createDocument(content, UNATTENDED, posts.slug, { title })).state.id;
  const ids = [await create("In memory"), await create("To be read")];
  await reader.find(ids[0]!);
  const page = await content.index.list(queryOf([posts]));
  const getMany = context.store.getMany.bind(context.store);
  context.store.getMany = async (keys) => {
    context.store.getMany = getMany;
    await patchDocument(content, UNATTENDED, ids[0]!, { title: "Changed" });
    await reader.find(ids[0]!);
    return await getMany(keys);
  };

  const titles = (await reader.ofPage(page)).map(({ state }) => state.title);

  assertEquals(titles, ["In memory", "To be read"]);
});
