/**
 * The position of a field's values on the public site. The field's definition may set it (`options.role`);
 * otherwise it follows from type and name.
 *
 * @module
 */

/**
 * `body` is read from top to bottom, `facts` stand in a table, `tags` say what a document is about, `byline`
 * who made it, `date` when it takes place, instead of the day on which it was published, `standfirst` sums it up
 * below the title, `cover` is its picture, in lists too, and `related` leads on from its end. What is `hidden` is printed by templates that ask for it by name, never by a list
 * of fields.
 */
export const FIELD_ROLES = [
  "body",
  "facts",
  "tags",
  "byline",
  "date",
  "standfirst",
  "cover",
  "related",
  "hidden",
] as const;

/** Names of metadata for search engines and social networks. */
const MACHINE_NAMES = /^(?:seo|meta|og|openGraph|social|twitter|robots|canonical)(?![a-z])/;

/** Whether a field's name says that it is for machines. */
export function isForMachines({ name }: { name: string }): boolean {
  return MACHINE_NAMES.test(name);
}

/** The role of a field. */
export type FieldRole = typeof FIELD_ROLES[number];
