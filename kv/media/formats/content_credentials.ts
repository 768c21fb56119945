/**
 * Content Credentials (C2PA) in a file: collected while the file passes, and read as far as they say who
 * signed them. Nothing is verified: a reader who wants to know fetches the manifest and checks it.
 *
 * @module
 */
import { X509Certificate } from "node:crypto";
import { joinBytes } from "../../objects/object_bytes.ts";
import { CREDENTIALS_BYTES_MAX, CREDENTIALS_NAME_CHARS_MAX } from "../../model/limits.ts";
import { Refusal } from "../../refusals.ts";
import { boxesOf } from "../bmff_box.ts";
import type { CredentialsFacts } from "../../model/media_credentials.ts";

/** The type of a JUMBF box that holds manifests: `c2pa` and the ending that such types share. */
const STORE_TYPE = "c2pa\x00\x11\x00\x10\x80\x00\x00\xaa\x00\x38\x9b\x71";
/** COSE header that holds the chain of certificates, the signer's first (RFC 9360). */
const X5CHAIN = [33, "x5chain"];
const CLAIMS = ["c2pa.claim.v2", "c2pa.claim"];
const SIGNATURE = "c2pa.signature";

/** Takes the manifest store of a file piece by piece. */
export class CredentialsCollector {
  /** By number: a JPEG may have its segments in any order. */
  readonly #pieces: { order: number; bytes: Uint8Array }[] = [];
  #length = 0;

  /** Takes a piece; those of one order stay as they come. */
  add(piece: Uint8Array, order = 0): void {
    this.#length += piece.byteLength;
    if (this.#length > CREDENTIALS_BYTES_MAX) {
      const about = `Content Credentials have at most ${CREDENTIALS_BYTES_MAX / 1e6} MB`;
      throw new Refusal("PAYLOAD_TOO_LARGE", { about });
    }
    this.#pieces.push({ order, bytes: piece.slice() });
  }

  /** The manifest store; null when the file has none. */
  bytes(): Uint8Array | null {
    if (this.#length === 0) return null;
    const pieces = this.#pieces.toSorted((a, b) => a.order - b.order);
    const bytes = joinBytes(pieces.map((piece) => piece.bytes));
    return isManifestStore(bytes) ? bytes : null;
  }
}

/** Bytes in which a manifest store says what it is. */
export const MANIFEST_HEAD_BYTES = 32;

/** Whether bytes begin like a manifest store: a JUMBF box of its type. */
export function isManifestStore(bytes: Uint8Array): boolean {
  const text = String.fromCharCode(...bytes.subarray(4, MANIFEST_HEAD_BYTES));
  return text.slice(0, 4) === "jumb" && text.slice(8) === `jumd${STORE_TYPE}`;
}

/** The facts that the newest manifest of a store states; empty if it cannot be read. */
export async function readCredentials(store: Uint8Array): Promise<CredentialsFacts> {
  try {
    const [box] = [...boxesOf(store)];
    if (box === undefined) return {};
    const manifest = superboxes(store.subarray(box.headBytes, box.end)).at(-1);
    if (manifest === undefined) return {};
    const parts = superboxes(manifest.content);
    const part = (label: string) => parts.find((one) => one.label === label)?.content;
    const claim = CLAIMS.map(part).find((content) => content !== undefined);
    const signature = part(SIGNATURE);
    return {
      ...(claim !== undefined && await generatorOf(claim)),
      ...(signature !== undefined && await signerOf(signature)),
    };
  } catch {
    // Whatever is wrong with it, the manifest itself is kept for programs that read more of it.
    return {};
  }
}

interface Superbox {
  label: string;
  /** The boxes inside, its description included. */
  content: Uint8Array;
}

/** The superboxes among the boxes inside one. */
function superboxes(content: Uint8Array): Superbox[] {
  const found: Superbox[] = [];
  for (const { type, start, end, headBytes } of boxesOf(content)) {
    if (type !== "jumb") continue;
    const inner = content.subarray(start + headBytes, end);
    found.push({ label: labelOf(inner), content: inner });
  }
  return found;
}

/** The label that the description box of a superbox gives it. */
function labelOf(content: Uint8Array): string {
  for (const { type, start, end, headBytes } of boxesOf(content)) {
    if (type !== "jumd") return "";
    // Behind the type of 16 bytes and a byte of flags.
    const text = content.subarray(start + headBytes + 17, end);
    const length = text.indexOf(0);
    return length < 0 ? "" : new TextDecoder().decode(text.subarray(0, length));
  }
  return "";
}

type Decoded = Map<unknown, unknown>;

async function decodedCbor(content: Uint8Array): Promise<unknown> {
  for (const { type, start, end, headBytes } of boxesOf(content)) {
    if (type === "cbor") return await decodeCbor(content.subarray(start + headBytes, end));
  }
  return null;
}

async function decodeCbor(bytes: Uint8Array): Promise<unknown> {
  // Loaded by the first file that carries credentials.
  const { decode } = await import("cborg");
  // Tags say of values what they mean: dates, signatures. Here the values themselves are enough.
  const value = (inner: () => unknown) => inner();
  const tags = new Proxy<typeof value[]>([], { get: () => value });
  return decode(bytes, { useMaps: true, tags });
}

/** The program that made the claim: in version 2 a map, in version 1 a list of those or a text. */
async function generatorOf(content: Uint8Array): Promise<CredentialsFacts> {
  const claim = await decodedCbor(content);
  if (!(claim instanceof Map)) return {};
  const info = claim.get("claim_generator_info");
  const first = (Array.isArray(info) ? info[0] : info) as Decoded | undefined;
  const named = first instanceof Map ? [first.get("name"), first.get("version")] : [];
  const parts = typeof named[0] === "string" ? named : [claim.get("claim_generator")];
  const text = shown(parts.filter((part) => typeof part === "string").join(" "));
  return text === "" ? {} : { generator: text };
}

/** The subject of the certificate of a COSE signature. */
async function signerOf(content: Uint8Array): Promise<CredentialsFacts> {
  const sign1 = await decodedCbor(content);
  if (!Array.isArray(sign1)) return {};
  const [protectedBytes, unprotected] = sign1;
  const headers = [await decodeCbor(protectedBytes as Uint8Array), unprotected];
  for (const header of headers) {
    if (!(header instanceof Map)) continue;
    for (const name of X5CHAIN) {
      const chain = header.get(name);
      const first = Array.isArray(chain) ? chain[0] : chain;
      if (first instanceof Uint8Array) return subjectOf(first);
    }
  }
  return {};
}

function subjectOf(certificate: Uint8Array): CredentialsFacts {
  const names = new Map<string, string>();
  for (const line of new X509Certificate(certificate).subject.split("\n")) {
    const end = line.indexOf("=");
    if (end > 0) names.set(line.slice(0, end), shown(line.slice(end + 1)));
  }
  const [signer, organization] = [names.get("CN"), names.get("O")];
  return { ...(signer && { signer }), ...(organization && { organization }) };
}

/** A name that a stranger has chosen, on one line. */
function shown(text: string): string {
  const line = text.toWellFormed().replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").trim();
  return [...line].slice(0, CREDENTIALS_NAME_CHARS_MAX).join("");
}
