import { assert, assertEquals } from "@std/assert";
import { createDocument } from "../../../kv/documents/documents.ts";
import { currentKey, type Key, oldSlugKey, tokenUseKey, uniquesPrefix } from "../../../kv/keys.ts";
import { editHeadKey, editOpKey, editPresenceStampKey } from "../../../kv/live/live_keys.ts";
import { UNATTENDED } from "../../../kv/model/entities/entity.ts";
import { patchField, removeField } from "../../../kv/schema/fields.ts";
import { type StrayCursor, sweepStrays } from "../../../kv/site/stray_rows.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { versionedWrite } from "../../../kv/versioning/versioned_write.ts";
import { testApp } from "../../support/sites/app.ts";

const DAY_MS = 86_400_000;

type App = Awaited<ReturnType<typeof testApp>>;

async function sweep({ deps: { content } }: App): Promise<number> {
  let cursor: StrayCursor = { family: 0, after: null, removed: 0 };
  for (;;) {
    const swept = await sweepStrays(content, cursor);
    if ("removed" in swept) return swept.removed;
    cursor = swept.next;
  }
}

/** Ends an entity for good. */
async function end({ context }: App, type: "document" | "api_token", id: string): Promise<void> {
  await versionedWrite(context, UNATTENDED, async (transaction) => {
    const head = await transaction.head(type, id);
    transaction.save(type, id, head, null);
  });
}

async function present({ context }: App, keys: Key[]): Promise<boolean[]> {
  return (await context.store.getMany(keys)).map(({ value }) => value !== null);
}

Deno.test("sweepStrays() deletes what removed documents and revoked tokens leave, a day later", async () => {
  await using app = await testApp();
  const { content } = app.deps;
  await app.collection({ slug: "posts", name: "Posts", fields: [] });
  const ids: string[] = [];
  for (const title of ["Gone", "There"]) {
    ids.push((await createDocument(content, UNATTENDED, "posts", { title })).state.id);
  }
  const collectionId = (await content.schema.current()).bySlug.get("posts")!.id;
  const [gone, there] = ids as [string, string];
  const rowsOf = (id: string): Key[] => [
    editHeadKey(id),
    editOpKey(id, 1, 0),
    editPresenceStampKey(id),
    oldSlugKey(collectionId, `old-${id}`),
  ];
  const operation = new Operation();
  for (const id of ids) for (const key of rowsOf(id)) operation.set(key, id);
  const lost = tokenUseKey("01KT1GW6G00000000000000000");
  await app.context.store.commit(operation.set(lost, []));
  await end(app, "document", gone);

  assertEquals(await sweep(app), 1);
  assertEquals(await present(app, rowsOf(gone)), [true, true, true, true]);
  app.context.advance(DAY_MS + 1_000);
  assertEquals(await sweep(app), 4);

  assertEquals(await present(app, rowsOf(gone)), [false, false, false, false]);
  assertEquals(await present(app, [...rowsOf(there), lost]), [true, true, true, true, false]);
  assert((await app.context.store.get(currentKey("document", there))).value !== null);
});

Deno.test("sweepStrays() deletes the reservations of fields that are unique no more", async () => {
  await using app = await testApp();
  const { content } = app.deps;
  const fields = ["kept", "removed", "shared"].map((name) => ({
    name,
    type: "text",
    unique: true,
  }));
  await app.collection({ slug: "posts", name: "Posts", fields });
  for (let n = 0; n < 3; n++) {
    const values = { kept: `k${n}`, removed: `r${n}`, shared: `s${n}` };
    await createDocument(content, UNATTENDED, "posts", { title: `Post ${n}`, ...values });
  }
  const reserved = async () => {
    const rows = await app.context.store.listAll({ prefix: uniquesPrefix });
    return rows.map(({ key }) => key[2]);
  };
  await removeField(content, UNATTENDED, "posts", "removed");
  await patchField(content, UNATTENDED, "posts", "shared", { unique: false });
  assertEquals((await reserved()).length, 9);

  assertEquals(await sweep(app), 6);

  assertEquals(await reserved(), ["kept", "kept", "kept"]);
});
