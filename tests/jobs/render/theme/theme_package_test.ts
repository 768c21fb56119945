import { assertEquals, assertStringIncludes } from "@std/assert";
import { builtInThemeFiles } from "../../../../jobs/render/theme/built_in_themes.ts";
import { BUILT_IN_THEMES } from "../../../../kv/packages/built_in_themes.ts";
import { themeFaults, themeFiles } from "../../../../jobs/render/theme/theme_package.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("themeFiles() finds templates, partials and assets by their places", () => {
  const files = new Map([
    ["theme.json", bytes("{}")],
    ["templates/home.liquid", bytes("home")],
    ["templates/blocks/quote.liquid", bytes("quote")],
    ["assets/site.css", bytes("a{}")],
    ["assets/fonts/a.woff2", bytes("font")],
  ]);

  const { theme, faults } = themeFiles(files);

  assertEquals(faults, []);
  assertEquals(theme.templates, { home: "home", "blocks/quote": "quote" });
  assertEquals(Object.keys(theme.assets), ["site.css", "fonts/a.woff2"]);
  assertEquals(theme.assets["fonts/a.woff2"]!.contentType, "font/woff2");
});

Deno.test("themeFiles() refuses what could run, climb or not be read", () => {
  const paths = [
    "assets/site.js",
    "assets/page.html",
    "assets/../x.css",
    "assets/x.constructor",
    "templates/../x.liquid",
    "templates/home.html",
    "x.liquid",
  ];
  const files = new Map(paths.map((path) => [path, bytes("x")]));
  files.set("templates/bad.liquid", Uint8Array.of(0xff));

  const { theme, faults } = themeFiles(files);

  assertEquals(theme, { templates: {}, assets: {} });
  assertEquals(faults.length, paths.length + 1);
  assertStringIncludes(faults.at(-1)!, "templates/bad.liquid is not UTF-8");
});

Deno.test("themeFaults() finds nothing in the built-in themes, and names the faults of another", () => {
  for (const { id } of BUILT_IN_THEMES) assertEquals(themeFaults(builtInThemeFiles(id)), [], id);
  const templates = {
    home: "{% render 'missing' %}",
    "blocks/quote": "{% if %}",
    listing: "{{ documents | nosuch }}",
  };

  const text = themeFaults({ templates, assets: {} }).join("\n");

  assertStringIncludes(text, "The template home cannot be rendered: ENOENT");
  assertStringIncludes(text, "The template listing cannot");
  assertStringIncludes(text, "The template blocks/quote cannot be parsed");
});
