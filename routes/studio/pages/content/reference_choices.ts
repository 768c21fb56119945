/**
 * The filter choices of a reference field.
 *
 * @module
 */
import type { Collection } from "../../../../kv/model/entities/collection.ts";
import { STATUSES } from "../../../../kv/model/entities/document.ts";
import type { Deps } from "../../../deps/deps.ts";
import { REFERENCE_CHOICES_MAX } from "../../../input/limits.ts";
import type { Visit } from "../../serving/studio_env.ts";
import { targetSlugs } from "../../../../kv/model/fields/reference_target.ts";
import { FIELD_FACETS } from "../../controls/field_facets.tsx";

/** Ids and titles by the name of the field. */
export type ReferenceChoices = ReadonlyMap<
  string,
  readonly (readonly [id: string, title: string])[]
>;

/** The choices of every filterable reference field: the first documents by title and the one in the URL. */
export async function findReferenceChoices(
  { content, reader }: Pick<Deps, "content" | "reader">,
  collection: Collection | null,
  { readable, documents: rights }: Pick<Visit, "readable" | "documents">,
  params: URLSearchParams,
): Promise<ReferenceChoices> {
  const fields = (collection?.fields ?? []).filter(({ indexed, type }) =>
    indexed && FIELD_FACETS[type].filter === "document"
  );
  const found = fields.map(async ({ name, options }) => {
    const slugs = targetSlugs(options);
    const listed = await content.index.list({
      collections: readable.filter(({ slug }) => slugs.length === 0 || slugs.includes(slug)),
      statuses: STATUSES.filter((status) => status !== "trashed"),
      sort: [{ by: "title", descending: false }],
      offset: 0,
      limit: REFERENCE_CHOICES_MAX,
    });
    const documents = await reader.ofPage(listed);
    const chosen = params.get(`field.${name}`);
    if (chosen !== null && documents.every(({ state }) => state.id !== chosen)) {
      const found = await reader.find(chosen);
      if (found !== null && rights.on("read", found.state)) documents.push(found);
    }
    return [
      name,
      documents.map(({ state }) => [state.id, state.title || "Untitled"] as const),
    ] as const;
  });
  return new Map(await Promise.all(found));
}
