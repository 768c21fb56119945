/**
 * Values of fields in the narrow cells of a list.
 *
 * @module
 */
import { isPicture } from "../../../kv/model/entities/media.ts";
import type { Child } from "@hono/hono/jsx";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { idsIn } from "../../../kv/model/fields/referenced_ids.ts";
import { thumbnailUrl } from "../picture_address.ts";
import { Time } from "../components/time.tsx";
import type { Visit } from "../serving/studio_env.ts";
import type { Referenced } from "./referenced.ts";

/** Characters of a text in a cell. */
const CELL_CHARS = 80;

/** The context of a cell; its value is not null. */
export interface CellScope {
  visit: Visit;
  referenced: Referenced;
}

/** A value in a list. */
export type Cell = (value: Json, scope: CellScope) => Child;

/** The beginning of a text. */
export const textCell: Cell = (value) => {
  const text = String(value);
  return text.length > CELL_CHARS ? `${text.slice(0, CELL_CHARS)}…` : text;
};

/** A number with separators. */
export const numberCell: Cell = (value) => (
  <span class="number">{Number(value).toLocaleString("en")}</span>
);

/** A flag in words. */
export const booleanCell: Cell = (value) => value ? "Yes" : "No";

/** An instant in the site's time zone. */
export const timeCell: Cell = (value, { visit }) => <Time at={Number(value)} clock={visit} exact />;

/** Several texts. */
export const listCell: Cell = (value) => (value as string[]).join(", ");

/** The title of a document. */
export const documentCell: Cell = (value, { referenced }) =>
  referenced.documents.get(String(value))?.title ?? <span class="muted">Deleted</span>;

/** The titles of several documents. */
export const documentsCell: Cell = (value, { referenced }) =>
  idsIn(value).map((id) => referenced.documents.get(id)?.title ?? "Deleted").join(", ");

/** A medium, small. */
export const mediumCell: Cell = (value, { referenced }) => {
  const medium = referenced.media.get(String(value));
  if (medium === undefined) return <span class="muted">Deleted</span>;
  if (!isPicture(medium.mime)) return medium.filename;
  return <img class="thumb" src={thumbnailUrl(medium.url, 160)} alt={medium.alt} loading="lazy" />;
};
