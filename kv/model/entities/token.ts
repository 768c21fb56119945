/**
 * API tokens as they are kept.
 *
 * @module
 */

/** The state of a token; of its secret only hashes are kept. Times are epoch seconds. */
export interface TokenState {
  id: string;
  name: string;
  scopes: string[];
  quotaPerMinute: number;
  allowedOrigins: string[];
  expiresAt: number | null;
  revokedAt: number | null;
  createdAt: number;
  updatedAt: number;
  hash: string;
  /** The hash before the last rotation, valid for a while. */
  previousHash: string | null;
  previousUntil: number | null;
  /** The languages that it may write in; absent or null for all. */
  languages?: string[] | null;
  /** The user for whom a program acts; only OAuth grants have one. */
  userId?: string;
}
