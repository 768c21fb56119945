/** The catalog of built-in themes, and what each of them must keep to. */
import {
  builtInTheme,
  builtInThemeFiles,
  builtInThemesDigest,
} from "../../../../jobs/render/theme/built_in_themes.ts";
import { PAPERS } from "../../../../jobs/render/theme/readable_color.ts";
import { BUILT_IN_THEMES, type BuiltInThemeId } from "../../../../kv/packages/built_in_themes.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";

const FOLDER = new URL("../../../../jobs/render/theme/", import.meta.url);
/** Bytes of all style sheets of a theme, compressed. This may only go down. */
const CSS_BYTES_MAX = 6_500;
/** WCAG 2.2 AA for text. */
const CONTRAST_MIN = 4.5;

const styleOf = (id: BuiltInThemeId) =>
  Object.entries(builtInThemeFiles(id).assets).filter(([name]) => name.endsWith(".css"))
    // The colors of the screen come before those of print.
    .sort(([one], [other]) => one < other ? -1 : 1)
    .map(([, { body }]) => new TextDecoder().decode(body)).join("\n");

Deno.test("each folder beside the code of themes is a built-in theme with files of its own", () => {
  const folders = [...Deno.readDirSync(FOLDER)].filter(({ isDirectory }) => isDirectory)
    .map(({ name }) => name).filter((name) => name !== "words");

  assertEquals(folders.sort(), BUILT_IN_THEMES.map(({ id }) => id).sort());
  const digests = BUILT_IN_THEMES.map(({ id }) => builtInTheme(id).digest);
  assertEquals(new Set(digests).size, BUILT_IN_THEMES.length);
  // The same in every process of a version, or each would have the site rendered again.
  assertEquals(builtInThemesDigest(), builtInThemesDigest());
});

Deno.test("the style sheets of a built-in theme stay small", async () => {
  for (const { id } of BUILT_IN_THEMES) {
    const stream = new Blob([styleOf(id)]).stream().pipeThrough(new CompressionStream("gzip"));
    const { byteLength } = await new Response(stream).arrayBuffer();
    assert(byteLength <= CSS_BYTES_MAX, `${id}: ${byteLength}`);
  }
});

Deno.test("a built-in theme has readable colors, also with an accent made for the default papers", () => {
  for (const { id } of BUILT_IN_THEMES) {
    const style = styleOf(id);
    const [light, dark] = [...style.matchAll(/:root \{([^}]*--paper[^}]*)\}/g)].map(([, block]) =>
      Object.fromEntries(
        [...block!.matchAll(/--(\w+): (#\w+);/g)].map(([, name, color]) => [name, color!]),
      )
    );
    for (const colors of [light!, dark!]) {
      for (const paper of [colors.paper!, colors.wash!]) {
        for (const text of [colors.ink!, colors.quiet!]) {
          assert(contrast(text, paper) >= CONTRAST_MIN, `${id}: ${text} on ${paper}`);
        }
      }
      assert(contrast(colors.accent!, colors.paper!) >= CONTRAST_MIN, `${id}: ${colors.accent}`);
    }
    assert(luminance(light!.paper!) >= luminance(PAPERS.light), id);
    assert(luminance(dark!.paper!) <= luminance(PAPERS.dark), id);
  }
});

function contrast(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high! + 0.05) / (low! + 0.05);
}

function luminance(color: string): number {
  const short = color.length === 4;
  const [red, green, blue] = [0, 1, 2].map((at) => {
    const digits = short ? color[at + 1]!.repeat(2) : color.slice(1 + at * 2, 3 + at * 2);
    const value = parseInt(digits, 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}
