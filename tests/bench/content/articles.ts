/**
 * The one source of content for benchmarks: articles with fields of every common type, as a newsroom has them.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { Prose } from "./prose.ts";
import type { Script } from "./vocabulary.ts";

const SECTIONS = [
  "World",
  "Business",
  "Science",
  "Sport",
  "Culture",
  "Travel",
  "Opinion",
  "Health",
];
const TOPICS = Array.from({ length: 40 }, (_, n) => `topic-${n + 1}`);
/** The first and last second of the events, in 2020 and 2029. */
const EVENTS = { first: 1_577_836_800, last: 1_893_455_999 };

/** Fields of the collection that articles belong to; `author` refers to the collection `authors`. */
export const ARTICLE_FIELDS: Record<string, Json>[] = [
  { name: "summary", label: "Summary", type: "text", options: { multiline: true } },
  { name: "body", label: "Body", type: "rich_text" },
  {
    name: "section",
    label: "Section",
    type: "select",
    indexed: true,
    sortable: true,
    options: { choices: SECTIONS },
  },
  {
    name: "topics",
    label: "Topics",
    type: "multi_select",
    indexed: true,
    options: { choices: TOPICS },
  },
  { name: "rating", label: "Rating", type: "number", indexed: true, sortable: true },
  { name: "eventAt", label: "Takes place", type: "datetime", indexed: true, sortable: true },
  { name: "author", label: "Author", type: "reference", options: { collection: "authors" } },
  { name: "cover", label: "Cover", type: "media" },
];

/** An article as a request body. */
export interface Article {
  title: string;
  summary: string;
  body: Json;
  section: string;
  topics: string[];
  rating: number;
  eventAt: number;
  author: string | null;
  cover: string | null;
}

/** What articles refer to; an empty list leaves the field empty. */
export interface ArticleTargets {
  authorIds: string[];
  mediaIds: string[];
}

/** Articles that a seed determines. */
export class Articles {
  readonly #prose: Prose;
  readonly #targets: ArticleTargets;

  constructor(seed = 1, targets: ArticleTargets = { authorIds: [], mediaIds: [] }) {
    this.#prose = new Prose(seed);
    this.#targets = targets;
  }

  /** The next article; `bytes` fixes the length of its body instead of drawing one. */
  next(bytes = this.#prose.length()): Article {
    const prose = this.#prose;
    const script = prose.script();
    return {
      title: prose.title(script),
      summary: prose.text(script, 120),
      body: prose.richText(script, bytes) as Json,
      section: this.#pick(SECTIONS)!,
      topics: this.#topics(),
      rating: prose.between(0, 50) / 10,
      eventAt: prose.between(EVENTS.first, EVENTS.last),
      author: this.#pick(this.#targets.authorIds),
      cover: prose.random() < 0.6 ? this.#pick(this.#targets.mediaIds) : null,
    };
  }

  /** A title and a body of plain text, for collections whose body is a text field. */
  nextPlain(bytes = this.#prose.length()): { title: string; body: string } {
    const script: Script = this.#prose.script();
    return { title: this.#prose.title(script), body: this.#prose.text(script, bytes) };
  }

  #topics(): string[] {
    const topics = new Set<string>();
    // Cubed: a few topics stand on many articles.
    for (let left = this.#prose.between(0, 4); left > 0; left--) {
      topics.add(TOPICS[Math.floor(this.#prose.random() ** 3 * TOPICS.length)]!);
    }
    return [...topics];
  }

  #pick<T>(from: T[]): T | null {
    return from[Math.floor(this.#prose.random() * from.length)] ?? null;
  }
}
