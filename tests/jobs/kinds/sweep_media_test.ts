import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { SWEEP_START, sweepMedia, type SweepPosition } from "../../../jobs/kinds/sweep_media.ts";
import type { Context } from "../../../kv/context.ts";
import type { CurrentRow } from "../../../kv/versioning/entities.ts";
import { currentKey, mediaBytesKey, versionIdKey, versionPrefix } from "../../../kv/keys.ts";
import {
  createMedia,
  deleteMedia,
  findMedia,
  patchMedia,
  undeleteMedia,
} from "../../../kv/media/media.ts";
import { SweepMemory } from "../../../kv/media/needed_objects.ts";
import { storeUpload } from "../../../kv/media/upload.ts";
import { UNATTENDED } from "../../../kv/model/entities/entity.ts";
import { type MediaState, objectsOf } from "../../../kv/model/entities/media.ts";
import {
  documentPartPath,
  exportPath,
  mediaPath,
  snapshotPath,
  transformPath,
} from "../../../kv/objects/paths.ts";
import { SWEEP_CHUNK_MAX } from "../../../jobs/limits.ts";
import { Refusal } from "../../../kv/refusals.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { listVersions } from "../../../kv/versioning/versions.ts";
import { testContext } from "../../support/harness/context.ts";
import { type Fault, FaultyObjects } from "../../support/stores/faulty_objects.ts";
import { paddedPng } from "../../support/sites/images.ts";
import { objectKeys } from "../../support/sites/media_app.ts";
import { noise, streamOf } from "../../support/stores/object_store_contract.ts";
import { SIGNED_PICTURES } from "../../support/signed_pictures.ts";

const DAY = 86_400_000;
const ID = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

async function sweep(context: Context): Promise<number> {
  let removed = 0;
  for (let position: SweepPosition | null = SWEEP_START; position !== null;) {
    const chunk: Awaited<ReturnType<typeof sweepMedia>> = await sweepMedia(context, position);
    removed += chunk.removed;
    position = chunk.next;
  }
  return removed;
}

/** A medium whose bytes are those of `seed`. */
async function medium(context: Context, seed = 1): Promise<MediaState> {
  const upload = await storeUpload(context, streamOf(paddedPng(400 + seed)));
  return await createMedia(context, UNATTENDED, upload, { filename: "a.png", alt: "" });
}

/** A medium with Content Credentials; all of them have the same bytes. */
async function signedMedium(context: Context): Promise<MediaState> {
  const upload = await storeUpload(context, streamOf(SIGNED_PICTURES["image/png"]));
  return await createMedia(context, UNATTENDED, upload, { filename: "signed.png", alt: "" });
}

/** Whether all that a medium needs is there. */
async function hasBytes(context: Context, state: MediaState): Promise<boolean> {
  const found = objectsOf(state).map((object) => context.objects.head(mediaPath(object)));
  return (await Promise.all(found)).every((info) => info !== null);
}

Deno.test("sweepMedia() removes a medium with its bytes and history after thirty days", async () => {
  await using context = await testContext();
  const doomed = await medium(context);
  const kept = await medium(context, 2);
  await context.objects.put(transformPath(doomed.object, "w320.webp"), noise(1));
  await context.objects.put(transformPath(kept.object, "w320.webp"), noise(1));
  await patchMedia(context, UNATTENDED, doomed.id, { alt: "described" });
  await deleteMedia(context, UNATTENDED, doomed.id);

  context.advance(30 * DAY);
  assertEquals(await sweep(context), 0);
  context.advance(1_000);
  assertEquals(await sweep(context), 2);

  assertEquals(await findMedia(context, doomed.id), null);
  assertEquals(await objectKeys(context, ""), [
    mediaPath(kept.object),
    transformPath(kept.object, "w320.webp"),
  ]);
  const page = await listVersions(context, "media_metadata", doomed.id, { skip: 0, limit: 10 });
  assertEquals(page.versions.map(({ version_number }) => version_number), [4]);
  assertEquals((await context.store.get(mediaBytesKey(doomed.sha256))).value, null);
  assertEquals(await sweep(context), 0);
});

