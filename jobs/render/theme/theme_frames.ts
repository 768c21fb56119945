/**
 * Shared frames: if a layout depends only on the page's kind, section and head, the frame around the page is
 * rendered once for all such pages.
 *
 * @module
 */
// @ts-types="liquidjs/types"
import type { Liquid } from "liquidjs";
import { Html } from "../markup.ts";

/** The place of a page: pages of one site and place have the same frame. */
export interface FramePlace {
  /** The site values of the frame, without the current menu entry. */
  base: object;
  /** The kind and the section of the page, and the present entries of the menu, as a name. */
  place: string;
}

/** The values of a frame. */
export interface FrameValues {
  site: object;
  page: { kind: unknown; section: unknown; head: Html };
}

/** The markup before, between and after the head and the page. */
type Frame = [before: string, between: string, behind: string];

const HEAD = "\u{f0001}";
const MAIN = "\u{f0002}";

/** A template that is a layout's block and nothing else. */
const FRAMED =
  /^\s*\{%-?\s*layout\s+"([a-z0-9_/-]+)"\s*-?%\}\s*(\{%-?\s*block\s+main\s*-?%\}[^]*\{%-?\s*endblock\s*-?%\})\s*$/;
const BLOCKS = /\{%-?\s*block\s/g;
const TAGS = /\{%-?\s*(#|[a-z]*)/g;
/** Tags that a layout may use: their result depends neither on the page nor on the time. */
const FRAME_TAGS: ReadonlySet<string> = new Set(
  "if elsif else endif unless endunless case when endcase for endfor block endblock comment endcomment #"
    .split(" "),
);
/** Tags with which a page could change the rest of its layout. */
const TOUCHING =
  /\{%-?\s*(?:(?:assign|capture)\s+(?:site|page)\b|include|increment|decrement|liquid|block)/;
const CHANGING = /\b(?:now|today|sample|shuffle)\b/;
const HEAD_SHOWN = /\{\{-?\s*page\.head\s*-?\}\}/g;

/** Splits the templates of a theme into frames and contents. */
export class ThemeFrames {
  /** The parts, as templates by names that no theme has. */
  readonly templates: Record<string, string> = {};
  readonly #layouts = new Map<string, string>();
  readonly #frames = new WeakMap<object, Map<string, Frame>>();
  readonly #unshared = new Set<string>();

  constructor(templates: Readonly<Record<string, string>>) {
    for (const [name, text] of Object.entries(templates)) {
      const [, layout = "", main = ""] = FRAMED.exec(text) ?? [];
      const around = templates[layout];
      if (around === undefined || count(main, BLOCKS) !== 1 || !isFrame(around)) continue;
      if (TOUCHING.test(main.slice(main.indexOf("%}")))) continue;
      this.#layouts.set(name, layout);
      this.templates[mainName(name)] = `{% layout ":main" %}${main}`;
      this.templates[frameName(layout)] =
        `{% layout "${layout}" %}{% block main %}${MAIN}{% endblock %}`;
    }
    this.templates[":main"] = "{% block main %}{% endblock %}";
  }

  /** Renders a page of a theme; null when its frame is its own. */
  render(
    engine: Liquid,
    name: string,
    values: FrameValues,
    { base, place }: FramePlace,
  ): string | null {
    const layout = this.#layouts.get(name);
    if (layout === undefined || this.#unshared.has(layout)) return null;
    const known = this.#frames.get(base) ?? new Map<string, Frame>();
    this.#frames.set(base, known);
    const title = `${layout} ${place}`;
    const frame = known.get(title) ?? renderFrame(engine, layout, values);
    if (frame === null) {
      this.#unshared.add(layout);
      return null;
    }
    known.set(title, frame);
    const main: string = engine.renderFileSync(mainName(name), values);
    return frame[0] + values.page.head.markup + frame[1] + main + frame[2];
  }
}

function renderFrame(
  engine: Liquid,
  layout: string,
  { site, page: { kind, section } }: FrameValues,
): Frame | null {
  if (!showsPlaceOnly(engine, layout)) return null;
  const page = { kind, section, head: new Html(HEAD) };
  const text: string = engine.renderFileSync(frameName(layout), { site, page });
  const [before = "", rest = "", ...heads] = text.split(HEAD);
  const [between = "", behind, ...mains] = rest.split(MAIN);
  if (behind === undefined || heads.length + mains.length > 0) return null;
  return [before, between, behind];
}

/** Whether a layout asks for nothing of its page but its head, its kind and its section. */
function showsPlaceOnly(engine: Liquid, layout: string): boolean {
  const parsed = engine.parseFileSync(layout);
  const asked = engine.globalVariableSegmentsSync(parsed, { partials: false });
  return asked.every(([root, property]) =>
    root === "site" || (root === "page" && ["kind", "section", "head"].includes(`${property}`))
  );
}

function isFrame(text: string): boolean {
  const tags = [...text.matchAll(TAGS)].map(([, tag = ""]) => tag);
  return tags.every((tag) => FRAME_TAGS.has(tag)) && count(text, BLOCKS) === 1 &&
    text.split("page.head").length === 2 && count(text, HEAD_SHOWN) === 1 && !CHANGING.test(text);
}

function count(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].length;
}

const mainName = (name: string) => `:main ${name}`;
const frameName = (layout: string) => `:frame ${layout}`;
