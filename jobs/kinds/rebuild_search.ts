/**
 * REBUILD_SEARCH: rebuilds the full-text index from the documents. The setup run leaves an index alone
 * that holds something; the forced run does not.
 *
 * @module
 */
import type { Content } from "../../kv/documents/content.ts";
import { type CurrentRow, readHead } from "../../kv/versioning/entities.ts";
import { currentKey, currentPrefix } from "../../kv/keys.ts";
import { STATUSES } from "../../kv/model/entities/document.ts";
import {
  type DocumentSource,
  isSearchPopulated,
  stepRebuild,
} from "../../kv/search/segments/rebuild.ts";
import { again, finish, type JobKind, jobKind, next } from "../runner/job_kind.ts";

/** The kind of job that rebuilds the search index. */
export function rebuildSearchKind(content: Content): JobKind<"REBUILD_SEARCH"> {
  const { store } = content.context;
  return jobKind("REBUILD_SEARCH", {
    check: async ({ payload }) => {
      if (payload.force || !await isSearchPopulated(store)) return next();
      return finish({ note: "The index is already populated" });
    },
    count: async () => next(await countDocuments(content)),
    rebuild: async ({ context, cursor, results }) => {
      // The job of a name keeps its id, and each of its runs is a rebuild of its own.
      const rebuildId = typeof cursor === "string" ? cursor : context.newId(context.now());
      const { isDone, done } = await stepRebuild(context, documentSource(content), rebuildId);
      const total = Math.max(results.count ?? 0, done);
      return isDone ? next({ documents: done }) : again(rebuildId, { done, total });
    },
  });
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
