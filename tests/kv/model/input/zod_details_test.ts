import { z } from "zod";
import { parseBody, zodDetails } from "../../../../kv/model/input/zod_details.ts";
import { Refusal } from "../../../../kv/refusals.ts";
import { assertEquals, assertThrows } from "../../../support/harness/assert.ts";
import { codes } from "../../../support/sites/fields.ts";

const schema = z.strictObject({
  name: z.string().min(2).max(4),
  mail: z.email(),
  kind: z.enum(["a", "b"]),
  other: z.enum(["a", "b"]),
  count: z.int().min(1).max(3),
  list: z.array(z.object({ n: z.number().max(1) })).max(2),
});

function failures(body: unknown): string[] {
  const refusal = assertThrows(() => parseBody(schema, body), Refusal);
  assertEquals(refusal.code, "VALIDATION_FAILED");
  return codes(refusal.facts.details ?? []);
}

Deno.test("parseBody() answers what the schema makes of the body", () => {
  assertEquals(parseBody(z.strictObject({ n: z.number().default(1) }), {}), { n: 1 });
});

Deno.test("parseBody() gives every failure its path and code", () => {
  assertEquals(failures({ list: [{ n: 2 }, {}], ["__proto__"]: 1, "a.b": 1 }), [
    "__proto__ UNKNOWN_KEY",
    "a.b UNKNOWN_KEY",
    "count REQUIRED",
    "kind REQUIRED",
    "list.0.n TOO_LARGE",
    "list.1.n REQUIRED",
    "mail REQUIRED",
    "name REQUIRED",
    "other REQUIRED",
  ]);
  assertEquals(failures({ name: "a", mail: "x", kind: "c", other: 1, count: 0, list: {} }), [
    "count TOO_SMALL",
    "kind INVALID_CHOICE",
    "list INVALID_TYPE",
    "mail PATTERN_MISMATCH",
    "name TOO_SHORT",
    "other INVALID_TYPE",
  ]);
  assertEquals(
    failures({ name: null, mail: "a@b.co", kind: "a", other: "b", count: 1.5, list: [1, 2, 3] }),
    [
      "count INVALID_TYPE",
      "list TOO_LONG",
      "name INVALID_TYPE",
    ],
  );
});

Deno.test("zodDetails() without the body still tells a missing value, and puts paths below the prefix", () => {
  const parsed = z.object({ n: z.number() }).safeParse({});
  assertEquals(codes(zodDetails(parsed.error!, "at")), ["at.n REQUIRED"]);
  assertEquals(codes(zodDetails(z.string().safeParse(1).error!, "site.title")), [
    "site.title INVALID_TYPE",
  ]);
});

Deno.test("a null where a value is needed is described as missing, with and without the body", () => {
  const body = { name: null, mail: null, count: null, list: [{ n: null }], kind: "a", other: null };
  const refusal = assertThrows(() => parseBody(schema, body), Refusal);
  const parsed = schema.safeParse(body);
  for (const details of [refusal.facts.details!, zodDetails(parsed.error!)]) {
    const messages = details.filter(({ field }) => field !== "other").map(({ message }) => message);
    assertEquals(messages, ["Required", "Required", "Required", "Required"]);
  }
});
