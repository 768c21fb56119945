/**
 * `POST /mcp`: a Model Context Protocol server over streamable HTTP, without sessions. A bearer token, its
 * scopes and its quota hold as in the headless API; a request counts once.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { CallToolRequest, CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { Refusal } from "../../kv/refusals.ts";
import { isUlid } from "../../kv/model/values/ulid.ts";
import type { Deps } from "../deps/deps.ts";
import { parseJsonObject, readJsonBytes } from "../input/body.ts";
import { errorOf } from "../answers/refusal_response.ts";
import { bearerRoutes } from "../v1/bearer/bearer_routes.ts";
import type { BearerCall } from "../v1/bearer/bearer_call.ts";
import { documentLinks } from "./document_links.ts";
import { markdownOf } from "./document_markdown.ts";
import { type AskApi, type InnerAnswer, innerApi } from "./inner_api.ts";
import { addTranslatePrompt } from "./translate_prompt.ts";
import { callTool, canUse, inputOf, TOOLS } from "./tools.ts";

const INSTRUCTIONS = "A content management system. Start with list_collections and " +
  "describe_collection. Changes to published documents are saved as working copies: tell the user, and " +
  "publish only when the user asks for it.";

/** The protocol's error code for a missing resource. */
const RESOURCE_NOT_FOUND = -32002;

/** The server's route. */
export function mcpRoutes(deps: Deps): Hono {
  const ask = innerApi(deps);
  const bearer = bearerRoutes(deps);
  return new Hono().post("/", bearer(() => [], (call) => answer(deps, ask, call)));
}

async function answer(deps: Deps, ask: AskApi, call: BearerCall): Promise<Response> {
  const parsedBody = parseJsonObject(await readJsonBytes(call.http.req.raw));
  // Loaded with the first request of an agent: most processes never see one.
  const [{ McpServer }, { WebStandardStreamableHTTPServerTransport }] = await Promise.all([
    import("@modelcontextprotocol/sdk/server/mcp.js"),
    import("@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js"),
  ]);
  const server = new McpServer({ name: "content", version: "1" }, { instructions: INSTRUCTIONS });
  await addTools(server, deps, ask, call);
  await addResources(server, ask, call);
  if (call.schema.languages !== undefined) addTranslatePrompt(server, deps, ask, call);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const response = await transport.handleRequest(call.http.req.raw, { parsedBody });
    const headers = new Headers(response.headers);
    for (const [name, value] of Object.entries(call.headers)) headers.set(name, value);
    headers.set("cache-control", "no-store");
    return new Response(await response.text() || null, { status: response.status, headers });
  } finally {
    await server.close();
  }
}

async function addTools(
  server: McpServer,
  deps: Deps,
  ask: AskApi,
  call: BearerCall,
): Promise<void> {
  const run = async (name: string, given: Record<string, unknown> = {}) =>
    await resultOf(deps, call, await callTool({ deps, call, ask }, name, given), given.collection);
  for (const tool of TOOLS.filter((tool) => canUse(call, tool))) {
    const { name, title, description, readOnly, output: outputSchema } = tool;
    const annotations = { title, readOnlyHint: readOnly, destructiveHint: false };
    const about = {
      title,
      description,
      inputSchema: inputOf(tool, call.schema),
      outputSchema,
      annotations,
    };
    server.registerTool(name, about, (given: Record<string, unknown>) => run(name, given));
  }
  // The server's own handler words wrong arguments and unknown tools itself, without the field.
  const { CallToolRequestSchema } = await import("@modelcontextprotocol/sdk/types.js");
  server.server.setRequestHandler(
    CallToolRequestSchema,
    ({ params }: CallToolRequest) => run(params.name, params.arguments),
  );
}

/** The answer as JSON, as text and structured, and links to the documents in it. */
async function resultOf(
  deps: Deps,
  call: BearerCall,
  { ok, json }: InnerAnswer,
  collection: unknown,
): Promise<CallToolResult> {
  const links = ok ? await documentLinks(deps, call, json, collection) : [];
  return {
    content: [{ type: "text", text: JSON.stringify(json) }, ...links],
    ...(ok ? { structuredContent: json } : { isError: true }),
  };
}

/** Documents as Markdown, at `content://{collection}/{id}`. */
async function addResources(server: McpServer, ask: AskApi, call: BearerCall): Promise<void> {
  const [{ ResourceTemplate }, { McpError }] = await Promise.all([
    import("@modelcontextprotocol/sdk/server/mcp.js"),
    import("@modelcontextprotocol/sdk/types.js"),
  ]);
  server.registerResource(
    "document",
    new ResourceTemplate("content://{collection}/{id}", { list: undefined }),
    { title: "Document", description: "A document as Markdown", mimeType: "text/markdown" },
    async (uri: URL, { collection, id }: Record<string, string | string[]>) => {
      const { ok, json } = isUlid(id) && typeof collection === "string"
        ? await ask(call, {
          path: `/${encodeURIComponent(collection)}/${id}`,
          query: { richText: "markdown" },
        })
        : { ok: false, json: { error: errorOf(new Refusal("NOT_FOUND")) } };
      if (!ok) {
        throw new McpError(RESOURCE_NOT_FOUND, json.error.message, { uri: uri.href, ...json });
      }
      const found = call.schema.bySlug.get(collection as string)!;
      const text = markdownOf(json, found);
      return { contents: [{ uri: uri.href, mimeType: "text/markdown", text }] };
    },
  );
}
