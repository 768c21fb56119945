/**
 * The tools that agents are given. Each asks the headless API in the name of the token; nothing becomes
 * public unless `publish` says so.
 *
 * @module
 */
import { z } from "zod";
import { patchWorkingCopy } from "../../kv/documents/working_copy.ts";
import { publishDocument } from "../../kv/documents/status.ts";
import { MCP_PER_PAGE_DEFAULT, PER_PAGE_MAX, SEARCH_PER_PAGE_MAX } from "../../kv/limits.ts";
import type { Collection } from "../../kv/model/collection.ts";
import { workingWire } from "../../kv/model/document_wire.ts";
import type { Json } from "../../kv/model/entity.ts";
import { type Action, allows, allowsMedia, visibleStatuses } from "../../kv/model/scope.ts";
import { parseBody } from "../../kv/model/zod_details.ts";
import { Refusal } from "../../kv/refusals.ts";
import type { Deps } from "../deps.ts";
import { asRefusal, errorOf } from "../refusal_response.ts";
import type { BearerCall } from "../v1/bearer.ts";
import { actorOf } from "../v1/collection_call.ts";
import { collectionSchemas } from "../v1/openapi/collection_schemas.ts";
import { collectionNames } from "../v1/openapi/names.ts";
import type { AskApi, InnerAnswer } from "./inner_api.ts";

/** What a tool works with. */
export interface ToolSurroundings {
  deps: Deps;
  call: BearerCall;
  ask: AskApi;
}

/** A tool: what it takes, what it is for, and who may use it. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  input: z.ZodRawShape;
  /**
   * The action that one of the token's scopes must allow somewhere, or that it must allow on media; null
   * where anybody may.
   */
  action: Action | "media:write" | null;
  readOnly: boolean;
  // deno-lint-ignore no-explicit-any
  run(around: ToolSurroundings, input: any): Promise<InnerAnswer>;
}

const collection = z.string().describe("Slug of the collection");
const id = z.string().optional().describe("Id of the document");
const slug = z.string().optional().describe("Slug of the document, instead of its id");
const body = z.record(z.string(), z.json()).describe(
  "Members of the document: title, slug and field values, as describe_collection tells",
);
const publish = z.boolean().default(false).describe(
  "Whether the result becomes public at once; only when the person has asked for it",
);
const filter = z.union([z.record(z.string(), z.json()), z.string()]).optional().describe(
  'Conditions as JSON: {"rating": {"gte": 4}, "or": [{"category": "news"}, …]}',
);

