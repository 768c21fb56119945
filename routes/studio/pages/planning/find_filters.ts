/**
 * The filters of the palette: `in:posts` limits results to a collection, `@ada` to the documents that a person
 * created.
 *
 * @module
 */
import type { Collection } from "../../../../kv/model/entities/collection.ts";
import { FILTER_SUGGESTIONS_MAX } from "../../../input/limits.ts";

/** A person whose documents can be found. */
export interface Person {
  id: string;
  displayName: string;
}

/** What the query of the palette asks for. */
export interface FindQuery {
  /** The words outside of filters. */
  text: string;
  /** The value of the last `in:`; null without one. */
  collection: string | null;
  /** The value of the last `@`; null without one. */
  person: string | null;
}

/** A completion of the filter at the end of a query. */
export interface Suggestion {
  /** The filter: "in:posts", "@ada-lovelace". */
  label: string;
  /** The query with the filter completed. */
  fill: string;
  /** The name of the collection or the person. */
  name: string;
  kind: "collection" | "person";
}

/** Reads the filters out of a query. */
export function parseFindQuery(query: string): FindQuery {
  const words = query.trim().split(/\s+/);
  const valueOf = (prefix: string) =>
    words.findLast((word) => hasPrefix(word, prefix))?.slice(prefix.length) ?? null;
  return {
    text: words.filter((word) => !isFilter(word)).join(" "),
    collection: valueOf("in:"),
    person: valueOf("@"),
  };
}

function isFilter(word: string): boolean {
  return hasPrefix(word, "in:") || hasPrefix(word, "@");
}

function hasPrefix(word: string, prefix: string): boolean {
  return word.slice(0, prefix.length).toLowerCase() === prefix;
}

/** The collection with this slug, or those whose slug or name starts with the value. */
export function collectionsNamed<T extends Pick<Collection, "slug" | "name">>(
  value: string,
  collections: readonly T[],
): T[] {
  const wanted = handleOf(value);
  const exact = collections.find(({ slug }) => slug === wanted);
  if (exact !== undefined) return [exact];
  return collections.filter(({ slug, name }) =>
    slug.startsWith(wanted) || handleOf(name).startsWith(wanted)
  );
}

/** The person with this handle, or those of whom a name starts with the value. */
export function peopleNamed(value: string, people: readonly Person[]): Person[] {
  const wanted = handleOf(value);
  const exact = people.filter(({ displayName }) => handleOf(displayName) === wanted);
  if (exact.length > 0) return exact;
  return people.filter(({ displayName }) => {
    const handle = handleOf(displayName);
    return handle.startsWith(wanted) || handle.split("-").some((name) => name.startsWith(wanted));
  });
}

/** Completions of the filter that a query ends with; none if it is complete. */
export function suggestFilters(
  query: string,
  collections: readonly Pick<Collection, "slug" | "name">[],
  people: readonly Person[],
): Suggestion[] {
  const last = /\S+$/.exec(query)?.[0] ?? "";
  const before = query.slice(0, query.length - last.length);
  const complete = (
    kind: Suggestion["kind"],
    named: readonly (readonly [label: string, name: string])[],
  ) =>
    named.some(([label]) => label === last.toLowerCase()) ? [] : named
      .slice(0, FILTER_SUGGESTIONS_MAX)
      .map(([label, name]) => ({ label, name, kind, fill: `${before}${label} ` }));
  if (hasPrefix(last, "in:")) {
    const named = collectionsNamed(last.slice("in:".length), collections);
    return complete("collection", named.map(({ slug, name }) => [`in:${slug}`, name]));
  }
  if (hasPrefix(last, "@")) {
    const named = peopleNamed(last.slice("@".length), people);
    return complete(
      "person",
      named.map(({ displayName }) => [`@${handleOf(displayName)}`, displayName]),
    );
  }
  return [];
}

/** A name as a filter has it: lower case, without accents, with hyphens for spaces. */
function handleOf(name: string): string {
  return name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim().replace(/\s+/g, "-");
}
