import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { Context } from "../../../kv/context.ts";
import { MediaList, type MediaQuery, NO_FOLDER } from "../../../kv/media/media_list.ts";
import { stageMediaRow } from "../../../kv/versioning/media_row.ts";
import { MEDIA_MIMES, type MediaState } from "../../../kv/model/entities/media.ts";
import { shardOf, stageSharded, stampRemovedRow } from "../../../kv/store/shards.ts";
import { shardKey, shardRowPrefix } from "../../../kv/keys.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { testContext } from "../../support/harness/context.ts";

const ALL = { deleted: false, offset: 0, limit: 100 };

function medium(n: number, facts: Partial<MediaState> = {}): MediaState {
  return {
    id: `01ARZ3NDEKTSV4RRFF${String(n).padStart(8, "0")}`,
    filename: `picture ${n}.png`,
    mime: "image/png",
    bytes: n,
    width: 1,
    height: 1,
    alt: "",
    sha256: "",
    object: "",
    createdAt: n,
    updatedAt: n,
    deletedAt: null,
    ...facts,
  };
}

async function put(context: Context, ...media: MediaState[]): Promise<void> {
  for (let start = 0; start < media.length; start += 500) {
    const operation = new Operation();
    for (const one of media.slice(start, start + 500)) stageMediaRow(operation, one.id, one);
    await context.store.commit(operation);
  }
}

Deno.test("MediaList.list() of 10,000 costs one read, and little more after a change", async () => {
  await using context = await testContext();
  await put(context, ...Array.from({ length: 10_000 }, (_, n) => medium(n)));
  const { counts } = context.store;
  const list = new MediaList(context);
  await list.list(ALL);
  const cost = async (work: () => Promise<unknown>) => {
    const before = { ...counts };
    await work();
    return [counts.reads - before.reads, counts.lists - before.lists];
  };

  assertEquals(await cost(() => list.list({ ...ALL, offset: 5_000 })), [1, 0]);
  assertEquals(await cost(() => list.list({ ...ALL, text: "7", mimes: ["image/png"] })), [1, 0]);
  await put(context, medium(10_000));
  let newest: string | undefined;
  const after = await cost(async () => newest = (await list.list(ALL)).media[0]?.filename);

  // The version twice, the stamps, and the one shard that has changed.
  assertEquals(after, [2, 2]);
  assertEquals(newest, "picture 10000.png");
  assertEquals((await list.list({ ...ALL, offset: 9_990 })).media.length, 11);
});

Deno.test("MediaList.list() shows earlier commits in every process", async () => {
  await using context = await testContext();
  const lists = [new MediaList(context), new MediaList(context)];
  for (let n = 0; n < 50; n++) {
    await put(context, medium(n));
    for (const list of lists) assertEquals((await list.list(ALL)).total, n + 1);
  }
  const operation = new Operation();
  stageMediaRow(operation, medium(3).id, null);
  const key = shardKey(shardRowPrefix("media"), shardOf(medium(4).id), medium(4).id, "");
  operation.delete(key);
  stampRemovedRow(operation, key);
  await context.store.commit(operation);
  for (const list of lists) assertEquals((await list.list(ALL)).total, 48);
});

Deno.test("MediaList.list() asked while others write is never older than its question", async () => {
  await using context = await testContext();
  const list = new MediaList(context);
  let written = 0;
  const writer = (async () => {
    for (let n = 0; n < 60; n++) {
      await put(context, medium(n));
      written += 1;
    }
  })();
  const readers = Array.from({ length: 20 }, async () => {
    for (let round = 0; round < 5; round++) {
      const before = written;
      const { total } = await list.list(ALL);
      assert(total >= before, `${total} of ${before}`);
    }
  });
  await Promise.all([writer, ...readers]);
  assertEquals((await list.list(ALL)).total, 60);
});

