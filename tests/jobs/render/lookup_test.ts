import { assertEquals } from "@std/assert";
import { readLookup } from "../../../jobs/render/lookup.ts";
import { liveKey } from "../../../kv/keys.ts";
import { STATUSES } from "../../../kv/model/document.ts";
import type { EntityType } from "../../../kv/model/entity.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { testContext } from "../../support/context.ts";
import { published } from "../../support/site.ts";

Deno.test("readLookup() knows published documents and media that are not deleted, and nothing else", async () => {
  await using context = await testContext();
  const put = async (type: EntityType, id: string, state: object) => {
    const body = new TextEncoder().encode(JSON.stringify({ ...state, id }));
    await context.store.commit(
      new Operation().set(liveKey(type, id), { n: 1, vid: "V", at: 1, body }),
    );
  };
  const id = (n: number) => String(n).padStart(26, "0");
  for (const [n, status] of STATUSES.entries()) {
    await put("document", id(n), { ...published("x"), status });
  }
  await put("media_metadata", id(10), { filename: "a.png", deletedAt: null });
  await put("media_metadata", id(11), { filename: "b.png", deletedAt: 7 });

  const ids = Array.from({ length: 13 }, (_, n) => id(n));
  const lookup = await readLookup(context, {
    documents: [...ids, "__proto__"],
    media: [...ids, "x"],
  });

  const found = ids.filter((one) => lookup.document(one) !== null);
  assertEquals(found, [id(STATUSES.indexOf("published"))]);
  assertEquals(ids.filter((one) => lookup.medium(one) !== null), [id(10)]);
});
