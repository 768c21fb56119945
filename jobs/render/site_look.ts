/**
 * How a site's own colour and typeface change its theme: a small style sheet whose address says all of it, so
 * that it is kept nowhere and a preview needs nothing stored.
 *
 * @module
 */
import { SITE_FONTS } from "../../kv/model/setting.ts";
import type { SiteFacts } from "./site_facts.ts";

/** The accent of the default theme. */
export const DEFAULT_ACCENT = "#9a3412";

/** Papers of the default theme, on which the colour is read. */
const PAPERS = { light: "#fdfcfa", dark: "#161514" } as const;
/** WCAG 2.2 AA for text. */
const READABLE_CONTRAST = 4.5;
/** Parts by which a colour is moved towards black or white until it can be read. */
const STEPS = 40;

/** Stacks of the typefaces; the first is what the theme has anyway. */
const STACKS: Readonly<Record<typeof SITE_FONTS[number], string | null>> = {
  newsreader: null,
  serif: `Charter, "Bitstream Charter", "Sitka Text", Cambria, Georgia, serif`,
  sans:
    `ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif`,
  humanist:
    `Seravek, "Gill Sans Nova", Ubuntu, Calibri, "DejaVu Sans", source-sans-pro, sans-serif`,
  mono: `ui-monospace, "Cascadia Code", Menlo, Consolas, "DejaVu Sans Mono", monospace`,
};

const PATH = /^\/assets\/look\/([0-9a-f]{6}|theme)-([a-z]+)\.css$/;

/** Address of the style sheet of a site's look; null where the theme's own is unchanged. */
export function lookPath({ look }: SiteFacts): string | null {
  if (look === undefined) return null;
  return `/assets/look/${look.accent?.slice(1) ?? "theme"}-${look.font ?? SITE_FONTS[0]}.css`;
}

/** The style sheet at an address; null where there is none. */
export function lookAt(path: string): string | null {
  const [, accent, font] = PATH.exec(path) ?? [];
  if (accent === undefined || !isFont(font)) return null;
  const stack = STACKS[font];
  const light = accent === "theme" ? "" : `--accent: ${readable(`#${accent}`, PAPERS.light)};`;
  const dark = accent === "theme" ? "" : `--accent: ${readable(`#${accent}`, PAPERS.dark)};`;
  const type = stack === null ? "" : `--serif: ${stack};`;
  return `:root { ${light} ${type} }\n@media (prefers-color-scheme: dark) { :root { ${dark} } }\n`;
}

function isFont(name: string | undefined): name is typeof SITE_FONTS[number] {
  return (SITE_FONTS as readonly string[]).includes(name ?? "");
}

/** The colour itself, or the nearest of its mixtures with black or white that can be read on a paper. */
export function readable(colour: string, paper: string): string {
  const from = channels(colour);
  const to = luminance(channels(paper)) > 0.5 ? 0 : 255;
  for (let step = 0; step <= STEPS; step++) {
    const mixed = hex(
      from.map((channel) => Math.round(channel + (to - channel) * step / STEPS)),
    );
    if (contrast(mixed, paper) >= READABLE_CONTRAST) return mixed;
  }
  return hex([to, to, to]);
}

function channels(colour: string): number[] {
  return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
}

function hex(channels: number[]): string {
  return `#${channels.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}

/** Contrast of two colours, 1 to 21 (WCAG 2.2). */
export function contrast(one: string, other: string): number {
  const [dark, light] = [one, other].map((colour) => luminance(channels(colour)))
    .toSorted((a, b) => a - b);
  return (light! + 0.05) / (dark! + 0.05);
}

function luminance(channels: number[]): number {
  const [red, green, blue] = channels.map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}
