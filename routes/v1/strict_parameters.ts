/**
 * `Prefer: handling=strict` (RFC 7240): a parameter that the description of the called operation does not have is
 * refused. Without it unknown parameters are ignored.
 *
 * @module
 */
import type { Context as HttpContext, MiddlewareHandler } from "@hono/hono";
import type { Schema } from "../../kv/model/entities/collection.ts";
import type { Deps } from "../deps/deps.ts";
import { parameterInvalid } from "../query/parameters.ts";
import { openApiDocument } from "./openapi/document.ts";
import { respond } from "./respond.ts";

/** Unknown parameters that one refusal names, and characters of each. */
const NAMED = 10;
const NAME_CHARS = 100;

/** The parameters of the operations of a path. */
interface DescribedPath {
  matches: RegExp;
  /**
   * The number of segments that are parameters: the path with the fewest is the one that matches.
   */
  variable: number;
  /** Names of query parameters by method, in lower case. */
  operations: Map<string, ReadonlySet<string>>;
}

type Described = {
  paths: Record<string, Record<string, { parameters?: ParameterPart[] } | ParameterPart[]>>;
  components: { parameters: Record<string, ParameterPart> };
};
type ParameterPart = { name: string; in: string; $ref?: string };

/** Refuses unknown parameters of requests that ask for it. */
export function strictParameters({ content }: Pick<Deps, "content">): MiddlewareHandler {
  const pathsOf = new WeakMap<Schema, DescribedPath[]>();
  return async (c, next) => {
    if (!isStrict(c.req.header("prefer") ?? "")) return await next();
    const schema = await content.schema.latest();
    const paths = pathsOf.get(schema) ?? describedPaths(schema);
    pathsOf.set(schema, paths);
    const unknown = unknownNames(c, paths);
    if (unknown.length > 0) {
      const shown = unknown.slice(0, NAMED).map((name) => name.slice(0, NAME_CHARS));
      return await respond({ content } as Deps, c, () => {
        throw parameterInvalid(`unknown parameters: ${shown.join(", ")}`);
      });
    }
    await next();
    c.res.headers.append("preference-applied", "handling=strict");
    c.res.headers.append("vary", "Prefer");
  };
}

/** Whether a `Prefer` header asks for strict handling. */
export function isStrict(prefer: string): boolean {
  return prefer.split(/[,;]/).some((one) => /^\s*handling\s*=\s*"?strict"?\s*$/i.test(one));
}

function unknownNames(c: HttpContext, paths: readonly DescribedPath[]): string[] {
  const { pathname, searchParams } = new URL(c.req.url);
  const found = paths.find(({ matches }) => matches.test(pathname));
  const method = c.req.method === "HEAD" ? "get" : c.req.method.toLowerCase();
  const known = found?.operations.get(method);
  if (known === undefined) return [];
  // Filters of fields are checked by the collection that they belong to.
  return [...new Set(searchParams.keys())]
    .filter((name) => !known.has(name) && !name.startsWith("field."));
}

/**
 * All collections have the same paths and share one set of parameters: before a token is checked, a
 * response must not reveal which collections exist.
 */
function describedPaths(schema: Schema): DescribedPath[] {
  const { paths, components } = openApiDocument(schema, "") as Described;
  const nameOf = (part: ParameterPart): ParameterPart =>
    part.$ref === undefined ? part : components.parameters[part.$ref.split("/").at(-1)!]!;
  const namesOf = (parts: ParameterPart[] = []) =>
    parts.map(nameOf).filter((part) => part.in === "query").map(({ name }) => name);
  const collections = new Set(schema.collections.map(({ slug }) => slug));
  const described = new Map<string, Map<string, Set<string>>>();
  for (const [path, item] of Object.entries(paths)) {
    const [, api, version, first = "", ...rest] = path.split("/");
    const shape = ["", api, version, collections.has(first) ? "{collection}" : first, ...rest];
    const operations = described.get(shape.join("/")) ?? new Map<string, Set<string>>();
    described.set(shape.join("/"), operations);
    const shared = namesOf(item.parameters as ParameterPart[] | undefined);
    for (const [method, operation] of Object.entries(item)) {
      if (method === "parameters") continue;
      const { parameters } = operation as { parameters?: ParameterPart[] };
      const known = operations.get(method) ?? new Set();
      operations.set(method, known.union(new Set([...shared, ...namesOf(parameters)])));
    }
  }
  return [...described].map(([path, operations]) => ({
    matches: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
    variable: path.split("{").length - 1,
    operations,
  })).sort((a, b) => a.variable - b.variable);
}
