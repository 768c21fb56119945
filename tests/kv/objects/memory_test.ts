import { assertEquals } from "@std/assert";
import { MemoryObjects } from "../../../kv/objects/memory.ts";
import { assertObjectStore } from "../../support/stores/object_store_contract.ts";

Deno.test("MemoryObjects keeps the promises of an object store", async (t) => {
  await assertObjectStore(t, new MemoryObjects({ now: () => 0 }));
});

Deno.test("MemoryObjects notes the time of the last put and shares no bytes with the caller", async () => {
  let now = 1_000;
  const objects = new MemoryObjects({ now: () => now });
  const body = new Uint8Array([1]);

  await objects.put("media/a", body);
  now = 2_000;
  await objects.put("media/a", body);
  body[0] = 9;
  (await objects.get("media/a"))![0] = 8;

  assertEquals((await objects.head("media/a"))?.modifiedAt, 2_000);
  assertEquals(await objects.get("media/a"), new Uint8Array([1]));
});