Deno.test("sweepMedia() removes long histories in several commits", async () => {
  await using context = await testContext();
  const { id } = await medium(context);
  for (let n = 0; n < 700; n++) await patchMedia(context, UNATTENDED, id, { alt: `${n}` });
  await deleteMedia(context, UNATTENDED, id);
  context.advance(31 * DAY);

  await sweep(context);

  const rows = await context.store.listAll({ prefix: versionPrefix("media_metadata", id) });
  assertEquals(rows.length, 1);
  assertEquals(
    (await context.store.get<CurrentRow>(currentKey("media_metadata", id))).value?.gone,
    true,
  );
  const places = await context.store.listAll({ prefix: versionIdKey("").slice(0, 1) });
  assertEquals(places.length, 1);
});

Deno.test("sweepMedia() keeps bytes that another medium shares", async () => {
  await using context = await testContext();
  const doomed = await medium(context);
  const twin = await medium(context);
  assertEquals(twin.object, doomed.object);
  await deleteMedia(context, UNATTENDED, doomed.id);
  context.advance(31 * DAY);

  await sweep(context);

  assertEquals(await findMedia(context, doomed.id), null);
  assert(await hasBytes(context, twin));
});

Deno.test("sweepMedia() keeps bytes that only an old version names", async () => {
  await using context = await testContext();
  const { id, ...before } = await medium(context);
  const head = await context.store.get<CurrentRow>(currentKey("media_metadata", id));
  const body = { ...head.value!, gone: true as const };
  await context.store.commit(new Operation().set(head.key, body));
  context.advance(60 * DAY);

  await sweep(context);

  assert(await hasBytes(context, { id, ...before }));
});

Deno.test("sweepMedia() takes orphans older than a day, and nothing younger", async () => {
  await using context = await testContext();
  const orphans = [
    mediaPath(ID),
    snapshotPath("document", ID, ID),
    documentPartPath(ID, "data"),
    documentPartPath(ID, "blocks"),
    transformPath("GONE", "w320.webp"),
    "pages/nobodys",
  ];
  const strangers = [exportPath(ID), "versions/odd", "documents/x/other.json"];
  for (const key of [...orphans, ...strangers]) await context.objects.put(key, noise(3));
  context.advance(DAY);

  assertEquals(await sweep(context), 0);
  context.advance(1);
  assertEquals(await sweep(context), orphans.length);

  assertEquals(await objectKeys(context, ""), strangers.sort());
});

Deno.test("sweepMedia() never takes the snapshot of a version that is there", async () => {
  await using context = await testContext();
  const row = ["document", ID, 1];
  await context.store.commit(new Operation().set(versionIdKey("KEPT"), row));
  await context.objects.put(snapshotPath("document", ID, "KEPT"), noise(1));
  await context.objects.put(snapshotPath("document", ID, "PRUNED"), noise(1));
  context.advance(2 * DAY);

  await sweep(context);

  assertEquals(await objectKeys(context, "versions/"), [snapshotPath("document", ID, "KEPT")]);
});

Deno.test("sweepMedia() keeps the live copy of a part that its row names", async () => {
  await using context = await testContext();
  const row: CurrentRow = { n: 1, vid: ID, at: 1, parts: { data: { sha256: "", bytes: 1 } } };
  await context.store.commit(new Operation().set(currentKey("document", ID), row));
  await context.objects.put(documentPartPath(ID, "data"), noise(1));
  await context.objects.put(documentPartPath(ID, "blocks"), noise(1));
  context.advance(2 * DAY);

  await sweep(context);

  assertEquals(await objectKeys(context, "documents/"), [documentPartPath(ID, "data")]);
});

