/**
 * Every answer of the admin API that a test gets is compared with the API's description: its status, its type, and
 * no key more or fewer.
 *
 * @module
 */
import { adminDocument } from "../../routes/admin/meta/admin_document.ts";
import { ADMIN_OPERATIONS } from "../../routes/admin/meta/admin_operations.ts";
import { type AnswerCheck, answerCheck } from "./answer_check.ts";
import { compileIn, type SchemaCheck } from "./schema_check.ts";

let checks: { answer: AnswerCheck; refusal: SchemaCheck } | undefined;

/** Throws if an answer is not one that the description allows. A refusal may have any status, but not any form. */
export function assertDescribed(
  method: string,
  path: string,
  response: Response,
  text: string,
): void {
  const { status } = response;
  if (status === 304 || !["GET", "POST", "PUT", "PATCH", "DELETE"].includes(method)) return;
  checks ??= checksOf();
  const problems = status >= 400
    ? checks.refusal(["components", "schemas", "Problem"], JSON.parse(text))
    : checks.answer(method, path, response, text);
  if (problems.length === 0) return;
  throw new Error(
    `${method} ${path} ${status} is not described: ${problems.slice(0, 8).join("; ")}`,
  );
}

function checksOf() {
  const routes = [...ADMIN_OPERATIONS.keys()].map((name) => {
    const [method = "", path = ""] = name.split(" ");
    return { method, path, handler: null };
  });
  const description = closed(adminDocument(routes)) as object;
  return { answer: answerCheck(description), refusal: compileIn(description) };
}

/** The same schemas, in which objects have no keys but those that are described. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, closed(inner)]);
  const isOpen = !("properties" in value) || "additionalProperties" in value;
  return { ...Object.fromEntries(entries), ...(!isOpen && { additionalProperties: false }) };
}
