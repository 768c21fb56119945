/**
 * Assertions on answers of the admin API.
 *
 * @module
 */
import { type RefusalCode, REFUSALS } from "../../../kv/refusals.ts";
import type { Answer } from "./app.ts";
import { assert, assertEquals, assertMatch } from "../harness/assert.ts";

/** An answer of this status; answers its body. */
// deno-lint-ignore no-explicit-any
export function answered(answer: Answer, status: number): any {
  assertEquals(answer.status, status, answer.text);
  assertMatch(answer.headers.get("x-request-id") ?? "", /^[0-9A-Z]{18}-[0-9a-z]+$/);
  if (status === 204 || status === 304) assertEquals(answer.text, "");
  return answer.json;
}

/** A refusal in its envelope; `details` as `field CODE`, in any order. */
export function assertRefusal(
  answer: Answer,
  status: number,
  code: RefusalCode,
  details?: string[],
): void {
  assertEquals([answer.status, answer.json?.error?.code], [status, code], answer.text);
  assertMatch(answer.headers.get("x-request-id") ?? "", /^[0-9A-Z]{18}-[0-9a-z]+$/);
  assertMatch(answer.headers.get("content-type") ?? "", /^application\/json/);
  assertEquals(answer.headers.get("cache-control"), "no-store");
  const { error, ...rest } = answer.json;
  assertEquals(rest, {});
  for (const key of Object.keys(error)) assert(["code", "message", "details"].includes(key), key);
  assert(error.message.startsWith(REFUSALS[code]), error.message);
  if (details !== undefined) assertEquals(detailsOf(answer), [...details].sort());
}

/** The details of a refusal as `field CODE`, sorted. */
export function detailsOf({ json }: Answer): string[] {
  return (json.error.details ?? [])
    .map(({ field, code }: { field: string; code: string }) => `${field} ${code}`).sort();
}

/** What is listed, of a list in its envelope. */
// deno-lint-ignore no-explicit-any
export function listed(answer: Answer): any[] {
  const { data, meta, ...rest } = answered(answer, 200);
  assertEquals(rest, {});
  assertEquals(Object.keys(meta), ["page", "perPage", "total"]);
  assert(data.length <= meta.perPage && data.length <= meta.total, answer.text);
  return data;
}
