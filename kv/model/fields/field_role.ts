/**
 * The position of a field's values on the public site. The field's definition may set it (`options.role`);
 * otherwise it follows from type and name.
 *
 * @module
 */

/**
 * What search engines and social networks are given instead of the page's own: its title, its description, the URL of
 * the page that it repeats, whether they must leave it out, and its image.
 */
const SEARCH_ROLES = [
  "searchTitle",
  "searchDescription",
  "canonical",
  "noindex",
  "shareImage",
] as const;

/** The role of a field for search engines and social networks. */
export type SearchRole = typeof SEARCH_ROLES[number];

/**
 * `body` is read from top to bottom, `facts` stand in a table, `tags` say what a document is about, `byline`
 * who made it, `date` when it takes place, instead of the day on which it was published, `standfirst` sums it up
 * below the title, `cover` is its picture, in lists too, and `related` leads on from its end. What is `hidden` is
 * printed by templates that ask for it by name, never by a list of fields; so are the fields for search engines.
 */
const FIELD_ROLES = [
  "body",
  "facts",
  "tags",
  "byline",
  "date",
  "standfirst",
  "cover",
  "related",
  "hidden",
  ...SEARCH_ROLES,
] as const;

/** Names of metadata for search engines and social networks. */
const MACHINE_NAMES = /^(?:seo|meta|og|openGraph|social|twitter|robots|canonical)(?![a-z])/;

/** Whether a field's name says that it is for machines. */
export function isForMachines({ name }: { name: string }): boolean {
  return MACHINE_NAMES.test(name);
}

/** The role of a field. */
export type FieldRole = typeof FIELD_ROLES[number];

/** A role on the page itself. */
export type PageRole = Exclude<FieldRole, SearchRole>;

/** Whether a role is one for search engines and social networks. */
export function isSearchRole(role: string): role is SearchRole {
  return (SEARCH_ROLES as readonly string[]).includes(role);
}
