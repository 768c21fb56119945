/**
 * The current inputs of rendering. The same object is returned until an input changes, so that derived values
 * can be cached by it.
 *
 * @module
 */
import type { Schema } from "../../kv/model/entities/collection.ts";
import { DayFormat } from "./views/date_view.ts";
import type { MediaFacts } from "./views/media_view.ts";
import { siteFacts, type SiteMedium } from "./site_facts.ts";
import type { Theme } from "./theme/theme.ts";
import type { Rendering } from "./views/view.ts";

/** The sources of a rendering. */
export interface RenderingSourceOptions {
  settings: () => Promise<Record<string, unknown>>;
  schema: () => Promise<Schema>;
  theme: () => Promise<Theme> | Theme;
  /** A file by id; null if it does not exist. Used only for the site's own images. */
  medium?: (id: string) => Promise<MediaFacts | null>;
  /** Ids of collections in which nothing is published. */
  empty?: () => Promise<readonly string[]>;
  /** Milliseconds since the epoch. */
  now?: () => number;
  /** Wins over the setting `site.url`. */
  baseUrl?: string;
  release?: string;
}

/** Puts renderings together and keeps the newest. */
export class RenderingSource {
  readonly #options: RenderingSourceOptions;
  #newest: { facts: string; rendering: Rendering } | null = null;

  constructor(options: RenderingSourceOptions) {
    this.#options = options;
  }

  /** The rendering now. */
  async current(): Promise<Rendering> {
    const { settings, schema, theme, baseUrl, release } = this.#options;
    const [values, newSchema, newTheme, empty = []] = await Promise.all([
      settings(),
      schema(),
      theme(),
      this.#options.empty?.(),
    ]);
    const site = siteFacts(values, baseUrl);
    await Promise.all([site.logo, site.image, site.icon].map((one) => this.#fill(one)));
    const { now } = this.#options;
    const day = now === undefined ? undefined : Math.floor(now() / 86_400_000);
    const facts = JSON.stringify([site, empty, day]);
    const known = this.#newest;
    const isSame = known?.facts === facts && known.rendering.schema === newSchema &&
      known.rendering.theme === newTheme;
    if (isSame) return known.rendering;
    const rendering = {
      site,
      schema: newSchema,
      theme: newTheme,
      days: new DayFormat(site),
      ...(release !== undefined && { release }),
      ...(day !== undefined && { day }),
      ...(empty.length > 0 && { empty: new Set(empty) }),
    };
    this.#newest = { facts, rendering };
    return rendering;
  }

  async #fill(given: SiteMedium | undefined): Promise<void> {
    const medium = given && await this.#options.medium?.(given.id);
    if (medium) given.medium = medium;
  }
}
