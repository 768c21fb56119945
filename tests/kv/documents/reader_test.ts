import { assertEquals } from "@std/assert";
import { createDocument } from "../../../kv/documents/documents.ts";
import { stateChunkPrefix } from "../../../kv/keys.ts";
import { UNATTENDED } from "../../../kv/model/entity.ts";
import { testApp } from "../../support/app.ts";

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
  const long = "word ".repeat(15_000);
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
