import { assertEquals } from "@std/assert";
import { walkDocuments, type WalkPosition } from "../../../kv/documents/document_walk.ts";
import { STATUSES } from "../../../kv/model/entities/document.ts";
import { testApp } from "../../support/sites/app.ts";

Deno.test("walkDocuments() visits every document once, whatever is written concurrently", async () => {
  await using site = await testApp();
  await site.collection({ slug: "notes", name: "Notes", fields: [] });
  const token = await site.token();
  const write = async (method: string, path: string, body: { title: string }) => {
    const answer = await site.call(method, `/api/v1/notes${path}`, { token, body });
    assertEquals(answer.status < 300, true, answer.text);
    return answer.json.id as string;
  };
  const before: string[] = [];
  for (let n = 0; n < 25; n++) before.push(await write("POST", "", { title: `Note ${n}` }));
  const { content } = site.deps;
  const [collection] = (await content.schema.current()).collections;

  const seen: string[] = [];
  let after: WalkPosition | null = "start";
  while (after !== null) {
    const portion: Awaited<ReturnType<typeof walkDocuments>> = await walkDocuments(
      content,
      collection!,
      STATUSES,
      // As a job's cursor comes back from the store.
      JSON.parse(JSON.stringify(after)),
      4,
    );
    assertEquals(portion.ids.length <= 4, true);
    seen.push(...portion.ids);
    after = portion.next;
    for (const id of portion.ids) await write("PATCH", `/${id}`, { title: `Seen ${id}` });
    if (seen.length === 8) before.push(await write("POST", "", { title: "Late" }));
  }

  assertEquals(seen, before.toSorted());
});
