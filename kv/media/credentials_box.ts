/**
 * The box of an ISO base media file that holds Content Credentials: a `uuid` box of their type, in which
 * the purpose and an offset stand before the manifest.
 *
 * @module
 */
import { joinBytes } from "../objects/object_bytes.ts";
import type { CredentialsCollector } from "./formats/content_credentials.ts";

const TYPE = "\xd8\xfe\xc3\xd6\x1b\x0eH<\x92\x97X(\x87~\xc4\x81";
const PURPOSE = "manifest\0";
/** Type, version and flags, purpose, offset. */
const HEAD_BYTES = 16 + 4 + PURPOSE.length + 8;

/** Follows a box that is left out, and takes the manifest if it is the one that holds it. */
export class CredentialsBox {
  readonly #credentials: CredentialsCollector;
  #head: Uint8Array | null = new Uint8Array();
  #isWanted: boolean;

  constructor(type: string, credentials: CredentialsCollector) {
    this.#isWanted = type === "uuid";
    this.#credentials = credentials;
  }

  push(piece: Uint8Array): void {
    if (!this.#isWanted) return;
    if (this.#head === null) return this.#credentials.add(piece);
    const bytes = joinBytes([this.#head, piece]);
    this.#head = bytes;
    if (bytes.byteLength < HEAD_BYTES) return;
    this.#head = null;
    const head = String.fromCharCode(...bytes.subarray(0, HEAD_BYTES));
    this.#isWanted = head.startsWith(TYPE) && head.startsWith(PURPOSE, 20);
    if (this.#isWanted) this.#credentials.add(bytes.subarray(HEAD_BYTES));
  }
}
