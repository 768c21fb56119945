/**
 * The site's color and typeface as a small style sheet. Its URL contains all parameters, so that nothing is
 * stored, also for a preview.
 *
 * @module
 */
import { SITE_FONTS } from "../../../kv/model/entities/setting.ts";
import { PAPERS, readable } from "./readable_color.ts";
import type { SiteFacts } from "../site_facts.ts";

/** The accent of the default theme. */
export const DEFAULT_ACCENT = "#9a3412";

/** Font stacks; the first is the theme's default. */
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

/** Path of the style sheet of a site's look; null if it equals the theme's. */
export function lookPath({ look }: SiteFacts): string | null {
  if (look === undefined) return null;
  return `/assets/look/${look.accent?.slice(1) ?? "theme"}-${look.font ?? SITE_FONTS[0]}.css`;
}

/** The style sheet at a path; null if there is none. */
export function lookStyleSheet(path: string): string | null {
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
