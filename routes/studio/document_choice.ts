/**
 * A document as the reference picker shows it.
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
  /** Distinguishes documents with the same title: the URL and the time of the last change. */
  note: string;
  /** URL of its image; null without one, absent if the collection has no images. */
  image?: string | null;
}
