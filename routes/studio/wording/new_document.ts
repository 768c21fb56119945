/**
 * The label of a new document: the studio says "New author" if its collection has a singular name.
 *
 * @module
 */
import type { Collection } from "../../../kv/model/entities/collection.ts";

/** The words before and after the title, if the document has one already. */
export interface NewDocumentWords {
  before: string;
  after: string;
}

/** The words about a new document of a collection. */
export function newDocumentWords(
  { name, singular }: Pick<Collection, "name" | "singular">,
): NewDocumentWords {
  if (singular === undefined) return { before: "New", after: ` in ${name}` };
  return { before: `New ${inSentence(singular)}`, after: "" };
}

/** "New author", or "New in Authors" if the collection has no singular name. */
export function newDocumentLabel(collection: Pick<Collection, "name" | "singular">): string {
  const { before, after } = newDocumentWords(collection);
  return `${before}${after}`;
}

/** The label of a button on a page that makes the collection clear: "New author" or, without a singular name, "New". */
export function newButtonLabel(collection: Pick<Collection, "name" | "singular">): string {
  return collection.singular === undefined ? "New" : newDocumentLabel(collection);
}

/** A name inside a sentence: its first word in lower case, unless it has capitals inside, such as "FAQ". */
function inSentence(name: string): string {
  const [first = ""] = name.split(" ");
  const hasCapitals = first.slice(1) !== first.slice(1).toLowerCase();
  return hasCapitals ? name : first.toLowerCase() + name.slice(first.length);
}
