/**
 * The tools of AI agents. Each calls the headless API with the agent's token; nothing is published
 * unless `publish` is true.
 *
 * @module
 */
import { z } from "zod";
import {
  MCP_PER_PAGE_DEFAULT,
  PER_PAGE_MAX,
  SEARCH_PER_PAGE_MAX,
} from "../../kv/limits/requests.ts";
import type { Schema } from "../../kv/model/entities/collection.ts";
import type { Json } from "../../kv/model/entities/entity.ts";
import { parseBody } from "../../kv/model/input/zod_details.ts";
import { Refusal } from "../../kv/refusals.ts";
import { asRefusal, errorOf } from "../answers/refusal_response.ts";
import type { BearerCall } from "../v1/bearer/bearer_call.ts";
import { collectionSchemas } from "../v1/openapi/collection_schemas.ts";
import { collectionNames, namesOf } from "../v1/openapi/names.ts";
import {
  documentPath,
  exposedCollection,
  findNamedDocument,
  pathOf,
  type ToolContext,
  updateDocument,
  validateDocument,
} from "./document_changes.ts";
import type { InnerAnswer } from "./inner_api.ts";
import { LANGUAGE_TOOLS } from "./language_tools.ts";
import type { Tool } from "./tool.ts";

const collection = z.string().describe("Collection slug");
const id = z.string().optional().describe("Document ID");
const slug = z.string().optional().describe("Document slug, as an alternative to id");
const body = z.record(z.string(), z.json()).describe(
  "Title, slug and field values of the document, as described by describe_collection",
);
const publish = z.boolean().default(false).describe(
  "Publish the result immediately. Set to true only if the user asked for it",
);
const names = z.string().or(z.array(z.string())).optional();
const fields = names.describe("Return only these fields: a list or a comma-separated string");
const include = z.string().or(z.array(z.string())).or(z.record(z.string(), z.unknown())).optional()
  .describe(
    "References to replace with their documents or media; follow nested references with a dot. " +
      "A list, a comma-separated string, or an object with filter, sort, limit, fields and include " +
      "for each path",
  );
const counts = names.describe(
  "Fields whose references are counted in _counts, and reverse includes such as <-comments.post",
);
const draft = z.boolean().optional().describe(
  "Include unpublished changes; requires the read-drafts scope",
);
const at = z.int().min(0).optional().describe(
  "Return content as of the end of this second (Unix epoch); requires the read-history scope",
);

/** A document as the API answers it. */
const document = z.looseObject({ id: z.string() });
/** A page of a list. */
const listed = z.looseObject({
  data: z.array(document),
  meta: z.looseObject({ total: z.number().optional() }),
});
const anything = z.looseObject({});
const filter = z.union([z.record(z.string(), z.json()), z.string()]).optional().describe(
  'Conditions as JSON: {"rating": {"gte": 4}, "or": [{"category": "news"}, …]}',
);

const inLanguage = {
  language: z.string().optional().describe("Return documents in this language"),
  fallback: z.string().optional().describe(
    "none, documents, or codes of languages that stand in for missing values",
  ),
};

