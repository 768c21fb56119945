/**
 * The description of a system from which its API is read.
 *
 * @module
 */
import type { LiveApi } from "./live_api.ts";

/** A file of an export. */
export interface LiveFile {
  name: string;
  content: AsyncIterable<string>;
}

/** A system with an API. */
export interface LiveSystem {
  /** The address that all requests begin with. */
  base(url: string): string;
  /** The headers of every request. */
  headers(token: string): Promise<Record<string, string>>;
  /** The export, file by file: each is written before the next is asked for. */
  files(api: LiveApi, token: string): AsyncIterable<LiveFile>;
}

/** The header of a bearer token; none without a token. */
export function bearer(token: string): Record<string, string> {
  return token === "" ? {} : { authorization: `Bearer ${token}` };
}
