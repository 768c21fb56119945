/**
 * Responses in the form of SCIM (RFC 7644): resources with their ETag, lists, errors.
 *
 * @module
 */
import type { Context as HttpContext } from "@hono/hono";
import { sha256 } from "../../kv/model/values/sha256.ts";
import type { Json } from "../../kv/model/entities/entity.ts";
import { Refusal, type RefusalFacts } from "../../kv/refusals.ts";
import { statusOf } from "../answers/refusal_response.ts";

const CONTENT_TYPE = "application/scim+json";

/** Attributes that no request can leave out, RFC 7643, section 7. */
const ALWAYS_SHOWN = ["schemas", "id"];

/** The detail of an error, RFC 7644, section 3.12. */
export type ScimType =
  | "invalidFilter"
  | "uniqueness"
  | "invalidSyntax"
  | "invalidPath"
  | "invalidValue"
  | "mutability"
  | "noTarget";

/** A request that is refused. */
export class ScimError extends Error {
  override name = "ScimError";

  constructor(
    readonly status: 400 | 403 | 404 | 409 | 412,
    message: string,
    readonly scimType?: ScimType,
  ) {
    super(message);
  }
}

/** A resource: its id, and its other members. */
export type ScimResource = { id: string; meta: { location: string; [name: string]: Json } } & {
  [name: string]: Json;
};

/** The version of a resource. */
function etagOf(resource: ScimResource): string {
  return `W/"${sha256(JSON.stringify(resource)).slice(0, 20)}"`;
}

/** Answers a resource. */
export function resourceAnswer(
  c: HttpContext,
  resource: ScimResource,
  headers: Record<string, string>,
  status: 200 | 201 = 200,
): Response {
  const etag = etagOf(resource);
  const { location } = resource.meta;
  const given = c.req.header("if-none-match");
  if (c.req.method === "GET" && given !== undefined && matches(given, etag)) {
    return new Response(null, { status: 304, headers: { ...headers, etag } });
  }
  const body = shownResource(c, resource);
  const more = { ...headers, etag, ...(status === 201 ? { location } : {}) };
  return scimJson(body, status, more);
}

/** A resource with its version, and only with the attributes that a request wants. */
export function shownResource(c: HttpContext, resource: ScimResource): Record<string, Json> {
  const meta = { ...resource.meta, version: etagOf(resource) };
  const [wanted, excluded] = [attributesIn(c, "attributes"), attributesIn(c, "excludedAttributes")];
  const isShown = (name: string) =>
    wanted.size > 0 ? wanted.has(name.toLowerCase()) : !excluded.has(name.toLowerCase());
  const members = Object.entries({ ...resource, meta });
  return Object.fromEntries(
    members.filter(([name]) => ALWAYS_SHOWN.includes(name) || isShown(name)),
  );
}

/** The attributes that a parameter names, in lower case, without parts and schemas. */
function attributesIn(c: HttpContext, parameter: string): Set<string> {
  const names = (c.req.query(parameter) ?? "").toLowerCase().split(",");
  const plain = names.map((name) => withoutSchema(name).split(".")[0]!);
  return new Set(plain.filter((name) => name !== ""));
}

/** The path of an attribute without the URN of its schema. */
export function withoutSchema(path: string): string {
  return path.trim().replace(/^urn:ietf:params:scim:schemas:[\w:]+:2\.0:\w+:/i, "");
}

/** Refuses a change whose `If-Match` is not the version of the resource. */
export function refuseStale(c: HttpContext, resource: ScimResource): void {
  const given = c.req.header("if-match");
  if (given === undefined || given.trim() === "*" || matches(given, etagOf(resource))) return;
  throw new ScimError(412, "The resource has changed since it was read");
}

/** JSON in SCIM's content type. */
export function scimJson(
  body: unknown,
  status: number,
  headers: Record<string, string> = {},
): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...headers, "content-type": CONTENT_TYPE, "cache-control": "no-store" },
  });
}

/** The response of an error. */
export function errorAnswer(error: ScimError | Refusal, headers: Record<string, string>): Response {
  const [status, scimType] = error instanceof ScimError
    ? [error.status, error.scimType]
    : factsOf(error);
  const { retryAfterSeconds: retry, details = [], allow }: RefusalFacts = error instanceof Refusal
    ? error.facts
    : {};
  const detail = [error.message, ...details.map(({ field, message }) => `${field}: ${message}`)];
  return scimJson(
    {
      schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
      status: String(status),
      ...(scimType !== undefined && { scimType }),
      detail: detail.join("; "),
    },
    status,
    {
      ...headers,
      ...(retry !== undefined && { "retry-after": String(retry) }),
      ...(allow && { allow: allow.join(", ") }),
    },
  );
}

function factsOf(error: Refusal): [status: number, scimType?: ScimType] {
  const isTaken = error.facts.details?.some(({ code }) => code === "NOT_UNIQUE") ?? false;
  if (error.code === "CONFLICT" && isTaken) return [409, "uniqueness"];
  if (error.code === "VALIDATION_FAILED") return [400, "invalidValue"];
  if (error.code === "BODY_INVALID") return [400, "invalidSyntax"];
  return [statusOf(error)];
}

function matches(given: string, etag: string): boolean {
  const plain = (text: string) => text.trim().replace(/^W\//, "");
  return given.split(",").some((one) => one.trim() === "*" || plain(one) === plain(etag));
}
