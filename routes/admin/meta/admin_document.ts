/**
 * The OpenAPI description of the admin API, made from the routes that there are: what each takes and answers
 * comes from the table of operations, the permission from the route itself.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { sortedByKey } from "../../../kv/model/primitives/sorted_by_key.ts";
import { permissionsOf } from "../admin_permission.ts";
import { JSON_BODIES, OTHER_BODIES } from "./admin_bodies.ts";
import { ADMIN_OPERATIONS, type AdminOperation } from "./admin_operations.ts";
import { ADMIN_PARAMETERS } from "./admin_parameters.ts";
import { answerSchemas, bodySchema, type Part } from "./admin_schemas.ts";

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
/** Routes that take an API token with the scope `*` as well. */
const WITH_TOKEN = /^\/(?:_meta|schema)(?:\/|$)/;

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** The description of some routes, whose paths are below `/api/admin`, without the address of the service. */
export function adminDocument(routes: readonly DescribedRoute[]): Part {
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
    security: [{ session: [] }],
    paths: sortedByKey(paths),
    components: {
      securitySchemes: {
        session: { type: "apiKey", in: "cookie", name: "session" },
        bearer: { type: "http", scheme: "bearer" },
      },
      schemas: answerSchemas(),
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
  const known = ADMIN_OPERATIONS.get(name);
  if (known === undefined) throw new Error(`${name} is not described`);
  const isOpen = OPEN.test(path) || OPEN.test(name);
  const permission = isOpen ? "none" : permissionOf(name, routes);
  const isPage = known.answers.some((answer) => answer.endsWith("[]"));
  const parameters = [...known.query, ...isPage ? ["page", "perPage"] : []].map(parameter);
  return {
    operationId: operationId(method, path),
    summary: known.summary,
    tags: [path.split("/")[1] ?? ""],
    "x-permission": permission,
    ...(isOpen && { security: [] }),
    ...(WITH_TOKEN.test(path) && { security: [{ session: [] }, { bearer: [] }] }),
    ...(parameters.length > 0 && { parameters }),
    ...(known.body !== "" && { requestBody: bodyOf(known.body) }),
    responses: { ...answersOf(known.answers), ...refusals(known, permission, path) },
  };
}

function parameter(key: string): Part {
  const known = ADMIN_PARAMETERS[key];
  if (known === undefined) throw new Error(`The parameter ${key} is not described`);
  const { name = key, ...rest } = known;
  return { name, in: "query", ...rest };
}

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

function bodyOf(text: string): Part {
  const name = text.replace("?", "");
  const required = name === text;
  const other = OTHER_BODIES[name];
  if (other === undefined) {
    return { required, content: { "application/json": { schema: bodySchema(JSON_BODIES[name]) } } };
  }
  const { types, file, json } = other;
  const sent = file === undefined ? FILE : {
    schema: {
      type: "object",
      properties: { [file]: { type: "string", format: "binary" } },
      required: [file],
    },
  };
  return {
    required,
    content: {
      ...Object.fromEntries(types.map((type) => [type, sent])),
      ...(json !== undefined && { "application/json": { schema: bodySchema(json) } }),
    },
  };
}

/** The responses by status; several answers with the same one are alternatives. */
function answersOf(answers: readonly string[]): Part {
  const responses: { [status: string]: { description: string; content?: Part } } = {};
  for (const text of answers) {
    const [status = "200", ...words] = text.split(" ");
    const response = responses[status] ??= {
      description: status === "202" ? "Accepted." : "Done.",
    };
    const name = words.at(-1);
    if (name === undefined) continue;
    const content = response.content ??= {};
    if (name.includes("/")) content[name] = FILE;
    else content["application/json"] = eitherOf(content["application/json"], schemaOf(words));
  }
  return responses;
}

function eitherOf(present: Json | undefined, schema: Part): Part {
  if (present === undefined) return { schema };
  return { schema: { anyOf: [(present as { schema: Json }).schema, schema] } };
}

/** `Role`, `Role[]` for a page, `data Role` for a list without paging. */
function schemaOf(words: string[]): Part {
  const name = words.at(-1) ?? "";
  const isPage = name.endsWith("[]");
  const one = { $ref: `#/components/schemas/${name.replace("[]", "")}` };
  if (!isPage && words.length === 1) return one;
  return {
    type: "object",
    required: isPage ? ["data", "meta"] : ["data"],
    properties: {
      data: { type: "array", items: one },
      ...(isPage && { meta: { $ref: "#/components/schemas/PageMeta" } }),
    },
  };
}

function problem(): Part {
  const schema = { $ref: "#/components/schemas/Problem" };
  return { description: "An error.", content: { "application/json": { schema } } };
}

function refusals({ body }: AdminOperation, permission: Json, path: string): Part {
  const statuses = [
    ...(body === "" ? [] : ["400", "413", "415", "422"]),
    ...(permission === "none" ? ["429"] : ["401"]),
    ...(permission === "none" || permission === "session" ? [] : ["403"]),
    ...(path.includes("/:") ? ["404"] : []),
    ...(body === "" ? [] : ["409"]),
    "503",
  ];
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: "#/components/responses/Problem" }]),
  );
}
