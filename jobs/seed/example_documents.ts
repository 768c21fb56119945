/**
 * The documents of the example site, from the data in `example_articles.json` and `example_content.json`.
 * References and media are names here; they become ids when the documents are created.
 *
 * @module
 */
import type { Json } from "../../kv/model/entities/entity.ts";
import ARTICLES from "./example_articles.json" with { type: "json" };
import CONTENT from "./example_content.json" with { type: "json" };

/** The text of an article. */
interface ArticleText {
  slug: string;
  title: string;
  standfirst: string;
  section: string;
  tags: string[];
  /** Slug of the author. */
  author: string;
  /** Name of a picture. */
  cover: string;
  paragraphs: string[];
  /** Published if absent. */
  status?: "draft" | "scheduled" | "archived";
}

/** All articles, oldest first. */
const ARTICLE_TEXTS = ARTICLES as readonly ArticleText[];

/** A document that is to be. */
export interface SeedDocument {
  collection: string;
  /** Names the document among all others, for good; also its slug. */
  slug: string;
  title: string;
  status: "published" | "draft" | "scheduled" | "archived";
  /** Before how many days it was published; today, unless said. */
  daysAgo?: number;
  values: { [name: string]: Json };
  blocks?: Json[];
}

/** Days between two articles, and between two notes: a magazine was not written in one day. */
const DAYS_BETWEEN = 5;

/** A placeholder for the id of a document or file. */
const documentRef = (collection: string, slug: string): string => `document:${collection}/${slug}`;
const mediaRef = (name: string): string => `media:${name}`;

/** Images by name, with their alt texts. */
export const PICTURES: Readonly<Record<string, string>> = CONTENT.pictures;

/** Portable Text of paragraphs; a line that begins with `## ` is a heading, with `- ` a list entry. */
export function prose(...lines: string[]): Json {
  return lines.map((line, index) => {
    const heading = line.startsWith("## ");
    const entry = line.startsWith("- ");
    return {
      _type: "block",
      _key: `p${index}`,
      style: heading ? "h2" : "normal",
      ...(entry && { listItem: "bullet", level: 1 }),
      markDefs: [],
      children: [{
        _type: "span",
        _key: "s",
        text: line.replace(/^(?:## |- )/, ""),
        marks: [],
      }],
    };
  });
}

function authors(): SeedDocument[] {
  return CONTENT.authors.map(({ slug, title, role, bio, portrait }) => ({
    collection: "authors",
    slug,
    title,
    status: "published",
    values: {
      role,
      bio: prose(bio, "Reads every letter, and answers most of them."),
      portrait: mediaRef(portrait),
      contact: `${slug}@lantern.example`,
      website: `https://lantern.example/people/${slug}`,
    },
  }));
}

function article(one: ArticleText, index: number): SeedDocument {
  const { slug, title, standfirst, section, tags, author, cover, paragraphs, status } = one;
  const before = ARTICLE_TEXTS[index - 1];
  const words = paragraphs.join(" ").split(" ").length;
  return {
    collection: "articles",
    slug,
    title,
    status: status ?? "published",
    daysAgo: 1 + DAYS_BETWEEN * index,
    values: {
      standfirst,
      body: prose(...paragraphs),
      section,
      tags,
      author: documentRef("authors", author),
      ...(before?.status === undefined && before !== undefined && {
        related: documentRef("articles", before.slug),
      }),
      cover: mediaRef(cover),
      minutes: Math.max(1, Math.round(words / 40)),
      featured: index % 6 === 0,
      sources: [{ name: "The Lantern archive", link: "https://lantern.example/archive" }],
      seo: { description: standfirst },
      extras: index % 3 === 0
        ? [{
          type: "quote",
          id: `q${index}`,
          data: { words: standfirst, speaker: "From the text" },
        }]
        : [],
      facts: { words, issue: 1 + Math.floor(index / 6) },
    },
    ...(index % 4 === 0 && {
      blocks: [{
        type: "picture",
        id: `b${index}`,
        data: { image: mediaRef(cover), caption: `About: ${title}` },
      }],
    }),
  };
}

/** Spring of 2027, so that events of the example site are upcoming. */
const SEASON = Date.UTC(2027, 2, 1, 18) / 1000;

function events(): SeedDocument[] {
  return CONTENT.events.map(({ slug, title, days, price, picture, hosts }) => ({
    collection: "events",
    slug,
    title,
    status: "published",
    values: {
      startsAt: SEASON + days * 86_400,
      price,
      outdoors: price < 10,
      poster: mediaRef(picture),
      hosts: hosts.map((host) => documentRef("authors", host)),
      tickets: `https://lantern.example/tickets/${slug}`,
      contact: "events@lantern.example",
      venue: { name: "The old signal house", street: "Quay 4" },
      programme: [
        { time: "18:00", what: "Doors" },
        { time: "18:30", what: title },
        { time: "21:00", what: "Tea and talk" },
      ],
      about: prose(`${title}: an evening with the people who make the magazine.`, "Bring a coat."),
    },
  }));
}

function notes(): SeedDocument[] {
  return CONTENT.notes.map(({ slug, title, line }, index) => ({
    collection: "notes",
    slug,
    title,
    status: index === CONTENT.notes.length - 1 ? "draft" : "published",
    daysAgo: 3 + DAYS_BETWEEN * index,
    values: { body: prose(line), code: `N-${String(index + 1).padStart(3, "0")}` },
  }));
}

/** Every document, those first that others refer to. */
export function seedDocuments(): SeedDocument[] {
  return [...authors(), ...ARTICLE_TEXTS.map(article), ...events(), ...notes()];
}
