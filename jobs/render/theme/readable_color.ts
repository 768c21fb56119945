/**
 * Colors that can be read on the papers of the default theme. It needs nothing else, so that the form in which
 * a color is chosen shows what becomes of it.
 *
 * @module
 */

/** Papers of the default theme, on which the color is read. */
export const PAPERS = { light: "#fdfcfa", dark: "#161514" } as const;
/** WCAG 2.2 AA for text. */
const READABLE_CONTRAST = 4.5;
/** Parts by which a color is moved towards black or white until it can be read. */
const STEPS = 40;

/** The color itself, or the nearest of its mixtures with black or white that can be read on a paper. */
export function readable(color: string, paper: string): string {
  const from = channels(color);
  const to = luminance(channels(paper)) > 0.5 ? 0 : 255;
  for (let step = 0; step <= STEPS; step++) {
    const mixed = hex(
      from.map((channel) => Math.round(channel + (to - channel) * step / STEPS)),
    );
    if (contrast(mixed, paper) >= READABLE_CONTRAST) return mixed;
  }
  return hex([to, to, to]);
}

function channels(color: string): number[] {
  return [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
}

function hex(channels: number[]): string {
  return `#${channels.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}

/** Contrast of two colors, 1 to 21 (WCAG 2.2). */
export function contrast(one: string, other: string): number {
  const lights = [luminance(channels(one)), luminance(channels(other))];
  return (Math.max(...lights) + 0.05) / (Math.min(...lights) + 0.05);
}

function luminance(channels: number[]): number {
  const [red = 0, green = 0, blue = 0] = channels.map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
