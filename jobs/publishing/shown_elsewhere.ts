/**
 * The parts of a document that other pages show: its title and address, and its card.
 *
 * @module
 */
import type { Collection } from "../../kv/model/entities/collection.ts";
import type { PublishedDocument } from "../../kv/model/entities/page.ts";
import { sha256 } from "../../kv/model/values/sha256.ts";
import type { Rendering } from "../render/views/view.ts";
import { authorsOf } from "../render/views/authors.ts";
import { coverOf } from "../render/views/cover.ts";
import { teaserOf } from "../render/views/teaser.ts";

const DIGEST_CHARS = 16;

/**
 * Represents what other pages show of a document: while it is unchanged, a change of the document does not render
 * those pages again. Changes of what a card shows of others, such as an author's name, are handled separately.
 */
export function shownElsewhere(
  rendering: Rendering,
  document: PublishedDocument,
  collection: Collection,
): string {
  const { updated, ...teaser } = teaserOf(rendering, document, collection);
  const shown = [
    teaser,
    document.slug,
    coverOf(document, collection),
    authorsOf(document, collection),
    ...rendering.theme.mentions("updated") ? [updated] : [],
  ];
  return sha256(JSON.stringify(shown)).slice(0, DIGEST_CHARS);
}
