/**
 * The postings of a document in the languages that a change concerns. What a change takes off the public is removed
 * from search by the commit of the change itself.
 *
 * @module
 */
import { currentKey, schemaKey } from "../../kv/keys.ts";
import { requestSearchCompactionSometimes } from "../../kv/search/delta/search_requests.ts";
import { languagePostings, languagesShowing } from "../../kv/search/languages/language_posting.ts";
import { LANGUAGES } from "../../kv/search/search_keys.ts";
import { encodePosting, recordPosting } from "../../kv/search/segments/posting.ts";
import type { Entry } from "../../kv/store/operation.ts";
import type { CurrentRow } from "../../kv/versioning/entities.ts";
import { POSTED_BYTES_MAX } from "../limits.ts";
import type { Work } from "../runner/job_kind.ts";
import type { Publishing } from "./publishing.ts";

/** What is needed of a step: its cursor is the number of postings that are recorded already. */
type PostingWork = Pick<
  Work<"PUBLISH", "search"> | Work<"UNPUBLISH", "listings">,
  "payload" | "cursor" | "operation"
>;

/** Records the postings, some in each commit; returns how many are recorded, or null once all are. */
export async function postLanguages(
  { content: { context, schema }, reader, compute }: Publishing,
  { payload, cursor, operation }: PostingWork,
): Promise<number | null> {
  const { documentId, collectionId, languages: changed } = payload;
  if (changed === undefined) return null;
  const [manifest, schemaEntry, live] = await context.store.getMany([
    LANGUAGES.manifest,
    schemaKey,
    currentKey("document", documentId),
  ]) as [Entry, Entry, Entry<CurrentRow>];
  const { byId, blocks } = await schema.at(schemaEntry);
  const collection = byId.get(collectionId);
  const state = (await reader.ofEntry(documentId, live))?.state;
  const done = cursor ?? 0;
  if (state === undefined || collection === undefined) return null;
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
