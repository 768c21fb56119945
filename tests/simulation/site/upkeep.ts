/**
 * REBUILD_SEARCH and SWEEP_MEDIA as scenarios: jobs that are due, and their expected outcome.
 *
 * @module
 */
import { DocumentReader } from "../../../kv/documents/reader.ts";
import { createMedia } from "../../../kv/media/media.ts";
import { storeUpload } from "../../../kv/media/upload.ts";
import { UNATTENDED } from "../../../kv/model/entities/entity.ts";
import { mediaPath, packagePath, snapshotPath } from "../../../kv/objects/paths.ts";
import { SearchIndex } from "../../../kv/search/search_index.ts";
import { paddedPng } from "../../support/sites/images.ts";
import { streamOf } from "../../support/stores/object_store_contract.ts";
import { addTo, emptyFixture, fill, type Fixture, type Scenario } from "../backups.ts";

const DAY_MS = 86_400_000;
const ID = "01JD0000000000000000000000";

/** What a search for a word finds, in order. */
async function found({ harness, client: { content, context } }: Fixture, text: string) {
  const reader = new DocumentReader(content);
  const search = new SearchIndex({
    store: context.store,
    loadDocuments: async function* (ids) {
      const { byId } = await content.schema.current();
      for await (const { state } of reader.each(ids)) {
        yield { state, collection: byId.get(state.collectionId)! };
      }
    },
  });
  const { collections } = await harness.run(content.schema.current());
  const collectionIds = collections.map(({ id }) => id);
  const answer = await harness.run(search.search({ text, collectionIds, page: 1, perPage: 20 }));
  return [answer.total, answer.hits.map(({ documentId, title }) => [documentId, title])];
}

/** Rebuilds the full-text index from the documents. */
export async function rebuildScenario(): Promise<Scenario> {
  const fixture = emptyFixture();
  await fill(fixture, "full");
  const jobId = await addTo(fixture, "REBUILD_SEARCH", { force: true });
  return { fixture, jobId, outcomeOf: (after) => found(after, "post") };
}

/** Objects that nothing refers to have become old. */
export async function sweepScenario(): Promise<Scenario> {
  const fixture = emptyFixture();
  await fill(fixture, "full");
  const { harness, objects, client: { context } } = fixture;
  await harness.run((async () => {
    const upload = await storeUpload(context, streamOf(paddedPng(500)));
    await createMedia(context, UNATTENDED, upload, { filename: "a.png", alt: "" });
  })());
  for (
    const key of [mediaPath(ID), packagePath("0".repeat(64)), snapshotPath("document", ID, ID)]
  ) {
    await objects.put(key, new Uint8Array(10));
  }
  harness.now += 2 * DAY_MS;
  const jobId = await addTo(fixture, "SWEEP_MEDIA", {});
  const outcomeOf = async (after: Fixture) => {
    const left = await Array.fromAsync(after.objects.list(""), ({ key }) => key);
    return left.filter((key) => !key.startsWith("pages/"));
  };
  return { fixture, jobId, outcomeOf };
}
