import { assertEquals } from "@std/assert";
import { readIndexRows } from "../../../kv/documents/rows.ts";
import { testApp } from "../../support/sites/app.ts";

Deno.test("readIndexRows() pauses after every fifty documents, and leaves out those that are gone", async () => {
  await using site = await testApp();
  await site.collection({ slug: "notes", name: "Notes", fields: [] });
  const token = await site.token();
  const ids: string[] = [];
  for (let n = 0; n < 110; n++) {
    const answer = await site.call("POST", "/api/v1/notes", {
      token,
      body: { title: `Note ${n}` },
    });
    ids.push(answer.json.id as string);
  }
  const { context, schema } = site.deps.content;
  const [collection] = (await schema.current()).collections;
  const { store } = context;
  const { sleep } = store;
  let pauses = 0;
  const counted = (ms: number) => {
    pauses += 1;
    return sleep(ms);
  };
  Object.defineProperty(store, "sleep", { value: counted });

  const rows = await readIndexRows(context, collection!, [...ids, "01JD0000000000000000000000"]);
  assertEquals(rows.map(({ id }) => id), ids);
  assertEquals(pauses, 2);
});