Deno.test("sweepMedia() leaves bytes that a concurrent upload uses", async () => {
  await using context = await testContext();
  const upload = await storeUpload(context, streamOf(paddedPng(500)));
  const row = { object: upload.object };
  await context.store.commit(new Operation().set(mediaBytesKey(upload.sha256), row));
  context.advance(2 * DAY);
  let revived: MediaState | undefined;
  const objects = new FaultyObjects(context.objects, async ({ method, key }): Promise<"none"> => {
    if (method === "list" && key === "media/" && revived === undefined) {
      const again = await storeUpload(context, streamOf(paddedPng(500)));
      const facts = { filename: "a.png", alt: "" };
      revived = await createMedia(context, UNATTENDED, again, facts);
    }
    return "none";
  });

  await sweep({ ...context, objects });

  assertEquals(revived?.object, upload.object);
  assert(await hasBytes(context, revived!));
});

Deno.test("sweepMedia() continues where an object store failure stopped it", async () => {
  await using context = await testContext();
  const doomed = [await medium(context, 1), await medium(context, 2), await medium(context, 3)];
  for (const { id } of doomed) await deleteMedia(context, UNATTENDED, id);
  context.advance(31 * DAY);
  let failures = 0;
  const objects = new FaultyObjects(context.objects, ({ method }) => {
    if (method !== "delete" || failures >= 4) return "none";
    return failures++ % 2 === 0 ? "before" : "after";
  });

  for (let run = 0; run < 6; run++) await sweep({ ...context, objects }).catch(() => {});

  assertEquals(failures, 4);
  assertEquals(await objectKeys(context, ""), []);
});

Deno.test("sweepMedia() looks at more objects than one chunk holds", async () => {
  await using context = await testContext();
  const kept = await medium(context);
  for (let n = 0; n < 1_203; n++) await context.objects.put(mediaPath(`orphan${n}`), noise(1));
  context.advance(2 * DAY);

  assertEquals(await sweep(context), 1_203);

  assertEquals(await objectKeys(context, ""), [mediaPath(kept.object)]);
});

Deno.test("sweepMedia() of many chunks reads media once, and leaves bytes that are taken up between two", async () => {
  await using context = await testContext();
  const upload = await storeUpload(context, streamOf(paddedPng(500)));
  const row = { object: upload.object };
  await context.store.commit(new Operation().set(mediaBytesKey(upload.sha256), row));
  for (let n = 0; n < 1_203; n++) await context.objects.put(mediaPath(`00${n}`), noise(1));
  context.advance(2 * DAY);
  let reads = 0;
  const list = context.store.list.bind(context.store);
  context.store.list = (range, ...rest) => {
    if ("prefix" in range && range.prefix[0] === mediaBytesKey("")[0]) reads += 1;
    return list(range, ...rest);
  };

  const memory = new SweepMemory();
  const first = await sweepMedia(context, { stage: "bytes", after: "" }, memory);
  const again = await storeUpload(context, streamOf(paddedPng(500)));
  const revived = await createMedia(context, UNATTENDED, again, { filename: "a.png", alt: "" });
  for (let { next } = first; next?.stage === "bytes";) {
    ({ next } = await sweepMedia(context, next, memory));
  }

  assertEquals([reads, revived.object], [1, upload.object]);
  assert(await hasBytes(context, revived));
  assertEquals(await objectKeys(context, "media/"), [mediaPath(upload.object)]);
});

type Step = ["upload" | "delete" | "undelete" | "days" | "sweep", number];

