/**
 * `GET /api/v1/search`: public full-text search over the published documents of exposed collections.
 *
 * @module
 */
import { parseSearchWords } from "../../query/search_words.ts";
import { type Context as HttpContext, Hono } from "@hono/hono";
import { SEARCH_COLLECTIONS_MAX, SEARCH_PER_PAGE_MAX } from "../../../kv/limits/requests.ts";
import type { Schema } from "../../../kv/model/entities/collection.ts";
import { type Detail, Refusal } from "../../../kv/refusals.ts";
import type { SearchAnswer } from "../../../kv/search/search_index.ts";
import { sha256 } from "../../../kv/model/values/sha256.ts";
import { partsOfSearched } from "../../../kv/search/languages/searched_id.ts";
import { countAddress } from "../../middleware/address_quota.ts";
import type { Deps } from "../../deps/deps.ts";
import { isFresh } from "./etag.ts";
import { type Paging, parsePaging } from "../../query/paging.ts";
import { parameterInvalid, refuseMisspelled } from "../../query/parameters.ts";
import { type SearchedLanguages, searchedLanguages } from "./search_languages.ts";
import { respond, type V1Headers } from "../respond.ts";

/** The only facet of a search. */
export const SEARCH_FACET = "collection";
const SEARCH_PARAMETERS = ["q", "collection", "page", "perPage", "exact", "facets"] as const;

/** `/search`, below `/api/v1`; it takes no token and counts against the client's address. */
export function searchRoutes(deps: Deps): Hono {
  return new Hono().get("/search", (http: HttpContext) =>
    respond(deps, http, async (headers) => {
      headers["access-control-allow-origin"] = "*";
      headers["access-control-expose-headers"] =
        "Location, ETag, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id";
      await countAddress(deps, http, headers);
      return await search(deps, http, headers);
    }));
}

async function search(deps: Deps, http: HttpContext, headers: V1Headers): Promise<Response> {
  const startedAt = performance.now();
  const query = new URL(http.req.url).searchParams;
  const paging = parsePaging(query, SEARCH_PER_PAGE_MAX);
  const { text, slugs, exact, counts } = parseSearch(query);
  const [schema, index] = await Promise.all([
    deps.content.schema.current(),
    deps.search.open({ languages: query.has("language") }),
  ]);
  refuseMisspelled(query.keys(), [
    ...SEARCH_PARAMETERS,
    ...schema.languages ? ["language"] : [],
  ]);
  const collectionIds = searchedCollections(schema, slugs);
  const request = { text, collectionIds, ...paging, exact, counts, schema };
  const asked = query.getAll("language");
  const languages = await searchedLanguages(deps, schema, collectionIds, asked, index);
  if (languages === null) {
    const answer = await deps.search.search(request, index);
    return respondWith(http, headers, { ...request, languages }, answer, startedAt);
  }
  const { shown, inLanguages, collectionIds: searched, code } = languages;
  const opened = code === undefined ? index : await deps.search.shownIn(index, code);
  const answer = await deps.search.search({
    ...request,
    collectionIds: searched,
    ...(shown && { shown }),
    ...(inLanguages && { inLanguages }),
  }, opened);
  return respondWith(http, headers, { ...request, languages }, answer, startedAt);
}

/** The parameters of a search, apart from the page. */
interface SearchParameters {
  text: string;
  slugs: string[];
  exact: boolean;
  counts: boolean;
}

/** Parses `q`, `collection`, `exact` and `facets`. */
function parseSearch(query: URLSearchParams): SearchParameters {
  const [exact = "false", ...others] = query.getAll("exact");
  if ((exact !== "true" && exact !== "false") || others.length > 0) {
    throw parameterInvalid("exact must be true or false, and given only once");
  }
  const facets = query.getAll("facets").flatMap((names) => names.split(","));
  const unfit = facets.find((name) => name !== SEARCH_FACET);
  if (unfit !== undefined) {
    throw new Refusal("FACET_INVALID", {
      about: `${unfit || "an empty name"}; search supports only ${SEARCH_FACET}`,
    });
  }
  const details: Detail[] = [];
  const refuse = (field: string, code: Detail["code"], message: string) =>
    details.push({ field, code, message });
  const words = parseSearchWords(query.getAll("q"));
  const slugs = query.getAll("collection");
  const text = "text" in words ? words.text : "";
  if (!("text" in words)) refuse("q", words.code, words.message);
  if (slugs.length > SEARCH_COLLECTIONS_MAX) {
    refuse("collection", "TOO_LONG", `Must name at most ${SEARCH_COLLECTIONS_MAX} collections`);
  }
  if (details.length > 0) throw new Refusal("VALIDATION_FAILED", { details });
  // Forms send an empty value for "any".
  return {
    text,
    slugs: slugs.filter((slug) => slug !== ""),
    exact: exact === "true",
    counts: facets.length > 0,
  };
}

/** The exposed ones of the named collections, or of all; a slug that is none names nothing. */
function searchedCollections({ collections, bySlug }: Schema, slugs: readonly string[]): string[] {
  const named = slugs.length === 0
    ? collections
    : [...new Set(slugs)].flatMap((slug) => bySlug.get(slug) ?? []);
  return named.filter(({ exposed }) => exposed).map(({ id }) => id);
}

function respondWith(
  http: HttpContext,
  headers: V1Headers,
  { schema: { byId, languages: site }, page, perPage, counts: isCounted, languages }: Paging & {
    schema: Schema;
    counts: boolean;
    languages: SearchedLanguages | null;
  },
  { total, corrected, counts, hits }: SearchAnswer,
  startedAt: number,
): Response {
  const results = JSON.stringify(hits.map(({ documentId, collectionId, title, snippet, rank }) => {
    const searched = partsOfSearched(collectionId);
    const collectionSlug = byId.get(searched.collectionId)?.slug;
    const _language = searched.language ?? site?.original;
    const shown = languages === null ? {} : { _language };
    return { documentId, collectionSlug, title, snippet, rank, ...shown };
  }));
  const facts = {
    page,
    perPage,
    total,
    ...(corrected !== undefined && { corrected }),
    ...(languages?.isCutOff && { incomplete: true }),
    ...(isCounted && { facets: { [SEARCH_FACET]: facetOf(byId, counts) } }),
  };
  // Weak, because `took_ms` differs between equal results.
  const tag = `"${sha256(results, JSON.stringify(facts)).slice(0, 32)}"`;
  const common = { ...headers, "etag": `W/${tag}`, "cache-control": "public, max-age=60" };
  if (isFresh(http.req.header("if-none-match") ?? null, tag)) {
    return new Response(null, { status: 304, headers: common });
  }
  const took_ms = Math.round((performance.now() - startedAt) * 100) / 100;
  const meta = JSON.stringify({ ...facts, took_ms });
  return new Response(`{"data":${results},"meta":${meta}}`, {
    headers: { ...common, "content-type": "application/json" },
  });
}

/** The number of results per collection, largest first. */
function facetOf(
  byId: Schema["byId"],
  counts: ReadonlyMap<string, number>,
): { value: string; count: number }[] {
  const slugs = new Map<string, number>();
  for (const [id, count] of counts) {
    const { collectionId } = partsOfSearched(id);
    const slug = byId.get(collectionId)?.slug ?? collectionId;
    slugs.set(slug, (slugs.get(slug) ?? 0) + count);
  }
  return [...slugs].map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}
