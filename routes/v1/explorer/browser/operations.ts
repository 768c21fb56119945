/**
 * Runs in the browser. The read requests in the OpenAPI document.
 *
 * @module
 */

/** A parameter of a request's path or query. */
export interface Parameter {
  name: string;
  place: "path" | "query";
  about: string;
  required: boolean;
  kind: "text" | "number" | "boolean";
  /** The values that are accepted, or null for any. */
  choices: string[] | null;
  /** The maximum number of values; 1 if it is not a list. */
  valuesMax: number;
  /** Whether several values are sent as one, with commas. */
  joined: boolean;
  /** Whether being sent empty means something. */
  mayBeEmpty: boolean;
  hint: string;
}

/** A read request that the page can make. */
export interface Operation {
  id: string;
  /** Slug of the collection, or a group of shared paths. */
  group: string;
  groupAbout: string;
  title: string;
  about: string;
  path: string;
  parameters: Parameter[];
  /** Whether it needs no token. */
  open: boolean;
}

// deno-lint-ignore no-explicit-any
type Loose = any;

/** The GET requests that a description describes, but for this page itself. */
export function readOperations(description: Loose): Operation[] {
  const operations: Operation[] = [];
  const groups = new Map<string, string>(
    (description.tags ?? []).map((tag: Loose) => [String(tag.name), plainText(tag.description)]),
  );
  for (const [path, entry] of Object.entries<Loose>(description.paths ?? {})) {
    const get = entry.get;
    if (get === undefined || !path.startsWith("/api/v1/") || path.endsWith("/_explorer")) continue;
    const declared = [...entry.parameters ?? [], ...get.parameters ?? []];
    const group = String(get.tags?.[0] ?? "");
    operations.push({
      id: String(get.operationId),
      group,
      groupAbout: groups.get(group) ?? "",
      title: String(get.summary ?? path),
      about: plainText(get.description).replaceAll("`", ""),
      path,
      parameters: declared
        .map((parameter: Loose) => readParameter(resolved(description, parameter)))
        .filter((parameter: Parameter | null) => parameter !== null),
      open: Array.isArray(get.security) && get.security.length === 0,
    });
  }
  return operations;
}

/** Requests by their groups, collections first: they are what people come for. */
export function groupsOf(
  operations: readonly Operation[],
): [group: string, members: Operation[]][] {
  const groups = new Map<string, Operation[]>();
  for (const operation of operations) {
    groups.set(operation.group, [...groups.get(operation.group) ?? [], operation]);
  }
  const rank = (members: Operation[]) => isCollection(slugIn(members[0]?.path ?? "")) ? 0 : 1;
  return [...groups].sort(([, one], [, other]) => rank(one) - rank(other));
}

/** Whether a path's first step is a collection's slug. */
export function isCollection(step: string): boolean {
  return step !== "search" && step !== "media" && !step.startsWith("_");
}

/** Markdown of the description as the text that it means. */
export function plainText(markdown: unknown): string {
  return String(markdown ?? "").replaceAll("&lt;", "<");
}

/** Resolves a reference in the description. */
export function resolved(description: Loose, part: Loose): Loose {
  if (typeof part?.$ref !== "string") return part;
  let target = description;
  for (const step of part.$ref.split("/").slice(1)) target = target?.[step];
  return target;
}

/** A parameter that the page offers; null for headers, which it does not send. */
export function readParameter(declared: Loose): Parameter | null {
  if (declared.in !== "path" && declared.in !== "query") return null;
  const schema = declared.schema ?? {};
  const many = schema.type === "array";
  const single = many ? schema.items ?? {} : schema;
  const numeric = single.type === "integer" || single.type === "number";
  const standard = schema.default === undefined ? "" : `Default: ${String(schema.default)}`;
  return {
    name: String(declared.name),
    place: declared.in,
    about: plainText(declared.description).replaceAll("`", ""),
    required: declared.required === true,
    kind: numeric ? "number" : single.type === "boolean" ? "boolean" : "text",
    choices: Array.isArray(single.enum) ? single.enum.map(String) : null,
    valuesMax: many ? Number(schema.maxItems ?? 20) : 1,
    joined: declared.explode === false,
    mayBeEmpty: declared.allowEmptyValue === true,
    hint: standard,
  };
}

/** Whether the parameter filters by a field. */
export function isFilter({ name }: Parameter): boolean {
  return name.startsWith("field.");
}

/** The collection in a path, or what stands in its place: \`/api/v1/{slug}\`. */
export function slugIn(path: string): string {
  return path.split("/")[3] ?? "";
}
