/**
 * Converts zod's issues to the detail codes of the wire. Every body that zod parses goes through here.
 *
 * @module
 */
import type { z } from "zod";
import { DETAILS_MAX } from "../../limits/requests.ts";
import { type Detail, type DetailCode, Refusal } from "../../refusals.ts";
import { shownKey } from "../values/text_check.ts";

/**
 * Parses a body; all its failures together are one VALIDATION_FAILED. `found` are failures that only the
 * caller can see, such as an unknown name; they are omitted for values that are invalid by themselves.
 */
export function parseBody<T>(
  schema: z.ZodType<T>,
  body: unknown,
  found: readonly Detail[] = [],
): T {
  const parsed = schema.safeParse(body);
  if (parsed.success && found.length === 0) return parsed.data;
  const details = parsed.success ? [] : zodDetails(parsed.error, "", body);
  const refused = new Set(details.map(({ field }) => field));
  details.push(...found.filter(({ field }) => !refused.has(field)));
  throw new Refusal("VALIDATION_FAILED", { details: details.slice(0, DETAILS_MAX) });
}

/** A zod issue that carries its own detail code. */
export function customIssue(
  code: DetailCode,
  message: string,
  path: PropertyKey[] = [],
): { code: "custom"; message: string; path: PropertyKey[]; params: { code: DetailCode } } {
  return { code: "custom", message, path, params: { code } };
}

/**
 * The details of a failed parse, their paths below `prefix`. Only with the `body` that was parsed can a
 * missing value always be distinguished from one of a wrong kind.
 */
export function zodDetails(error: z.core.$ZodError, prefix = "", body?: unknown): Detail[] {
  const details: Detail[] = [];
  // A hostile body can have far more failures than an answer lists.
  for (const issue of error.issues) {
    if (details.length >= DETAILS_MAX) break;
    details.push(...issueDetails(issue, body, DETAILS_MAX - details.length));
  }
  return details.map((detail) => below(prefix, detail));
}

/** A detail of something inside the value at `prefix`. */
export function below(prefix: string, detail: Detail): Detail {
  if (prefix === "") return detail;
  return { ...detail, field: detail.field === "" ? prefix : `${prefix}.${detail.field}` };
}

function issueDetails(issue: z.core.$ZodIssue, body: unknown, max: number): Detail[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.slice(0, max).map((key) => ({
      field: dotted([...issue.path, key]),
      code: "UNKNOWN_KEY",
      message: "Unknown key",
    }));
  }
  const code = detailCode(
    issue,
    body === undefined ? undefined : { value: valueAt(body, issue.path) },
  );
  // Forms send null for a control that was left empty.
  const isNull = issue.code === "invalid_type" && issue.message.endsWith("received null");
  const message = code === "REQUIRED" || isNull ? "Required" : issue.message;
  return [{ field: dotted(issue.path), code, message }];
}

function detailCode(issue: z.core.$ZodIssue, input: { value: unknown } | undefined): DetailCode {
  const isMissing = input === undefined
    ? issue.message.endsWith("received undefined")
    : input.value === undefined;
  switch (issue.code) {
    case "custom":
      return (issue.params?.code as DetailCode | undefined) ??
        (typeof input?.value === "string" ? "PATTERN_MISMATCH" : "INVALID_TYPE");
    case "too_big":
      return isLength(issue.origin) ? "TOO_LONG" : "TOO_LARGE";
    case "too_small":
      return isLength(issue.origin) ? "TOO_SHORT" : "TOO_SMALL";
    case "invalid_format":
      return "PATTERN_MISMATCH";
    case "invalid_value": {
      if (isMissing) return "REQUIRED";
      const isKind = (choice: unknown) =>
        input === undefined || typeof choice === typeof input.value;
      return issue.values.some(isKind) ? "INVALID_CHOICE" : "INVALID_TYPE";
    }
    default:
      return isMissing ? "REQUIRED" : "INVALID_TYPE";
  }
}

function isLength(origin: string): boolean {
  return origin === "string" || origin === "array" || origin === "set" || origin === "map";
}

function valueAt(body: unknown, path: PropertyKey[]): unknown {
  let value = body;
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) {
      return undefined;
    }
    value = (value as Record<PropertyKey, unknown>)[step];
  }
  return value;
}

function dotted(path: PropertyKey[]): string {
  return path.map((step) => shownKey(String(step))).join(".");
}
