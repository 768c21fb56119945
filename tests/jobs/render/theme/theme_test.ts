import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { Html } from "../../../../jobs/render/markup.ts";
import { Theme, ThemeFault } from "../../../../jobs/render/theme/theme.ts";

function themeOf(templates: Record<string, string>): Theme {
  return new Theme({ templates, assets: {} });
}

Deno.test("Theme escapes what templates print, even what they call raw", () => {
  const theme = themeOf({ a: "{{ x }}|{{ x | raw }}|{{ x | upcase }}|{{ y }}|{{ z | first }}" });

  const text = theme.render("a", { x: `<b "'&>`, y: new Html("<i>"), z: ["<"] });

  const escaped = "&lt;b &quot;&#39;&amp;&gt;";
  assertEquals(text, `${escaped}|${escaped}|${escaped.replace("b", "B")}|<i>|&lt;`);
});

Deno.test("Theme escapes markup that a filter has turned into text", () => {
  const theme = themeOf({ a: "{{ y | append: '<script>' }}" });

  assertEquals(theme.render("a", { y: new Html("<i>") }), "&lt;i&gt;&lt;script&gt;");
});

Deno.test("Theme takes missing templates from the default theme, and partials from the theme's own", () => {
  const theme = themeOf({ document: "{% render 'mine', x: 1 %}", mine: "[{{ x }}]" });

  assertEquals(theme.render("document", {}), "[1]");
  assertMatch(theme.render("home", { site: { title: "T" } }), /<h1>T<\/h1>/);
  assert(!theme.has("constructor"));
});

Deno.test("Theme sees no file but its own", () => {
  for (const name of ["/etc/passwd", "../deno.json", "./deno.json", "deno.json"]) {
    const theme = themeOf({ a: `{% render "${name}" %}`, b: `{% include name %}` });
    assertThrows(() => theme.render("a", {}), ThemeFault, "ENOENT");
    assertThrows(() => theme.render("b", { name }), ThemeFault, "ENOENT");
  }
});

Deno.test("Theme sees own members of values only", () => {
  const theme = themeOf({ a: "{{ x.constructor.name }}|{{ x.__proto__ }}|{{ y.markup.length }}" });

  assertEquals(theme.render("a", { x: {}, y: new Html("<i>") }), "||3");
});

Deno.test("Theme stops templates that run or grow without end", () => {
  const endless = themeOf({
    grow:
      "{% assign s = 'xxxxxxxxxx' %}{% for i in (1..100) %}{% assign s = s | append: s %}{% endfor %}",
    range: "{% for i in (1..100000000) %}x{% endfor %}",
    self: "{% render 'self' %}",
  });

  for (const name of ["grow", "range", "self"]) {
    assertThrows(() => endless.render(name, {}), ThemeFault, `The template ${name} cannot`);
  }
});

Deno.test("Theme reports a template that does not parse by its name", () => {
  assertThrows(() => themeOf({ a: "{% if %}" }).render("a", {}), ThemeFault, "The template a");
  assertThrows(() => themeOf({ a: "{{ x | nosuch }}" }).render("a", {}), ThemeFault, "nosuch");
});

/** What the default theme brings besides its style sheet. */
const FONT_NAMES = ["newsreader", "instrument-sans"].flatMap((family) =>
  ["", "-italic", "-extended"].map((part) => `${family}${part}.woff2`)
);

Deno.test("Theme.assetPages() are below a folder that changes with their bytes", () => {
  const css = (text: string) => ({
    "site.css": { contentType: "text/css", body: new TextEncoder().encode(text) },
  });

  const one = new Theme({ templates: {}, assets: css("a{}") });
  const other = new Theme({ templates: {}, assets: css("b{}") });

  assertMatch(one.assetPath("site.css"), /^\/assets\/[0-9a-f]{16}\/site\.css$/);
  assert(one.assetPath("site.css") !== other.assetPath("site.css"));
  const names = [...FONT_NAMES, "site.css"];
  assertEquals(one.assetPages().map(({ path }) => path), names.map((name) => one.assetPath(name)));
  assert(one.digest !== other.digest);
});