Deno.test("sweepMedia() in any order of things: what can be seen or brought back has its bytes", async () => {
  const names = fc.constantFrom("upload", "delete", "undelete", "days", "sweep");
  const steps = fc.array(fc.tuple(names, fc.nat(9)), { minLength: 5, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(steps as fc.Arbitrary<Step[]>, async (walk) => {
      await using context = await testContext();
      const made: MediaState[] = [];
      for (const [name, n] of walk) {
        const chosen = made[n % Math.max(1, made.length)];
        if (name === "upload") {
          made.push(await (n % 4 === 3 ? signedMedium(context) : medium(context, n % 3)));
        }
        if (name === "days") context.advance(n * 5 * DAY);
        if (name === "sweep") await sweep(context);
        if (chosen === undefined) continue;
        if (name === "delete") await ifThere(deleteMedia(context, UNATTENDED, chosen.id));
        if (name === "undelete") await ifThere(undeleteMedia(context, UNATTENDED, chosen.id));
      }
      const alive = (await Promise.all(made.map(({ id }) => findMedia(context, id))))
        .filter((state) => state !== null);
      for (const state of alive) assert(await hasBytes(context, state), state.id);

      context.advance(2 * DAY);
      await sweep(context);
      const rest = (await Promise.all(made.map(({ id }) => findMedia(context, id))))
        .filter((state) => state !== null);
      const needed = new Set(rest.flatMap(objectsOf).map(mediaPath));
      assertEquals(await objectKeys(context, ""), [...needed].sort());
    }),
    { numRuns: 60 },
  );
});

async function ifThere(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    assert(error instanceof Refusal && error.code === "NOT_FOUND", String(error));
  }
}

Deno.test("sweepMedia() lists objects once for all its chunks, and again where it did not resume", async () => {
  await using context = await testContext();
  for (let n = 0; n < 3 * SWEEP_CHUNK_MAX; n++) {
    await context.objects.put(mediaPath(`${n}`.padStart(6, "0")), noise(1));
  }
  context.advance(DAY + 1_000);
  const objects = new FaultyObjects(context.objects);
  const lists = () => objects.calls.filter(({ method }) => method === "list").length;
  const listing = { ...context, objects };
  const memory = new SweepMemory();
  const chunk = (after: string) => sweepMedia(listing, { stage: "bytes", after }, memory);

  const first = await chunk("");
  assertEquals(first.removed, SWEEP_CHUNK_MAX);
  const before = lists();
  const second = await chunk(first.next!.after);
  // Those of the transforms of each.
  assertEquals([second.removed, lists() - before], [SWEEP_CHUNK_MAX, SWEEP_CHUNK_MAX]);
  // Another sweep begins at the start, where something has come.
  await context.objects.put(mediaPath("0"), noise(1));
  context.advance(DAY + 1_000);
  assertEquals((await chunk("")).removed, SWEEP_CHUNK_MAX);
  assertEquals(await objectKeys(context, ""), [mediaPath(`00${3 * SWEEP_CHUNK_MAX - 1}`)]);
});

Deno.test("SweepMemory lists objects again after an import", async () => {
  await using context = await testContext();
  for (const name of ["a", "b"]) await context.objects.put(mediaPath(name), noise(1));
  const objects = new FaultyObjects(context.objects);
  const memory = new SweepMemory();
  const firstOf = async (era: string, after: string) => {
    for await (const { key } of memory.objects({ objects }, { era }, { prefix: "media/", after })) {
      return key;
    }
  };
  assertEquals(await firstOf("one", ""), mediaPath("a"));
  assertEquals(await firstOf("one", mediaPath("a")), mediaPath("b"));
  assertEquals(objects.calls.length, 1);
  assertEquals(await firstOf("one", mediaPath("a")), mediaPath("b"));
  assertEquals(objects.calls.length, 2);
  assertEquals(await firstOf("two", mediaPath("b")), undefined);
  assertEquals(objects.calls.length, 3);
});

Deno.test("sweepMedia() leaves an object that is rewritten after it was listed", async () => {
  await using context = await testContext();
  const path = mediaPath("000001");
  await context.objects.put(path, noise(1));
  context.advance(DAY + 1_000);
  const objects = new FaultyObjects(context.objects, async ({ method, key }): Promise<Fault> => {
    // Between the list and the removal.
    if (method === "head" && key === path) await context.objects.put(path, noise(1));
    return "none";
  });
  assertEquals(await sweep({ ...context, objects }), 0);
  assertEquals(await objectKeys(context, ""), [path]);
});
