/**
 * API tokens as they are kept.
 *
 * @module
 */
import { z } from "zod";
import { unchecked } from "./state_member.ts";

/** The state of a token; of its secret only hashes are kept. Times are epoch seconds. */
export const TokenState = z.object({
  id: z.ulid(),
  name: z.string(),
  scopes: z.array(z.string()),
  quotaPerMinute: z.int().positive(),
  allowedOrigins: z.array(z.string()),
  expiresAt: unchecked<number | null>(),
  revokedAt: unchecked<number | null>(),
  createdAt: unchecked<number>(),
  updatedAt: unchecked<number>(),
  hash: z.string().min(1),
  /** The hash before the last rotation, valid for a while. */
  previousHash: unchecked<string | null>(),
  previousUntil: unchecked<number | null>(),
  /** The languages that it may write in; absent or null for all. */
  languages: unchecked<string[] | null>().exactOptional(),
  /** The user for whom a program acts; only OAuth grants have one. */
  userId: unchecked<string>().exactOptional(),
});
export type TokenState = z.infer<typeof TokenState>;
