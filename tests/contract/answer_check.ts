/**
 * Holds answers against the description: their status, headers and body.
 *
 * @module
 */
import { compileIn } from "./schema_check.ts";

// deno-lint-ignore no-explicit-any
type Loose = any;

/** An operation of the description. */
export interface DescribedOperation {
  method: string;
  path: string;
  operation: Loose;
  /** The path's and the operation's parameters, references resolved. */
  parameters: Loose[];
}

/** What is wrong with an answer; empty when nothing is. */
export type AnswerCheck = (
  method: string,
  address: string,
  response: Response,
  text: string,
) => string[];

/** Every operation of a description. */
export function operationsOf(description: Loose): DescribedOperation[] {
  const operations: DescribedOperation[] = [];
  for (const [path, entry] of Object.entries<Loose>(description.paths)) {
    for (const method of ["get", "post", "put", "patch", "delete"]) {
      const operation = entry[method];
      if (operation === undefined) continue;
      const parameters = [...entry.parameters ?? [], ...operation.parameters ?? []]
        .map((parameter) => resolve(description, parameter));
      operations.push({ method: method.toUpperCase(), path, operation, parameters });
    }
  }
  return operations;
}

/** What a reference stands for. */
export function resolve(description: Loose, part: Loose): Loose {
  if (part?.$ref === undefined) return part;
  return pathOf(part.$ref).reduce((target: Loose, step) => target[step], description);
}

function pathOf(reference: string): string[] {
  return reference.split("/").slice(1);
}

/** Makes the check of a description. */
export function answerCheck(description: Loose): AnswerCheck {
  const fits = compileIn(description);
  const operations = operationsOf(description)
    .map((described) => ({ ...described, matches: pathPattern(described.path) }))
    // Paths without parameters win over those with.
    .sort((a, b) => a.path.split("{").length - b.path.split("{").length);

  return function check(method, address, response, text) {
    const { pathname } = new URL(address, "http://localhost");
    const asked = method === "HEAD" ? "GET" : method;
    const found = operations.find((one) => one.method === asked && one.matches.test(pathname));
    if (found === undefined) return [`${method} ${pathname} is not described`];
    const key = String(response.status);
    const entry = found.operation.responses[key];
    if (entry === undefined) return [`status ${key} is not described`];
    const at = entry.$ref === undefined
      ? ["paths", found.path, found.method.toLowerCase(), "responses", key]
      : pathOf(entry.$ref);
    const answer = resolve(description, entry);
    const problems = headerProblems(description, answer, response);
    if (method === "HEAD") return text === "" ? problems : [...problems, "HEAD has a body"];
    if (answer.content === undefined) return text === "" ? problems : [...problems, "has a body"];
    const media = (response.headers.get("content-type") ?? "").split(";")[0]!.trim();
    // `format` turns a list into a stream.
    const isStream = new URL(address, "http://localhost").searchParams.has("format");
    if (isStream && answer["x-format-content"]?.[media] !== undefined) return problems;
    if (answer.content[media] === undefined) return [...problems, `${media} is not described`];
    if (media !== "application/json") return problems;
    const isPart = answer.content[media]["x-part-schema"] !== undefined && asksForParts(address);
    const schema = isPart ? "x-part-schema" : "schema";
    return [...problems, ...fits([...at, "content", media, schema], JSON.parse(text))];
  };
}

/** Whether a query asks for documents in another form than they always have. */
function asksForParts(address: string): boolean {
  const query = new URL(address, "http://localhost").searchParams;
  return ["fields", "include", "counts", "richText"].some((name) => query.has(name));
}

function pathPattern(path: string): RegExp {
  const steps = path.split("/").map((step) =>
    step.startsWith("{") ? "[^/]+" : step.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
  );
  return new RegExp(`^${steps.join("/")}$`);
}

function headerProblems(description: Loose, answer: Loose, response: Response): string[] {
  const problems: string[] = [];
  for (const [name, declared] of Object.entries<Loose>(answer.headers ?? {})) {
    const header = resolve(description, declared);
    const value = response.headers.get(name);
    if (value === null && header.required === true) problems.push(`${name} is missing`);
    const pattern = header.schema?.pattern;
    if (value !== null && pattern !== undefined && !new RegExp(pattern).test(value)) {
      problems.push(`${name} is ${value}`);
    }
  }
  return problems;
}
