/**
 * Authors of a source whom the plan maps to documents or users of this site.
 *
 * @module
 */
import type { Context } from "../../../kv/context.ts";
import { currentKey } from "../../../kv/keys.ts";
import {
  type Plan,
  type PlanCollection,
  referredSlugs,
  targetSlug,
} from "../../../kv/model/transfers/plan.ts";
import type { Detail } from "../../../kv/refusals.ts";
import type { CurrentRow } from "../../../kv/versioning/entities.ts";

/** What authors of a source are mapped to, by their ids in the source. */
export interface SourceAuthors {
  /** Documents that take the place of theirs. */
  documents: ReadonlyMap<string, string>;
  /** Users whose documents theirs become. */
  users: ReadonlyMap<string, string>;
  /** Ids of the mapping that are neither. */
  unknown: readonly string[];
}

/** Finds what the authors of a plan are mapped to. */
export async function findAuthors(
  { store }: Context,
  { authors: { mapping } }: Pick<Plan, "authors">,
): Promise<SourceAuthors> {
  const documents = new Map<string, string>();
  const users = new Map<string, string>();
  const unknown: string[] = [];
  const mapped = Object.entries(mapping).filter((one): one is [string, string] => one[1] !== null);
  if (mapped.length === 0) return { documents, users, unknown };
  const rows = await store.getMany(
    mapped.flatMap(([, id]) => [currentKey("document", id), currentKey("user", id)]),
  );
  const isLiving = (index: number) => {
    const { value } = rows[index] as { value: CurrentRow | null };
    return value !== null && !value.gone;
  };
  for (const [index, [author, id]] of mapped.entries()) {
    if (isLiving(2 * index)) documents.set(author, id);
    else if (isLiving(2 * index + 1)) users.set(author, id);
    else unknown.push(author);
  }
  return { documents, users, unknown };
}

/** The problems of a plan's authors: ids that neither a document nor a user has. */
export async function authorDetails(context: Context, plan: Plan): Promise<Detail[]> {
  const { unknown } = await findAuthors(context, plan);
  return unknown.map((author) => ({
    field: `plan.authors.mapping.${author}`,
    code: "INVALID_REFERENCE",
    message: "No document and no user has this ID",
  }));
}

/** The paths of the columns that name the authors of rows. */
export function authorPaths(
  { fields }: PlanCollection,
  { authors: { collection } }: Pick<Plan, "authors">,
): string[] {
  if (collection === null) return [];
  return fields.filter((field) => referredSlugs(field).includes(collection))
    .map(({ from }) => from);
}

/** The document that a row of the collection of authors is mapped to; null if it has a document of its own. */
export function mappedAuthor(
  authors: SourceAuthors,
  plan: Pick<Plan, "authors">,
  collection: PlanCollection,
  sourceId: string,
): string | null {
  if (targetSlug(collection) !== plan.authors.collection) return null;
  return authors.documents.get(sourceId) ?? null;
}
