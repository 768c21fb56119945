/**
 * Themes: templates in a language without code, printed with escaping whatever they say, bounded in time
 * and memory, and unable to see any file but the theme's own.
 *
 * @module
 */
import type { Page } from "../../../kv/model/entities/page.ts";
import { sha256 } from "../../../kv/model/values/sha256.ts";
import { PARSE_CHARS_MAX, RENDER_MEMORY_MAX, RENDER_MS_MAX } from "../../limits.ts";
import { DEFAULT_THEME } from "./default/theme.ts";
import { DirectLiquid } from "./direct_liquid.ts";
import { printed } from "../markup.ts";
import { type FramePlace, type FrameValues, ThemeFrames } from "./theme_frames.ts";

/** The files of a theme: templates by name (`document`, `blocks/quote`), assets by name (`site.css`). */
export interface ThemeFiles {
  templates: Readonly<Record<string, string>>;
  assets: Readonly<Record<string, { contentType: string; body: Uint8Array }>>;
}

/** A template that cannot be rendered: the theme is at fault, not the content. */
export class ThemeFault extends Error {
  override name = "ThemeFault";
}

/** A theme, ready to render. Missing templates and assets come from the default theme. */
export class Theme {
  /** Changes with every file: pages rendered with the same digest look the same. */
  readonly digest: string;
  readonly #assets: ThemeFiles["assets"];
  readonly #folder: string;
  readonly #templates: Record<string, string>;
  readonly #mentioned = new Map<string, boolean>();
  readonly #engine: DirectLiquid;
  readonly #frames: ThemeFrames;

  constructor(files: ThemeFiles = DEFAULT_THEME) {
    this.#assets = { ...DEFAULT_THEME.assets, ...files.assets };
    this.#templates = { ...DEFAULT_THEME.templates, ...files.templates };
    const looks = Object.entries(this.#assets).map(([name, { body }]) => `${name}:${sha256(body)}`);
    this.#folder = digestOf(looks);
    this.digest = digestOf([
      ...looks,
      ...Object.entries(this.#templates).map((pair) => pair.join()),
    ]);
    this.#frames = new ThemeFrames(this.#templates);
    this.#engine = new DirectLiquid({
      templates: { ...this.#templates, ...this.#frames.templates },
      cache: true,
      relativeReference: false,
      ownPropertyOnly: true,
      strictFilters: true,
      outputEscape: printed,
      parseLimit: PARSE_CHARS_MAX,
      renderLimit: RENDER_MS_MAX,
      memoryLimit: RENDER_MEMORY_MAX,
    });
    // The one filter that prints text unescaped.
    this.#engine.registerFilter("raw", (value: unknown) => value);
    this.#engine.registerFilter("asset", (name: unknown) => this.assetPath(String(name)));
  }

  /** The path of an asset. All assets are in one hashed folder, so that relative URLs between them work. */
  assetPath(name: string): string {
    return `/assets/${this.#folder}/${name}`;
  }

  /** The assets as pages. */
  assetPages(): Page[] {
    return Object.entries(this.#assets).map(([name, { contentType, body }]) => ({
      path: this.assetPath(name),
      contentType,
      body,
      tags: [],
    }));
  }

  /** Whether there is a template of this name. */
  has(name: string): boolean {
    return Object.hasOwn(this.#templates, name);
  }

  /** Whether any template contains a word, such as the name of a value. */
  mentions(word: string): boolean {
    const known = this.#mentioned.get(word) ??
      Object.values(this.#templates).some((text) => text.includes(word));
    this.#mentioned.set(word, known);
    return known;
  }

  /** Which templates do not parse, and why. */
  parseFaults(): string[] {
    return Object.entries(this.#templates).flatMap(([name, text]) => {
      try {
        this.#engine.parse(text, name);
        return [];
      } catch (error) {
        return [`The template ${name} cannot be parsed: ${reasonOf(error)}`];
      }
    });
  }

  /** Renders a template with the values it may see. */
  render(name: string, values: object): string {
    return this.#rendered(name, () => this.#engine.renderFileSync(name, values));
  }

  /** Renders the template of a page, reusing the frame it shares with other pages of its place. */
  renderPage(name: string, values: FrameValues, place: FramePlace): string {
    return this.#rendered(name, () =>
      this.#frames.render(this.#engine, name, values, place) ??
        this.#engine.renderFileSync(name, values));
  }

  #rendered(name: string, render: () => string): string {
    try {
      return render();
    } catch (cause) {
      throw new ThemeFault(`The template ${name} cannot be rendered: ${reasonOf(cause)}`, {
        cause,
      });
    }
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function digestOf(parts: string[]): string {
  return sha256(parts.toSorted().join("\n")).slice(0, 16);
}
