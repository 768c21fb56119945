/**
 * Links to the documents of a result: as Markdown for agents, in the API, and on the public site.
 *
 * @module
 */
import type { ResourceLink } from "@modelcontextprotocol/sdk/types.js";
import { documentPath, siteFacts } from "../../jobs/render/site_facts.ts";
import { hasPages } from "../../kv/model/entities/collection.ts";
import { isUlid } from "../../kv/model/values/ulid.ts";
import type { Deps } from "../deps/deps.ts";
import type { BearerCall } from "../v1/bearer/bearer_call.ts";

/** A document that a result names. */
interface NamedDocument {
  id: string;
  title: string;
  /** Slug of its collection. */
  collection: string;
}

/** The links of a result's documents, each followed by its public page if it has one. */
export async function documentLinks(
  deps: Deps,
  call: BearerCall,
  json: unknown,
  asked: unknown,
): Promise<ResourceLink[]> {
  const documents = namedDocuments(json, asked);
  const pages = await publicPages(deps, call, documents);
  return documents.flatMap(({ id, title, collection }): ResourceLink[] => {
    const page = pages.get(id);
    return [
      {
        type: "resource_link",
        uri: `content://${collection}/${id}`,
        name: title,
        description: `/api/v1/${collection}/${id}`,
        mimeType: "text/markdown",
      },
      ...(page === undefined ? [] : [{
        type: "resource_link" as const,
        uri: page,
        name: title,
        description: "Public page",
        mimeType: "text/html",
      }]),
    ];
  });
}

// deno-lint-ignore no-explicit-any
function namedDocuments(json: any, asked: unknown): NamedDocument[] {
  const documents: unknown[] = Array.isArray(json?.data) ? json.data : [json?.document ?? json];
  return documents.flatMap((one): NamedDocument[] => {
    if (typeof one !== "object" || one === null) return [];
    const { documentId, collectionSlug, ...rest } = one as Record<string, unknown>;
    const { id = documentId, title, collection = collectionSlug ?? asked } = rest;
    if (!isUlid(id) || typeof title !== "string" || typeof collection !== "string") return [];
    return [{ id, title, collection }];
  });
}

/** The public address of each document that is published and has a page, by id. */
async function publicPages(
  { reader, settings, baseUrl }: Deps,
  { schema }: BearerCall,
  documents: readonly NamedDocument[],
): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  if (documents.length === 0) return pages;
  const { url } = siteFacts(await settings.all(), baseUrl);
  if (url === "") return pages;
  for await (const { state } of reader.each(documents.map(({ id }) => id))) {
    const collection = schema.byId.get(state.collectionId);
    if (collection === undefined || !hasPages(collection) || state.status !== "published") continue;
    pages.set(state.id, url + documentPath(collection, state.slug));
  }
  return pages;
}
