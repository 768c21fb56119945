/**
 * Entity tags of documents and lists, and the conditions that requests make with them.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { StoredDocument } from "../../../kv/documents/write.ts";
import type { DocumentState } from "../../../kv/model/entities/document.ts";
import { sha256 } from "../../../kv/model/values/sha256.ts";

/**
 * What forbids whoever passes a document on to compress it, older runtimes among them: they would make
 * its strong tag a weak one, which `If-Match` never matches.
 */
export const NO_TRANSFORM = "no-transform";

/**
 * The tag of a document: its version, and the schema that shaped its representation. It names the
 * document too: the address of a slug may come to mean another one. A variant is a representation of some
 * keys, or with included documents, of which it says all that the answer depends on.
 */
export function documentTag(
  { state: { id }, n }: StoredDocument,
  schemaStamp: string | null,
  variant?: string,
): string {
  return `"${id}.${n}.${schemaStamp ?? "0"}${variant === undefined ? "" : `.${variant}`}"`;
}

/** The tag of a list: the collection's index version, the schema, what the token may see, what it asks. */
export function listTag(
  indexStamp: string | null,
  schemaStamp: string | null,
  visible: readonly string[],
  search: string,
): string {
  const asked = sha256(search).slice(0, 16);
  return `"${indexStamp ?? "0"}.${schemaStamp ?? "0"}.${visible.length}.${asked}"`;
}

/**
 * The tag of what a token is shown that may see no drafts: a version would tell that somebody works on what
 * it may not see. `asked` tells questions with the same answer apart.
 */
export function publicTag(asked: string, text: string): string {
  return `"${sha256(asked, "\n", text).slice(0, 32)}"`;
}

/** The same tag of a text that is never whole in memory. */
export class PublicTagHash {
  readonly #hash = createHash("sha256");

  constructor(asked: string) {
    this.#hash.update(`${asked}\n`);
  }

  add(text: string): void {
    this.#hash.update(text);
  }

  tag(): string {
    return `"${this.#hash.digest("hex").slice(0, 32)}"`;
  }
}

/**
 * The tag of a document to such a token. `If-Match` looks at its beginning, which is the same for every form
 * in which this state is shown.
 */
export function publicDocumentTag(state: DocumentState, asked: string, text: string): string {
  return `"${state.id}.${publicDigest(state)}.${sha256(asked, "\n", text).slice(0, 16)}"`;
}

/** A digest of what the public sees of a document. */
function publicDigest(state: DocumentState): string {
  const { title, slug, status, data, blocks, publishedAt, updatedAt } = state;
  const seen = [title, slug, status, data, blocks, publishedAt, updatedAt];
  return sha256(JSON.stringify(seen)).slice(0, 24);
}

/** The tag of what is nothing but its text. */
export function textTag(text: string): string {
  return `"${sha256(text).slice(0, 32)}"`;
}

/** Whether `If-Match` names a tag; a weak one never does. */
export function isMatched(ifMatch: string, tag: string): boolean {
  return ifMatch.trim() === "*" || tagsOf(ifMatch).includes(tag);
}

/** Whether `If-None-Match` says that the client has this representation already. */
export function isFresh(ifNoneMatch: string | null, tag: string): boolean {
  if (ifNoneMatch === null) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return tagsOf(ifNoneMatch).some((candidate) => candidate.replace(/^W\//, "") === tag);
}

/**
 * The condition of an `If-Match` header on a document's version number; undefined without one. Only the
 * version counts: a schema that changed meanwhile changes the representation, not the document.
 */
export function versionCondition(
  ifMatch: string | null,
): ((n: number, id: string, state?: DocumentState | null) => boolean) | undefined {
  if (ifMatch === null) return undefined;
  if (ifMatch.trim() === "*") return () => true;
  const tags = tagsOf(ifMatch);
  return (n, id, state) =>
    tags.some((tag) =>
      tag.startsWith(`"${id}.${n}.`) ||
      (state != null && tag.startsWith(`"${id}.${publicDigest(state)}.`))
    );
}

function tagsOf(header: string): string[] {
  return header.match(/(?:W\/)?"[^"]*"/g) ?? [];
}