Deno.test("MediaList.list() answers any query as a naive list does", async () => {
  const state = fc.record({
    n: fc.nat(30),
    filename: fc.constantFrom("a.png", "B.png", "b.png", "Äpfel.png", "\u{1f600}.png", "ﬀ.png"),
    mime: fc.constantFrom(...MEDIA_MIMES),
    bytes: fc.nat(5),
    alt: fc.constantFrom("", "a cat", "Äpfel"),
    folder: fc.constantFrom(undefined, "Press", "Press/2026", "Pressed"),
    tags: fc.constantFrom<string[] | undefined>(undefined, ["Red"], ["red", "dot"]),
    createdAt: fc.nat(5),
    updatedAt: fc.nat(5),
    deletedAt: fc.constantFrom(null, null, 7),
    gone: fc.constantFrom(false, false, false, true),
  });
  const query = fc.record({
    deleted: fc.boolean(),
    text: fc.constantFrom("", "ä", "B.P", "cat"),
    mimes: fc.constantFrom(undefined, [...MEDIA_MIMES].slice(0, 2)),
    described: fc.constantFrom(undefined, true, false),
    folder: fc.constantFrom(undefined, "Press", "Press/2026", NO_FOLDER),
    tags: fc.constantFrom(undefined, ["RED"], ["dot", "red"]),
    used: fc.constantFrom(undefined, true, false),
    by: fc.constantFrom("createdAt", "updatedAt", "filename", "bytes"),
    descending: fc.boolean(),
    offset: fc.nat(12),
    limit: fc.integer({ min: 1, max: 6 }),
  });
  const property = fc.asyncProperty(
    fc.array(fc.oneof(state, query), { maxLength: 40 }),
    async (steps) => {
      await using context = await testContext();
      const list = new MediaList(context);
      const model = new Map<string, MediaState>();
      for (const step of steps) {
        if ("n" in step) {
          const { n, gone, ...facts } = step;
          const one = medium(n, facts as Partial<MediaState>);
          const operation = new Operation();
          stageMediaRow(operation, one.id, gone ? null : one);
          // Every third one is referenced by a document.
          if (n % 3 === 0) {
            stageSharded(operation, "references", {
              id: one.id,
              name: "D",
              value: gone ? null : 1,
            });
          }
          await context.store.commit(operation);
          if (gone) model.delete(one.id);
          else model.set(one.id, one);
          continue;
        }
        const { by, descending, ...rest } = step;
        const asked = { ...rest, sort: { by, descending } } as MediaQuery;
        const { total, media } = await list.list(asked);
        const expected = naive([...model.values()], asked);
        assertEquals(total, expected.length);
        assertEquals(
          media.map(({ id }) => id),
          expected.slice(asked.offset, asked.offset + asked.limit).map(({ id }) => id),
        );
      }
    },
  );
  await fc.assert(property, { numRuns: 60 });
});

function naive(media: MediaState[], query: MediaQuery): MediaState[] {
  const { by, descending } = query.sort!;
  const sortForm = (text: string) => text.normalize("NFC").toLowerCase();
  const points = (text: string) => [...sortForm(text)].map((one) => one.codePointAt(0)!);
  const compare = (a: (number | string)[], b: (number | string)[]): number => {
    for (let index = 0; index < Math.max(a.length, b.length); index++) {
      if (a[index] === b[index]) continue;
      if (a[index] === undefined) return -1;
      return b[index] === undefined || a[index]! > b[index]! ? 1 : -1;
    }
    return 0;
  };
  const keyOf = (one: MediaState) => by === "filename" ? points(one.filename) : [one[by]];
  const sorted = media.filter((one) =>
    (one.deletedAt !== null) === query.deleted &&
    sortForm(`${one.filename}\n${one.alt}\n${one.tags?.join("\n") ?? ""}`).includes(
      sortForm(query.text ?? ""),
    ) &&
    (query.mimes === undefined || query.mimes.includes(one.mime)) &&
    (query.described === undefined || (one.alt !== "") === query.described) &&
    (query.folder === undefined || (query.folder === NO_FOLDER
      ? one.folder === undefined
      : `${one.folder}/`.startsWith(`${query.folder}/`))) &&
    (query.tags ?? []).every((tag) =>
      (one.tags ?? []).join().toLowerCase().split(",").includes(tag.toLowerCase())
    ) &&
    (query.used === undefined || (Number(one.id.slice(-8)) % 3 === 0) === query.used)
  ).sort((a, b) => compare(keyOf(a), keyOf(b)) || compare([a.id], [b.id]));
  return descending ? sorted.reverse() : sorted;
}
