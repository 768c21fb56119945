/**
 * Entity tags of documents and lists, and the conditions that requests make with them.
 *
 * @module
 */

/** The tag of a document: its version, and the schema that shaped its representation. */
export function documentTag(n: number, schemaStamp: string | null): string {
  return `"${n}.${schemaStamp ?? "0"}"`;
}

/** The tag of a list: the collection's index version, the schema, and what the token may see. */
export function listTag(
  indexStamp: string | null,
  schemaStamp: string | null,
  visible: readonly string[],
): string {
  return `"${indexStamp ?? "0"}.${schemaStamp ?? "0"}.${visible.length}"`;
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
export function versionCondition(ifMatch: string | null): ((n: number) => boolean) | undefined {
  if (ifMatch === null) return undefined;
  if (ifMatch.trim() === "*") return () => true;
  const versions = tagsOf(ifMatch).map((tag) => /^"(\d+)\./.exec(tag)?.[1]);
  return (n) => versions.includes(String(n));
}

function tagsOf(header: string): string[] {
  return header.match(/(?:W\/)?"[^"]*"/g) ?? [];
}
