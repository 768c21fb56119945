/**
 * What other pages show of a document: its title and address, and its card.
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
 * Stands for what other pages show of a document: as long as it is the same, a change of the document need not render
 * those. What cards show of others, such as names of authors, is followed by itself.
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
