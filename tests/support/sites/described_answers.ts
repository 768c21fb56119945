/**
 * Every answer of the admin API that a test gets is compared with the API's description: its status, its type, and
 * no key more or fewer.
 *
 * @module
 */
import { Ajv2020 } from "ajv/dist/2020.js";
import type { Hono } from "@hono/hono";
import { adminDocument } from "../../../routes/admin/meta/admin_document.ts";

const BASE = "/api/admin";

type Schema = { [key: string]: unknown };
interface Described {
  pattern: RegExp;
  parameters: number;
  operations: { [method: string]: { responses: { [status: string]: { content?: Schema } } } };
}

let described: Described[] | undefined;
let validator: Ajv2020 | undefined;

/** Throws if an answer is not one that the description allows. */
export function assertDescribed(
  app: Hono,
  method: string,
  path: string,
  { status, type, json }: { status: number; type: string; json: unknown },
): void {
  const { pathname } = new URL(path, "http://localhost");
  if (status === 304 || !["GET", "POST", "PUT", "PATCH", "DELETE"].includes(method)) return;
  const name = `${method} ${pathname} ${status}`;
  described ??= describe(app);
  if (status >= 400) return assertValid("#/components/schemas/Problem", json, name);
  const found = described.find(({ pattern }) => pattern.test(pathname));
  const response = found?.operations[method.toLowerCase()]?.responses[status];
  if (response === undefined) throw new Error(`${name} is not described`);
  const media = type.split(";")[0]!.trim();
  const content = response.content ?? {};
  if (media === "" ? Object.keys(content).length > 0 : !(media in content)) {
    throw new Error(`${name} answers ${media || "nothing"}, described is ${Object.keys(content)}`);
  }
  if (media !== "application/json") return;
  const { pointer } = content[media] as { pointer: string };
  assertValid(pointer, json, name);
}

function describe(app: Hono): Described[] {
  const routes = app.routes
    .filter(({ path }) => path.startsWith(BASE))
    .map((route) => ({ ...route, path: route.path.slice(BASE.length) }));
  const document = adminDocument(routes, "http://localhost");
  validator = new Ajv2020({ strict: false, allErrors: true, discriminator: false });
  validator.addSchema(closed(document) as Schema, "");
  const paths = document.paths as { [template: string]: Described["operations"] };
  return Object.entries(paths).map(([template, operations]) => {
    const parameters = template.split("{").length - 1;
    for (const [method, { responses }] of Object.entries(operations)) {
      for (const [status, { content }] of Object.entries(responses ?? {})) {
        const json = content?.["application/json"] as { pointer?: string } | undefined;
        if (json === undefined) continue;
        const steps = ["paths", template, method, "responses", status, "content"];
        json.pointer = `#/${[...steps, "application/json", "schema"].map(escaped).join("/")}`;
      }
    }
    const pattern = new RegExp(`^${template.replace(/\{\w+\}/g, "[^/]+")}$`);
    return { pattern, parameters, operations };
  }).sort((one, other) => one.parameters - other.parameters);
}

function escaped(step: string): string {
  return encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1"));
}

/** The same schemas, in which objects have no keys but those that are described. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, closed(inner)]);
  const isOpen = !("properties" in value) || "additionalProperties" in value;
  return { ...Object.fromEntries(entries), ...(!isOpen && { additionalProperties: false }) };
}

function assertValid(pointer: string, json: unknown, name: string): void {
  const validate = validator?.getSchema(pointer);
  if (validate === undefined) throw new Error(`There is no schema at ${pointer}`);
  if (validate(json)) return;
  const errors = (validate.errors ?? []).map(({ instancePath, message, params }) =>
    `${instancePath} ${message} ${JSON.stringify(params)}`
  );
  throw new Error(`${name} is not as described: ${errors.slice(0, 8).join("; ")}`);
}