/** Every tool. */
export const TOOLS: readonly Tool[] = [
  {
    name: "list_collections",
    title: "List collections",
    description: "The collections that this token may read or write. Begin here.",
    input: {},
    action: null,
    readOnly: true,
    run: ({ call }) => Promise.resolve(answered({ collections: seenCollections(call) })),
  },
  {
    name: "describe_collection",
    title: "Describe a collection",
    description: "The fields of a collection with their types and bounds, as JSON Schema.",
    input: { collection },
    action: null,
    readOnly: true,
    run: ({ call }, input) => Promise.resolve(describe(call, input.collection)),
  },
  {
    name: "query_documents",
    title: "Find documents by their values",
    description: "Documents of a collection by filter, sort and page; totals are exact.",
    input: {
      collection,
      filter,
      sort: z.string().optional().describe("Field names joined by commas; - before one descends"),
      fields: z.string().optional().describe("Only these members, joined by commas"),
      q: z.string().optional().describe("Words to search for among them"),
      limit: z.int().min(1).max(PER_PAGE_MAX).default(MCP_PER_PAGE_DEFAULT),
      cursor: z.string().optional().describe("meta.nextCursor of the answer before"),
    },
    action: "read",
    readOnly: true,
    run: ({ ask, call }, { collection, filter, sort, fields, q, limit, cursor }) =>
      ask(call, {
        path: pathOf(collection),
        query: {
          filter: typeof filter === "object" ? JSON.stringify(filter) : filter,
          sort,
          fields,
          q,
          perPage: limit,
          cursor: cursor ?? "",
        },
      }),
  },
  {
    name: "get_document",
    title: "Read a document",
    description: "One document by its id or slug.",
    input: { collection, id, slug },
    action: "read",
    readOnly: true,
    run: ({ ask, call }, input) => ask(call, { path: documentPath(input) }),
  },
  {
    name: "search",
    title: "Search what is published",
    description: "Full-text search over published documents, with snippets, best first.",
    input: {
      q: z.string().describe("2 to 100 characters"),
      collection: z.string().optional().describe("Only this collection"),
      limit: z.int().min(1).max(SEARCH_PER_PAGE_MAX).default(10),
    },
    action: "read",
    readOnly: true,
    run: ({ ask, call }, { q, collection, limit }) =>
      ask(call, { path: "/search", query: { q, collection, perPage: limit } }),
  },
  {
    name: "get_history",
    title: "Read the history of a document",
    description: "The versions of a document, newest first; with n that version itself.",
    input: { collection, id: z.string(), n: z.int().min(1).optional() },
    action: "read-history",
    readOnly: true,
    run: async ({ ask, call }, { collection, id, n }) => {
      const path = pathOf(collection, id);
      const answer = await ask(call, {
        path: `${path}/versions${n === undefined ? "" : `/${n}`}`,
      });
      if (!answer.ok || n !== undefined) return answer;
      return answered({ id, address: `/api/v1${path}`, ...answer.json });
    },
  },
  {
    name: "create_document",
    title: "Create a document",
    description: "A new document: a draft, unless publish is true.",
    input: { collection, body, publish },
    action: "write",
    readOnly: false,
    run: ({ ask, call }, { collection, body, publish }) =>
      ask(call, {
        method: "POST",
        path: pathOf(collection),
        body: { ...body, status: publish ? "published" : "draft" },
      }),
  },
  {
    name: "update_document",
    title: "Change a document",
    description:
      "Changes the members given. Of a published document it prepares the change as its working " +
      "copy, for people to look at and publish, unless publish is true.",
    input: { collection, id, slug, body, publish },
    action: "write",
    readOnly: false,
    run: update,
  },
  {
    name: "trash_document",
    title: "Move a document to the trash",
    description: "Takes a document out of the collection; people can bring it back.",
    input: { collection, id: z.string() },
    action: "write",
    readOnly: false,
    run: async ({ ask, call }, { collection, id }) => {
      const answer = await ask(call, { method: "DELETE", path: pathOf(collection, id) });
      return answer.ok
        ? answered({ done: true, id, collection, address: `/api/v1${pathOf(collection, id)}` })
        : answer;
    },
  },
  {
    name: "validate_document",
    title: "Check a document without writing it",
    description: "What would be written, or everything that would be refused.",
    input: { collection, id, body, publish },
    action: "write",
    readOnly: true,
    run: ({ ask, call }, { collection, id, body, publish }) =>
      ask(call, {
        method: id === undefined ? "POST" : "PATCH",
        path: pathOf(collection, id),
        query: { dryRun: true },
        body: id === undefined ? { ...body, status: publish ? "published" : "draft" } : body,
      }),
  },
  {
    name: "upload_media",
    title: "Add an image from the web",
    description:
      "Fetches an image from a public address into the media library; its id can be the " +
      "value of media fields.",
    input: {
      url: z.string().describe("https address of the image"),
      alt: z.string().optional().describe("What the image shows, for people who do not see it"),
      filename: z.string().optional(),
    },
    action: "media:write",
    readOnly: false,
    run: ({ ask, call }, { url, alt, filename }) =>
      ask(call, {
        method: "POST",
        path: "/media",
        body: {
          url,
          ...(alt !== undefined && { alt }),
          ...(filename !== undefined && { filename }),
        },
      }),
  },
];

/** Whether a token may use a tool anywhere. */
export function mayUse({ token, schema }: BearerCall, { action }: Tool): boolean {
  if (action === null) return true;
  if (action === "media:write") return allowsMedia(token.scopes, "write");
  return schema.collections.some(({ slug, exposed }) =>
    exposed &&
    (action === "read"
      ? visibleStatuses(token.scopes, slug).length > 0
      : allows(token.scopes, slug, action))
  );
}

