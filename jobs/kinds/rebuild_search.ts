/**
 * REBUILD_SEARCH: rebuilds the full-text indexes from the documents: that of originals, and that of languages if the
 * site has several. The setup run leaves an index alone that holds something; the forced run does not.
 *
 * @module
 */
import type { Content } from "../../kv/documents/content.ts";
import { type CurrentRow, readHead } from "../../kv/versioning/entities.ts";
import { currentKey, currentPrefix } from "../../kv/keys.ts";
import { STATUSES } from "../../kv/model/entities/document.ts";
import type { Schema } from "../../kv/model/entities/collection.ts";
import { languagePostings } from "../../kv/search/languages/language_posting.ts";
import { languageStamp } from "../../kv/search/languages/language_stamp.ts";
import { LANGUAGES } from "../../kv/search/search_keys.ts";
import {
  type DocumentSource,
  isSearchPopulated,
  type RebuiltIndex,
  stepRebuild,
} from "../../kv/search/segments/rebuild.ts";
import { again, finish, type JobKind, jobKind, next, nextUncommitted } from "../runner/job_kind.ts";

/** The kind of job that rebuilds the search index. */
export function rebuildSearchKind(content: Content): JobKind<"REBUILD_SEARCH"> {
  const { store } = content.context;
  return jobKind("REBUILD_SEARCH", {
    check: async ({ payload }) => {
      if (payload.force || !await isSearchPopulated(store)) return next();
      return finish({ note: "The index is already populated" });
    },
    count: async () => next(await countDocuments(content)),
    rebuild: async ({ context, cursor, results, payload }) => {
      if (payload.languages) return nextUncommitted({ documents: 0 });
      // The job of a name keeps its id, and each of its runs is a rebuild of its own.
      const rebuildId = typeof cursor === "string" ? cursor : context.newId(context.now());
      const { isDone, done } = await stepRebuild(context, documentSource(content), rebuildId);
      const total = Math.max(results.count ?? 0, done);
      return isDone ? nextUncommitted({ documents: done }) : again(rebuildId, { done, total });
    },
    languages: async ({ context: { store, now, newId }, cursor, results, payload }) => {
      const { languages } = await content.schema.latest();
      if (languages === undefined && !payload.languages) return next({ documents: 0 });
      const { index } = await languagesIndex(content);
      const rebuildId = typeof cursor === "string" ? cursor : newId(now());
      const keyed = { store, now, newId, keys: LANGUAGES };
      const source = documentSource(content);
      const progress = await stepRebuild(keyed, source, rebuildId, undefined, index);
      const { isDone, done } = progress;
      const total = Math.max(results.count ?? 0, done);
      if (isDone && progress.isAbandoned) return again(newId(now()), { done: 0, total });
      return isDone ? next({ documents: done }) : again(rebuildId, { done, total });
    },
  });
}

/** What becomes the index of languages under the present schema. */
export async function languagesIndex(
  content: Content,
): Promise<{ schema: Schema; index: RebuiltIndex }> {
  const schema = await content.schema.current();
  const index: RebuiltIndex = {
    builtFor: languageStamp(schema),
    postingsOf: ({ state }) => {
      const collection = schema.byId.get(state.collectionId);
      return collection === undefined ? [] : languagePostings(collection, state, schema.blocks);
    },
  };
  return { schema, index };
}

/** How many documents there are, for the progress: the list index knows without reading them. */
async function countDocuments({ schema, index }: Content): Promise<number> {
  const { collections } = await schema.current();
  const page = await index.list({
    collections,
    statuses: STATUSES,
    sort: [{ by: "createdAt", descending: true }],
    offset: 0,
    limit: 0,
  });
  return page.total;
}

/** The documents of the site in order of id. */
export function documentSource({ context, schema }: Content): DocumentSource {
  return async function readDocuments(cursor, limit) {
    const prefix = currentPrefix("document");
    const range = cursor === null ? { prefix } : { prefix, start: afterKey(cursor) };
    const [entries, { byId, blocks }] = await Promise.all([
      context.store.listAll<CurrentRow>(range, { limit }),
      schema.current(),
    ]);
    const heads = await Promise.all(entries.map((entry) => {
      const id = entry.key.at(-1) as string;
      return readHead(context, "document", id, entry.key, entry);
    }));
    const documents = heads.flatMap(({ state }) => {
      const document = state;
      const collection = document === null ? undefined : byId.get(document.collectionId);
      return document === null || collection === undefined
        ? []
        : [{ state: document, collection, blocks }];
    });
    const last = entries.at(-1)?.key.at(-1) as string | undefined;
    return { documents, cursor: entries.length < limit ? null : last ?? null };
  };
}

/** The first key behind a document's. */
function afterKey(documentId: string) {
  return [...currentKey("document", documentId), 0];
}
