/**
 * The entries of feeds, independent of the format.
 *
 * @module
 */
import { fieldType } from "../../../kv/model/fields/types/registry.ts";
import type { Collection } from "../../../kv/model/entities/collection.ts";
import type { PublishedDocument } from "../../../kv/model/entities/page.ts";
import { uuidOf } from "../../../kv/model/values/ulid.ts";
import { bylineViews } from "../views/byline_view.ts";
import { coverOf } from "../views/cover.ts";
import { excerptOf } from "../views/excerpt.ts";
import { fieldRole } from "../views/field_role.ts";
import { escapeMarkup, printable } from "../markup.ts";
import { type MediaView, pictureView } from "../views/media_view.ts";
import { PairMemo } from "../pair_memo.ts";
import { type SharedImage, sharedImage } from "../views/shared_image.ts";
import { documentPath, type SiteFacts } from "../site_facts.ts";
import { cutUpTo } from "../views/srcset.ts";
import { type Lookup, type Rendering, Viewer } from "../views/view.ts";

/** Pixels of the side of a face. */
const AVATAR_PIXELS = 480;

/** A feed follows no other references than those to covers and authors. */
export const NOTHING: Lookup = { medium: () => null, document: () => null };

/** A document in a feed. */
export interface FeedEntry {
  id: string;
  /** The same for formats that know no ULIDs. */
  uuid: string;
  url: string;
  title: string;
  summary: string;
  html: string;
  /** The same as the text of an XML element. */
  escapedHtml: string;
  /** Choices that it is tagged with. */
  topics: string[];
  /** The authors; without a URL if they have no page. */
  authors: { name: string; url?: string; avatar?: string }[];
  /** Its cover. */
  image: SharedImage | null;
  publishedAt: number;
  updatedAt: number;
}

/** The parts of an entry that come from the document itself. */
type FeedText = Pick<
  FeedEntry,
  "uuid" | "title" | "summary" | "html" | "escapedHtml" | "topics"
>;

/** Most of the newest documents were in the last feeds too, and each is in those of its collection and of the site. */
const texts = new PairMemo<Rendering, PublishedDocument, FeedText>();

/** A document as a feed entry; null if its collection was deleted. */
export function entryOf(
  rendering: Rendering,
  document: PublishedDocument,
  lookup: Lookup,
): FeedEntry | null {
  const collection = rendering.schema.byId.get(document.collectionId);
  if (collection === undefined) return null;
  const coverId = coverOf(document, collection);
  const cover = pictureView(rendering.site, coverId === null ? null : lookup.medium(coverId));
  return {
    id: document.id,
    url: rendering.site.url + documentPath(collection, document.slug),
    ...texts.of(rendering, document, () => textOf(rendering, document, collection)),
    authors: bylineViews(rendering, document, collection, lookup)
      .map(({ value: { title, path }, image }) => ({
        name: printable(title),
        ...(path !== null && { url: rendering.site.url + path }),
        ...(image !== null && { avatar: avatarOf(rendering.site, image) }),
      })),
    image: cover && sharedImage(rendering.site, cover),
    publishedAt: document.publishedAt ?? document.createdAt,
    updatedAt: document.updatedAt,
  };
}

function textOf(
  rendering: Rendering,
  document: PublishedDocument,
  collection: Collection,
): FeedText {
  const html = printable(bodyOf(rendering, document, collection));
  return {
    uuid: uuidOf(document.id),
    title: printable(document.title),
    summary: printable(excerptOf(document, collection)),
    html,
    escapedHtml: escapeMarkup(html),
    topics: topicsOf(document, collection),
  };
}

/** A face as readers of feeds show it: a square, where images are cut. */
function avatarOf({ url }: SiteFacts, { cuts: { square } }: MediaView): string {
  return url + cutUpTo(square, AVATAR_PIXELS).path;
}

/** Tags from choice fields only: referenced documents are not looked up for a feed. */
function topicsOf(document: PublishedDocument, { fields }: Collection): string[] {
  return fields.filter((field) => field.options.choices && fieldRole(field) === "tags")
    .flatMap(({ key }) => document.data[key] ?? [])
    .filter((choice) => typeof choice === "string").map(printable);
}

/** The rich text of a document, with absolute links: a feed reader has no address to start from. */
function bodyOf(rendering: Rendering, document: PublishedDocument, collection: Collection): string {
  const viewer = new Viewer(rendering, NOTHING);
  const texts = collection.fields.filter((field) => fieldType(field.type).richText)
    .map((field) => viewer.richText(document.data[field.key]).markup);
  return texts.join("\n").replaceAll(/(<a href=")(?=\/)/g, `$1${encodeURI(rendering.site.url)}`);
}

/** An XML element of text. */
export function element(name: string, text: string): string {
  return `<${name}>${escapeMarkup(text)}</${name}>`;
}

/** A picture in the vocabulary of Media RSS, which readers take in either kind of XML. */
export function mediaContent({ url, mime, width, height, alt }: SharedImage): string {
  const described = alt === "" ? "" : element("media:description", printable(alt));
  return `<media:content url="${escapeMarkup(url)}" medium="image" type="${mime}" ` +
    `width="${width}" height="${height}">${described}</media:content>`;
}
