/**
 * The OpenAPI description of the admin API, made from the routes that there are: what each takes and answers
 * comes from the table of operations, the permission from the route itself.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { sortedByKey } from "../../../kv/model/primitives/sorted_by_key.ts";
import { permissionsOf } from "../admin_permission.ts";
import { ADMIN_OPERATIONS, type AdminOperation } from "./admin_operations.ts";
import { ADMIN_SCHEMAS, bodySchema } from "./admin_schemas.ts";

/** A part of the description. */
type Part = { [key: string]: Json };

/** A route as the router has it. */
export interface DescribedRoute {
  method: string;
  path: string;
  handler: unknown;
}

/** The beginning of every path. */
const BASE = "/api/admin";

/** Routes that need no session. */
const OPEN =
  /^(?:\/setup|\/password-reset|\/address-confirmation|POST \/session$|POST \/session\/(?:second-factor|passkey))/;

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const WITH_BODY: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

/** The description of some routes, whose paths are below `/api/admin`. */
export function adminDocument(routes: readonly DescribedRoute[], origin: string): Part {
  const paths: { [path: string]: Part } = {};
  for (const { method, path } of routes) {
    if (!METHODS.includes(method) || path.includes("*")) continue;
    const template = `${BASE}${path.replace(/:(\w+)/g, "{$1}")}`;
    const item = paths[template] ??= pathItem(path);
    const name = `${method} ${path}`;
    item[method.toLowerCase()] ??= operation(name, routes);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Admin API",
      version: "1",
      description:
        "Everything that the admin application does. A session cookie, an access token " +
        "of a program that acts for a user, or, for some operations, an API token with the scope `*`.",
    },
    servers: [{ url: origin }],
    security: [{ session: [] }],
    paths: sortedByKey(paths),
    components: {
      securitySchemes: {
        session: { type: "apiKey", in: "cookie", name: "session" },
        bearer: { type: "http", scheme: "bearer" },
      },
      schemas: ADMIN_SCHEMAS,
      responses: { Problem: problem() },
    },
  };
}

function pathItem(path: string): Part {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
  if (names.length === 0) return {};
  return {
    parameters: names.map((name) => ({
      name,
      in: "path",
      required: true,
      schema: { type: "string" },
    })),
  };
}

function operation(name: string, routes: readonly DescribedRoute[]): Part {
  const [method = "", path = ""] = name.split(" ");
  const known: AdminOperation = ADMIN_OPERATIONS.get(name) ?? {
    summary: name,
    body: WITH_BODY.has(method) ? "any" : null,
    answer: "200 Any",
  };
  const isOpen = OPEN.test(path) || OPEN.test(name);
  const permission = isOpen ? "none" : permissionOf(name, routes);
  const isList = known.answer.includes("list of");
  return {
    operationId: operationId(method, path),
    summary: known.summary,
    tags: [path.split("/")[1] ?? ""],
    "x-permission": permission,
    ...(isOpen && { security: [] }),
    ...(path === "/_meta" && { security: [{ session: [] }, { bearer: [] }] }),
    ...(isList && { parameters: PAGING }),
    ...(known.body !== null && { requestBody: bodyOf(known.body) }),
    responses: { ...answersOf(known.answer), ...refusals(known, permission, path) },
  };
}

const PAGING: Part[] = ["page", "perPage"].map((name) => ({
  name,
  in: "query",
  schema: { type: "integer", minimum: 1 },
}));

/** The permission that a route and those around it ask for. */
function permissionOf(name: string, routes: readonly DescribedRoute[]): Json {
  const [method = "", path = ""] = name.split(" ");
  const isAround = (route: DescribedRoute) =>
    route.path.endsWith("*") && `${path}/`.startsWith(route.path.slice(0, -1)) ||
    (route.path === path && (route.method === method || route.method === "ALL"));
  const found = [
    ...new Set(routes.filter(isAround).flatMap(({ handler }) => permissionsOf(handler))),
  ];
  const [only, ...others] = found;
  if (only === undefined) return "session";
  return others.length === 0 ? only : found;
}

function operationId(method: string, path: string): string {
  const words = path.split(/[/:_-]/).filter((word) => word !== "");
  const name = words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join("");
  return `${method.toLowerCase()}${name}${path.includes("/:") ? "" : "All"}`;
}

const FILE: Part = { schema: { type: "string", format: "binary" } };
const FORM: Part = {
  schema: { type: "object", properties: { file: { type: "string", format: "binary" } } },
};

function bodyOf(body: string): Part {
  switch (body) {
    case "multipart":
      return { required: true, content: { "multipart/form-data": FORM } };
    case "gzip":
      return { required: true, content: { "application/gzip": FILE } };
    case "xliff":
      return {
        required: true,
        content: { "application/xliff+xml": FILE, "application/zip": FILE },
      };
    case "package": {
      const json = { schema: bodySchema("url! any") };
      return { required: true, content: { "multipart/form-data": FORM, "application/json": json } };
    }
  }
  const schema = bodySchema(body);
  return { required: schema.required !== undefined, content: { "application/json": { schema } } };
}

function answersOf(answer: string): Part {
  return Object.fromEntries(
    answer.split(" or ").map((text) => {
      const [status = "200", ...words] = text.split(" ");
      const name = words.at(-1);
      const description = status === "202" ? "Accepted." : "Done.";
      if (name === undefined) return [status, { description }];
      if (name === "file") return [status, { description, content: { "*/*": FILE } }];
      const one = { $ref: `#/components/schemas/${name}` };
      const schema = words.length > 1 ? listSchema(one) : one;
      return [status, { description, content: { "application/json": { schema } } }];
    }),
  );
}

function listSchema(items: Part): Part {
  return {
    type: "object",
    required: ["data", "meta"],
    properties: {
      data: { type: "array", items },
      meta: { $ref: "#/components/schemas/PageMeta" },
    },
  };
}

function problem(): Part {
  const schema = { $ref: "#/components/schemas/Problem" };
  return { description: "An error.", content: { "application/json": { schema } } };
}

function refusals({ body }: AdminOperation, permission: Json, path: string): Part {
  const statuses = [
    ...(body === null ? [] : ["400", "413", "415", "422"]),
    ...(permission === "none" ? ["429"] : ["401"]),
    ...(permission === "none" || permission === "session" ? [] : ["403"]),
    ...(path.includes("/:") ? ["404"] : []),
    ...(body === null ? [] : ["409"]),
    "503",
  ];
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: "#/components/responses/Problem" }]),
  );
}
