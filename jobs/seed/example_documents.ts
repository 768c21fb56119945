/**
 * The documents of the example site. References and media are names here; they become ids when the
 * documents are made.
 *
 * @module
 */
import type { Json } from "../../kv/model/entities/entity.ts";
import { ARTICLE_TEXTS, type ArticleText } from "./example_articles.ts";

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

/** Stands for the id of a document or medium until it is known. */
const documentRef = (collection: string, slug: string): string => `document:${collection}/${slug}`;
const mediaRef = (name: string): string => `media:${name}`;

/** Pictures, by name, with their alternative texts. */
export const PICTURES: Readonly<Record<string, string>> = {
  lamp: "A low sun over violet ridges",
  harbour: "A pale sun over copper-coloured ridges at dusk",
  storm: "A full moon over dark blue ridges",
  workshop: "The moon over the shoulder of a ridge at night",
  ridge: "Grey ridges one behind the other in morning mist",
  signal: "The moon over ridges in a blue night",
  garden: "A violet evening over many ridges",
  observatory: "A white sun over ridges of sand",
  portrait: "Morning light over grey ridges",
};

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

const PEOPLE: [slug: string, name: string, role: string, bio: string][] = [
  ["ines-moreau", "Inès Moreau", "Editor", "Inès collects lamps that nobody can switch off."],
  ["tomas-lind", "Tomáš Lind", "Weather", "Tomáš has kept a barometer diary since he was nine."],
  ["hana-okafor", "Hana Okafor", "Machines", "Hana repairs what others have given up on."],
  ["jonas-weiss", "Jonas Weiß", "Photography", "Jonas waits for the minute after sunset."],
  ["mei-tanaka", "Mei Tanaka", "Places", "Mei walks every coast twice, once in each direction."],
  ["samuel-reyes", "Samuel Reyes", "Columns", "Samuel writes letters to appliances."],
];

/** Nobody's face: a view by which each of them is known. */
const FACES = ["portrait", "garden", "workshop", "observatory", "harbour", "signal"];

function authors(): SeedDocument[] {
  return PEOPLE.map(([slug, title, role, bio], index) => ({
    collection: "authors",
    slug,
    title,
    status: "published",
    values: {
      role,
      bio: prose(bio, "Reads every letter, and answers most of them."),
      portrait: mediaRef(FACES[index % FACES.length]!),
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
      seo: { heading: title, summary: standfirst },
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

const EVENINGS: [slug: string, title: string, days: number, price: number, picture: string][] = [
  ["night-walk", "Night walk along the old harbour", 9, 0, "harbour"],
  ["lamp-repair-cafe", "Lamp repair café", 16, 5, "workshop"],
  ["storm-watching", "Storm watching from the ridge", 23, 12, "storm"],
  ["open-observatory", "Open observatory", 37, 8.5, "observatory"],
  ["garden-of-lights", "The garden of lights", 51, 15, "garden"],
  ["readers-dinner", "Readers’ dinner", 65, 32, "lamp"],
];

/** Spring of 2027: the example site always looks ahead. */
const SEASON = Date.UTC(2027, 2, 1, 18) / 1000;

function events(): SeedDocument[] {
  return EVENINGS.map(([slug, title, days, price, picture]) => ({
    collection: "events",
    slug,
    title,
    status: "published",
    values: {
      startsAt: SEASON + days * 86_400,
      price,
      outdoors: price < 10,
      poster: mediaRef(picture),
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

const SHORT: [slug: string, title: string, line: string][] = [
  ["first-frost", "First frost", "The first frost came on a Tuesday, and the lamps hummed."],
  ["blue-hour", "Blue hour", "Eleven minutes, if the sky is clear; four, if you are late."],
  ["spare-parts", "Spare parts", "A drawer of screws is a library of other people’s ideas."],
  ["low-tide", "Low tide", "At low tide the pier is twice as tall and half as sure of itself."],
  ["a-letter", "A letter", "Dear toaster, you have always known when to let go."],
  ["fog-signal", "Fog signal", "The fog signal was heard in three counties and understood in one."],
  ["second-hand", "Second hand", "Every second-hand lamp comes with a shadow of its own."],
  ["window", "Window", "One lit window is a story, two are a street."],
];

function notes(): SeedDocument[] {
  return SHORT.map(([slug, title, line], index) => ({
    collection: "notes",
    slug,
    title,
    status: index === SHORT.length - 1 ? "draft" : "published",
    daysAgo: 3 + DAYS_BETWEEN * index,
    values: { body: prose(line), code: `N-${String(index + 1).padStart(3, "0")}` },
  }));
}

/** Every document, those first that others refer to. */
export function seedDocuments(): SeedDocument[] {
  return [...authors(), ...ARTICLE_TEXTS.map(article), ...events(), ...notes()];
}
