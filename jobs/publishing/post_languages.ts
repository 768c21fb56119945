/**
 * The postings of a document in the languages that a change concerns. What a change takes off the public is removed
 * from search by the commit of the change itself.
 *
 * @module
 */
import { currentKey, schemaKey } from "../../kv/keys.ts";
import { requestSearchCompactionSometimes } from "../../kv/search/delta/search_requests.ts";
import { languagePostings, languagesShowing } from "../../kv/search/languages/language_posting.ts";
import { LANGUAGES, ORIGINALS } from "../../kv/search/search_keys.ts";
import { encodePosting, recordPosting } from "../../kv/search/segments/posting.ts";
import type { Publication } from "../../kv/jobs/payloads.ts";
import type { Collection, Schema } from "../../kv/model/entities/collection.ts";
import type { DocumentState } from "../../kv/model/entities/document.ts";
import type { Entry } from "../../kv/store/operation.ts";
import type { CurrentRow } from "../../kv/versioning/entities.ts";
import { POSTED_BYTES_MAX } from "../limits.ts";
import type { Work } from "../runner/job_kind.ts";
import type { Publishing, ReadPage } from "./publishing.ts";

/** What is needed of a step: its cursor is the number of postings that are recorded already. */
type PostingWork = Pick<
  Work<"PUBLISH", "search"> | Work<"UNPUBLISH", "listings">,
  "payload" | "cursor" | "operation"
>;

/** A document and what it is posted with. */
export interface PostingSource {
  /** The manifests of the index of originals and, if languages have changed, of that of languages. */
  manifest: Entry;
  languagesManifest: Entry | undefined;
  live: Entry<CurrentRow>;
  state: DocumentState;
  collection: Collection;
  blocks: Schema["blocks"];
}

/** Reads a document for the postings of its original and of its languages; one that was read before is read no more. */
export async function readSource(
  { content: { context: { store }, schema }, reader }: Publishing,
  { documentId, collectionId, languages }: Publication,
  read?: ReadPage,
): Promise<PostingSource | null> {
  const keys = [schemaKey, ORIGINALS.manifest];
  if (languages !== undefined) keys.push(LANGUAGES.manifest);
  const [[schemaEntry, manifest, languagesManifest], live] = await Promise.all([
    store.getMany(keys) as Promise<[Entry, Entry, Entry | undefined]>,
    read?.entries.current ?? store.get<CurrentRow>(currentKey("document", documentId)),
  ]);
  const state = read?.document ?? (await reader.ofEntry(documentId, live))?.state;
  const { byId, blocks } = await schema.at(schemaEntry);
  const collection = byId.get(collectionId);
  if (state === undefined || collection === undefined) return null;
  return { manifest, languagesManifest, live, state, collection, blocks };
}

/** Records the postings, some in each commit; returns how many are recorded, or null once all are. */
export async function postLanguages(
  { content: { context }, compute }: Publishing,
  { payload, cursor, operation }: PostingWork,
  source: PostingSource | null,
): Promise<number | null> {
  const { languages: changed } = payload;
  if (changed === undefined || source?.languagesManifest === undefined) return null;
  const { languagesManifest: manifest, live, state, collection, blocks } = source;
  const done = cursor ?? 0;
  const codes = languagesShowing(collection, changed);
  const postings = languagePostings(collection, state, blocks, codes);
  let posted = 0;
  let total = 0;
  for (;;) {
    const { value: one } = await compute.run(() => postings.next());
    if (one === undefined) break;
    if (posted++ < done) continue;
    const bytes = encodePosting(one.collectionId, one.terms);
    if (total > 0 && total + bytes.length > POSTED_BYTES_MAX) return posted - 1;
    if (total === 0) {
      operation.check(live);
      requestSearchCompactionSometimes(operation, context);
    }
    recordPosting(operation, manifest, one, { keys: LANGUAGES, bytes });
    total += bytes.length;
  }
  return null;
}
