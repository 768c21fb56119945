import { defaultThemeFiles } from "../../../jobs/packages/pack_package.ts";
import { DEFAULT_THEME } from "../../../jobs/render/theme/default/theme.ts";
import { builtInThemeFiles } from "../../../jobs/render/theme/built_in_themes.ts";
import { BUILT_IN_THEMES } from "../../../kv/packages/built_in_themes.ts";
import { unknownVariables } from "../../../jobs/packages/unknown_variables.ts";
import { assertEquals } from "../../support/harness/assert.ts";

Deno.test("unknownVariables() names misspelled variables, in loops too, at any position", () => {
  const home = `{% layout "layout" %}{% block main %}{{ site.titel }}
    {% for section in sections %}{{ section.nam }}{% if section.mor %}{{ section.documents.size }}{% endif %}
      {% for one in section.documents %}{{ one.titel | upcase }} {{ one.image.cuts.photo.path }}{% endfor %}
    {% endfor %}
    {% for entry in site.menu %}<a href="{{ entry.href }}">{{ entry.label }}</a>{% endfor %}{% endblock %}`;
  const document = `{% for field in document.fields.chapters %}{{ field.anything }}{% endfor %}
    {% for field in document.facts %}{{ field.lable }}{% endfor %}`;

  assertEquals(unknownVariables({ home, document }).map((reason) => reason.split(" ").at(-1)), [
    "site.titel",
    "section.nam",
    "section.mor",
    "one.titel",
    "entry.href",
    "field.lable",
  ]);
});

Deno.test("unknownVariables() finds nothing in the default theme", () => {
  const templates = [...defaultThemeFiles()].filter(([path]) => path.endsWith(".liquid"))
    .map(([path, body]) => [
      path.replace(/^templates\/|\.liquid$/g, ""),
      new TextDecoder().decode(body),
    ]);

  assertEquals(unknownVariables(Object.fromEntries(templates)), []);
});

Deno.test("unknownVariables() finds nothing in the other built-in themes", () => {
  for (const { id } of BUILT_IN_THEMES) {
    assertEquals(unknownBesideDefault({ ...builtInThemeFiles(id).templates }), [], id);
  }
});

/** The variables that a theme beside the default one asks for in vain, by template. */
function unknownBesideDefault(templates: Record<string, string>): string[] {
  return unknownVariables(templates, DEFAULT_THEME.templates)
    .map((reason) => reason.replace(/^templates\/|\.liquid uses the unknown variable/g, ""));
}

Deno.test("unknownVariables() knows what a partial is given, by its own theme and by the default one", () => {
  const teaser = `<h{{ level }}>{{ document.titel }}</h{{ level }}>{{ site.title }}
    {% if span == "whole" %}{{ document.image.cuts.photo.path }}{{ document.image.alternative }}{% endif %}`;

  assertEquals(unknownBesideDefault({ teaser }), [
    "teaser document.titel, it is given document, level, span, lead",
    "teaser site, it is given document, level, span, lead",
    "teaser document.image.alternative, it is given document, level, span, lead",
  ]);
});

Deno.test("unknownVariables() follows values through partials, loops and assigned names", () => {
  const templates = {
    home: `{% layout "base", wide: true %}{% block main %}
      {% for section in sections %}{% assign newest = section.documents %}
        {% render "row" for newest as entry %}
        {% render "row" with section.documents.first as entry %}
        {% include "aside", one: section %}
      {% endfor %}{% endblock %}`,
    base: `{{ wide }}{{ site.title }}{% block main %}{% endblock %}{{ narrow }}`,
    row: `{{ forloop.index }}{% render "deep/name", given: entry %}{{ entry.excerp }}`,
    "deep/name": `{{ given.title }}{{ given.nam }}{{ given[given.id] }}`,
    aside: `{{ one.name }}{{ site.title }}{{ page.titel }}`,
    nobody: `{{ renders.this }}`,
  };

  assertEquals(unknownBesideDefault(templates).map((reason) => reason.split(",")[0]), [
    "base narrow",
    "row entry.excerp",
    "deep/name given.nam",
    "aside page.titel",
  ]);
});

Deno.test("unknownVariables() accepts a variable that one of the templates rendering a partial passes, and what a loop brings to its next round", () => {
  const templates = {
    listing: `{% for document in documents %}
      {% if document.published.iso != last %}{{ last }}{% endif %}{% assign last = document.published.iso %}
      {% render "card", card: document %}{% endfor %}`,
    home: `{% for section in sections %}{% render "card", card: section, big: true %}{% endfor %}`,
    card: `{{ card.name }}{{ card.title }}{% if big %}{{ card.both }}{% endif %}`,
  };

  assertEquals(unknownBesideDefault(templates), ["card card.both, it is given card, big"]);
});

Deno.test("unknownVariables() refuses templates that render one another in more ways than it reads", () => {
  const ways = Array.from(
    { length: 24 },
    (_, n) =>
      `{% assign a${n} = site %}{% include "p" %}{% assign a${n} = page %}{% include "p" %}`,
  );

  assertEquals(unknownVariables({ home: '{% include "p" %}', p: ways.join("") }), [
    "its templates render one another in too many ways to be checked",
  ]);
});