async function update(
  around: ToolSurroundings,
  { collection, id, slug, body, publish }: {
    collection: string;
    id?: string;
    slug?: string;
    body: Record<string, Json>;
    publish: boolean;
  },
): Promise<InnerAnswer> {
  const { deps, call, ask } = around;
  requireWrite(call, collection);
  const found = await target(around, collection, id, slug);
  const actor = actorOf(call);
  if (found.status === "published" && !publish) {
    const stored = await patchWorkingCopy(deps.content, actor, found.id, body);
    const current = await deps.content.schema.latest();
    const wire = workingWire(stored.state, current.byId.get(stored.state.collectionId)!);
    return answered({ workingCopy: true, document: wire as Json });
  }
  const path = pathOf(collection, found.id);
  const patched = await ask(call, { method: "PATCH", path, body });
  if (!patched.ok || !publish || found.status === "published") return patched;
  await publishDocument(deps.content, actor, found.id);
  return await ask(call, { path });
}

function requireWrite({ token }: BearerCall, slug: string): void {
  if (!allows(token.scopes, slug, "write")) throw new Refusal("FORBIDDEN");
}

/** The document that a write is about; write scope is enough to find it, whatever its status. */
async function target(
  { deps, call }: ToolSurroundings,
  collection: string,
  id: string | undefined,
  slug: string | undefined,
): Promise<{ id: string; status: string }> {
  const found = exposed(call, collection);
  const stored = id !== undefined
    ? await deps.reader.find(id)
    : await deps.reader.findBySlug(found.id, slug ?? "");
  if (stored === null || stored.state.collectionId !== found.id) throw new Refusal("NOT_FOUND");
  return { id: stored.state.id, status: stored.state.status };
}

function exposed({ schema }: BearerCall, slug: string): Collection {
  const found = schema.bySlug.get(slug);
  if (found === undefined || !found.exposed) throw new Refusal("COLLECTION_NOT_FOUND");
  return found;
}

function seenCollections({ token, schema }: BearerCall): Json {
  return schema.collections
    .filter(({ exposed }) => exposed)
    .map(({ slug, name, description }) => ({
      slug,
      name,
      description,
      address: `/api/v1/${slug}`,
      read: visibleStatuses(token.scopes, slug).length > 0,
      write: allows(token.scopes, slug, "write"),
    }))
    .filter(({ read, write }) => read || write);
}

function describe(call: BearerCall, slug: string): InnerAnswer {
  const found = exposed(call, slug);
  const names = collectionNames(call.schema.collections).get(slug)!;
  const schemas = collectionSchemas(found, names);
  return answered({
    slug,
    name: found.name,
    description: found.description,
    address: `/api/v1/${slug}`,
    create: schemas[`${names.one}Create`] as Json,
    document: schemas[names.one] as Json,
  });
}

/** The path of what the parts name; nothing has an empty name, or one that addresses take for a step up. */
function pathOf(...parts: (string | undefined)[]): string {
  if (parts.some((part) => part !== undefined && /^\.{0,2}$/.test(part))) {
    throw new Refusal("NOT_FOUND");
  }
  return parts.filter((part) => part !== undefined)
    .map((part) => `/${encodeURIComponent(part)}`).join("");
}

function documentPath(
  { collection, id, slug }: { collection: string; id?: string; slug?: string },
): string {
  if (id !== undefined) return pathOf(collection, id);
  if (slug === undefined) throw new Refusal("PARAMETER_INVALID", { about: "an id or a slug" });
  return pathOf(collection, "by-slug", slug);
}

function answered(json: Json): InnerAnswer {
  return { ok: true, json };
}

/** Calls the tool of a name; what is refused is an answer too, with the service's own error. */
export async function callTool(
  around: ToolSurroundings,
  name: string,
  given: Record<string, unknown>,
): Promise<InnerAnswer> {
  try {
    const tool = TOOLS.find((one) => one.name === name);
    if (tool === undefined) throw new Refusal("NOT_FOUND", { about: "there is no such tool" });
    if (!mayUse(around.call, tool)) throw new Refusal("FORBIDDEN");
    return await tool.run(around, parseBody(z.object(tool.input), given));
  } catch (error) {
    return { ok: false, json: { error: errorOf(asRefusal(error)) } };
  }
}
