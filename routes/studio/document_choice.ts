/**
 * What the dialog of a reference is told of a document.
 *
 * @module
 */

/** A document in the dialog of a reference. */
export interface DocumentChoice {
  id: string;
  title: string;
  /** The name of its collection. */
  collection: string;
  status: string;
  statusLabel: string;
  /** What tells it from others of its title: where it stands, and when it was changed. */
  note: string;
  /** Address of its image; null where it has none, left out where documents of its collection have none. */
  image?: string | null;
}