/** The tools that every site has. */
const SHARED_TOOLS: readonly Tool[] = [
  {
    name: "list_collections",
    title: "List collections",
    description: "Lists the collections that this token can read or write. Start here.",
    input: {},
    output: z.looseObject({ collections: z.array(z.looseObject({ slug: z.string() })) }),
    action: null,
    readOnly: true,
    run: ({ call }) => Promise.resolve(answered({ collections: visibleCollections(call) })),
  },
  {
    name: "describe_collection",
    title: "Describe a collection",
    description: "Returns the fields of a collection with their types and limits, as JSON Schema.",
    input: { collection },
    output: z.looseObject({ slug: z.string(), create: anything, document: anything }),
    action: null,
    readOnly: true,
    run: ({ call }, input) => Promise.resolve(describe(call, input.collection)),
  },
  {
    name: "query_documents",
    title: "Query documents",
    description:
      "Returns documents of a collection, filtered, sorted and paged, with exact totals. With facets it also " +
      "counts field values over all matching documents.",
    input: {
      collection,
      filter,
      sort: z.string().optional().describe(
        "Comma-separated field names; prefix a name with - for descending order; random needs a seed",
      ),
      seed: z.string().optional().describe("Seed of the sort random"),
      fields,
      include,
      counts,
      facets: names.describe(
        "Fields to aggregate in meta.facets: a list or a comma-separated string",
      ),
      at,
      draft,
      q: z.string().optional().describe("Full-text search within the matching documents"),
      limit: z.int().min(1).max(PER_PAGE_MAX).default(MCP_PER_PAGE_DEFAULT),
      cursor: z.string().optional().describe("meta.nextCursor of the previous response"),
    },
    output: listed,
    action: "read",
    readOnly: true,
    inLanguage: true,
    run: ({ ask, call }, { collection, filter, limit, cursor, ...asked }) =>
      ask(call, {
        path: pathOf(collection),
        query: {
          filter: typeof filter === "object" ? JSON.stringify(filter) : filter,
          sort: asked.sort,
          seed: asked.seed,
          q: asked.q,
          ...viewOf(asked),
          facets: joined(asked.facets),
          perPage: limit,
          cursor: cursor ?? "",
        },
      }),
  },
  {
    name: "get_document",
    title: "Get a document",
    description: "Returns one document by its id or slug.",
    input: { collection, id, slug, fields, include, counts, at, draft },
    output: document,
    action: "read",
    readOnly: true,
    inLanguage: true,
    run: ({ ask, call }, input) => ask(call, { path: documentPath(input), query: viewOf(input) }),
  },
  {
    name: "search",
    title: "Search published documents",
    description:
      "Searches the full text of published documents. Results have snippets and are sorted by relevance.",
    input: {
      q: z.string().describe("Words to search for, 2 to 100 characters"),
      collection: z.string().optional().describe("Search only this collection"),
      limit: z.int().min(1).max(SEARCH_PER_PAGE_MAX).default(10),
    },
    output: z.looseObject({
      data: z.array(z.looseObject({ documentId: z.string(), collectionSlug: z.string() })),
      meta: anything,
    }),
    action: "read",
    readOnly: true,
    inLanguage: true,
    run: ({ ask, call }, { q, collection, limit, language }) =>
      ask(call, { path: "/search", query: { q, collection, perPage: limit, language } }),
  },
  {
    name: "get_history",
    title: "Get the history of a document",
    description:
      "Lists the versions of a document, newest first. With n, returns the document at that version.",
    input: {
      collection,
      id,
      slug,
      n: z.int().min(1).optional().describe("Version number"),
      limit: z.int().min(1).max(PER_PAGE_MAX).default(MCP_PER_PAGE_DEFAULT),
    },
    output: document,
    action: "read-history",
    readOnly: true,
    inLanguage: true,
    run: async (around, { n, limit, language, fallback, ...name }) => {
      const { ask, call } = around;
      const id = name.id ?? (await findNamedDocument(around, name, "read-history")).id;
      const path = pathOf(name.collection, id);
      const answer = n === undefined
        ? await ask(call, { path: `${path}/versions`, query: { perPage: limit, language } })
        : await ask(call, { path: `${path}/versions/${n}`, query: { language, fallback } });
      if (!answer.ok || n !== undefined) return answer;
      return answered({ id, address: `/api/v1${path}`, ...answer.json });
    },
  },
  {
    name: "create_document",
    title: "Create a document",
    description: "Creates a document as a draft, or publishes it if publish is true.",
    input: { collection, body, publish },
    output: document,
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
    title: "Update a document",
    description:
      "Changes the given fields. If the document is published, the change is saved as its working " +
      "copy for people to review and publish, unless publish is true. With publish, a draft is " +
      "changed and published in one step.",
    input: { collection, id, slug, body, publish },
    output: anything,
    action: "write",
    readOnly: false,
    run: updateDocument,
  },
  {
    name: "trash_document",
    title: "Move a document to the trash",
    description: "Removes a document from the collection. People can restore it from the trash.",
    input: { collection, id, slug },
    output: z.looseObject({ done: z.boolean(), id: z.string() }),
    action: "write",
    readOnly: false,
    run: async (around, name) => {
      const { ask, call } = around;
      const { collection } = name;
      const id = name.id ?? (await findNamedDocument(around, name, "write")).id;
      const answer = await ask(call, { method: "DELETE", path: pathOf(collection, id) });
      return answer.ok
        ? answered({ done: true, id, collection, address: `/api/v1${pathOf(collection, id)}` })
        : answer;
    },
  },
  {
    name: "validate_document",
    title: "Validate a document without saving it",
    description:
      "Returns the document as it would be saved, or all validation errors. Without id and slug it " +
      "validates a new document, otherwise a change; a change to a published document is validated as if it were published.",
    input: { collection, id, slug, body, publish },
    output: anything,
    action: "write",
    readOnly: true,
    run: validateDocument,
  },
  {
    name: "upload_media",
    title: "Import an image from a URL",
    description: "Imports an image from a public URL into the media library. Use its id as the " +
      "value of media fields.",
    input: {
      url: z.string().describe("https URL of the image"),
      alt: z.string().optional().describe(
        "Alt text: what the image shows, for people who cannot see it",
      ),
      filename: z.string().optional(),
    },
    output: document,
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

/** Every tool. */
export const TOOLS: readonly Tool[] = [...SHARED_TOOLS, ...LANGUAGE_TOOLS];

/** The API parameters that shape documents. */
function viewOf(
  { fields, include, counts, at, draft, language, fallback }: {
    fields?: string | string[];
    include?: string | string[] | Record<string, unknown>;
    counts?: string | string[];
    at?: number;
    draft?: boolean;
    language?: string;
    fallback?: string;
  },
) {
  const isOptions = typeof include === "object" && !Array.isArray(include);
  return {
    fields: joined(fields),
    include: isOptions ? JSON.stringify(include) : joined(include),
    counts: joined(counts),
    at,
    draft,
    language,
    fallback,
  };
}

/** Names as the API takes them. */
function joined(names: string | string[] | undefined): string | undefined {
  return Array.isArray(names) ? names.join(",") : names;
}

/** The strict input schema of a tool on a site: a misspelled argument is an error. */
export function inputOf(tool: Tool, { languages }: Schema): z.ZodObject<z.ZodRawShape> {
  const { input } = tool;
  return z.strictObject(languages && tool.inLanguage ? { ...input, ...inLanguage } : input);
}

/** Whether a token may use a tool anywhere. */
export function canUse({ visibility, schema }: BearerCall, tool: Tool): boolean {
  const { action } = tool;
  if (tool.needsLanguages && schema.languages === undefined) return false;
  if (action === null) return true;
  if (action === "media:write") return visibility.canMedia("write");
  return schema.collections.some(({ slug, exposed }) => exposed && visibility.can(slug, action));
}

function visibleCollections({ visibility, schema }: BearerCall): Json {
  return schema.collections
    .filter(({ exposed }) => exposed)
    .map(({ slug, name, description }) => ({
      slug,
      name,
      description,
      address: `/api/v1/${slug}`,
      read: visibility.can(slug, "read"),
      write: visibility.can(slug, "write"),
    }))
    .filter(({ read, write }) => read || write);
}

function describe(call: BearerCall, slug: string): InnerAnswer {
  const found = exposedCollection(call, slug);
  const names = namesOf(collectionNames(call.schema.collections), slug);
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

function answered(json: Json): InnerAnswer {
  return { ok: true, json };
}

/** Calls a tool by name; a refusal becomes a result with the service's error. */
export async function callTool(
  around: ToolContext,
  name: string,
  given: Record<string, unknown>,
): Promise<InnerAnswer> {
  try {
    const tool = TOOLS.find((one) => one.name === name);
    const isThere = tool?.needsLanguages ? around.call.schema.languages !== undefined : true;
    if (tool === undefined || !isThere) {
      throw new Refusal("NOT_FOUND", { about: "no tool with this name exists" });
    }
    if (!canUse(around.call, tool)) throw new Refusal("FORBIDDEN");
    return await tool.run(around, parseBody(inputOf(tool, around.call.schema), given));
  } catch (error) {
    return { ok: false, json: { error: errorOf(asRefusal(error)) } };
  }
}
