/** The rebuild of the index of languages while what it is built for changes. */
import { LANGUAGES, ORIGINALS } from "../../../../kv/search/search_keys.ts";
import { stepRebuild } from "../../../../kv/search/segments/rebuild.ts";
import { postedDocument } from "../../../../kv/search/segments/posting.ts";
import { readNow } from "../../../../kv/search/query/search_now.ts";
import type { LoadedDocument } from "../../../../kv/search/search_index.ts";
import { assertEquals } from "../../../support/harness/assert.ts";
import { SearchSite } from "../../../support/sites/search_site.ts";

const postingsOf = ({ state, collection }: LoadedDocument) => [postedDocument(collection, state)];

Deno.test("a rebuild names what it was built for, and leaves the index of originals alone", async () => {
  using site = await SearchSite.open();
  for (let n = 0; n < 5; n++) await site.publish({ title: `Title ${n}` });
  await site.compact();
  const { manifest } = await readNow(site.context.store, ORIGINALS);
  const context = { ...site.context, keys: LANGUAGES };
  const index = { builtFor: "one", postingsOf };
  const id = site.newId(site.ms);
  while (!(await stepRebuild(context, site.source(2), id, 2, index)).isDone);
  const built = await readNow(site.context.store, LANGUAGES);
  const documents = built.manifest.segments.reduce((sum, one) => sum + one.documents, 0);
  assertEquals([built.builtFor, documents], ["one", 5]);
  assertEquals((await readNow(site.context.store, ORIGINALS)).manifest, manifest);
});

Deno.test("a rebuild for a schema that has changed since is abandoned: what was built before stays", async () => {
  using site = await SearchSite.open();
  for (let n = 0; n < 5; n++) await site.publish({ title: `Title ${n}` });
  const context = { ...site.context, keys: LANGUAGES };
  const rebuild = async (id: string, builtFor: string) =>
    await stepRebuild(context, site.source(2), id, 2, { builtFor, postingsOf });
  const first = site.newId(site.ms);
  while (!(await rebuild(first, "one")).isDone);
  const { manifest: { segments } } = await readNow(site.context.store, LANGUAGES);
  const second = site.newId(site.ms);
  for (let step = 0; step < 2; step++) assertEquals((await rebuild(second, "two")).isDone, false);
  const { isDone, isAbandoned } = await rebuild(second, "three");
  assertEquals([isDone, isAbandoned], [true, true]);
  const now = await readNow(site.context.store, LANGUAGES);
  assertEquals([now.builtFor, now.manifest.segments, now.manifest.rebuild], [
    "one",
    segments,
    null,
  ]);
  const third = site.newId(site.ms);
  while (!(await rebuild(third, "three")).isDone);
  assertEquals((await readNow(site.context.store, LANGUAGES)).builtFor, "three");
});
