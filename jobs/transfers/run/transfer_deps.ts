/**
 * What transfers are run with.
 *
 * @module
 */
import type { Content } from "../../../kv/documents/content.ts";
import type { DocumentReader } from "../../../kv/documents/reader.ts";
import type { Settings } from "../../../kv/sources/settings.ts";
import type { GuardedRequest } from "../../network/guarded_request.ts";

/** Dependencies of transfers. */
export interface TransferDeps {
  content: Content;
  reader: DocumentReader;
  settings: Pick<Settings, "get" | "stage">;
  /** Fetches sources and media. */
  request: GuardedRequest;
}
