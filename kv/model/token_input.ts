/**
 * What may be asked of a new or changed token.
 *
 * @module
 */
import { z } from "zod";
import { QUOTA_DEFAULT, QUOTA_MAX, TOKEN_ORIGINS_MAX, TOKEN_SCOPES_MAX } from "../limits.ts";
import type { Json } from "./entity.ts";
import { type Detail, Refusal } from "../refusals.ts";
import { parseScopes } from "./scope.ts";
import { parseBody } from "./zod_details.ts";

const Origin = z.string().max(300).refine(
  (text) => text !== "null" && URL.parse(text)?.origin === text && /^https?:/.test(text),
  "Must be a full origin such as https://example.org",
);

const fields = {
  name: z.string().trim().min(1).max(200),
  scopes: z.array(z.json()).min(1).max(TOKEN_SCOPES_MAX) as unknown as z.ZodType<string[]>,
  quotaPerMinute: z.int().min(1).max(QUOTA_MAX),
  allowedOrigins: z.array(Origin).max(TOKEN_ORIGINS_MAX),
  expiresAt: z.int().min(0).nullable(),
};

const NewToken = z.strictObject({
  ...fields,
  quotaPerMinute: fields.quotaPerMinute.default(QUOTA_DEFAULT),
  allowedOrigins: fields.allowedOrigins.default([]),
  expiresAt: fields.expiresAt.default(null),
});

const TokenPatch = z.strictObject(fields).partial();

/** A token's attributes. */
export type TokenInput = z.infer<typeof NewToken>;

/** Parses the body of a new token. `at` is the time in seconds: an expiry must lie after it. */
export function parseToken(body: Record<string, Json>, at: number): TokenInput {
  return checked(parseBody(NewToken, body), at);
}

/** Parses a partial body. */
export function parseTokenPatch(body: Record<string, Json>, at: number): Partial<TokenInput> {
  const patch = checked(parseBody(TokenPatch, body), at);
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
}

type Parsed = { scopes?: string[] | undefined; expiresAt?: number | null | undefined };

function checked<T extends Parsed>(input: T, at: number): T {
  const details: Detail[] = [];
  const scopes = input.scopes && parseScopes(input.scopes, details);
  if (typeof input.expiresAt === "number" && input.expiresAt <= at) {
    const message = "The time has passed already";
    details.push({ field: "expiresAt", code: "TOO_SMALL", message });
  }
  if (details.length > 0) throw new Refusal("VALIDATION_FAILED", { details });
  return scopes === undefined ? input : { ...input, scopes };
}
