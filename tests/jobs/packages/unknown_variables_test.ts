import { defaultThemeFiles } from "../../../jobs/packages/pack_package.ts";
import { unknownVariables } from "../../../jobs/packages/unknown_variables.ts";
import { assertEquals } from "../../support/assert.ts";

Deno.test("unknownVariables() names what is misspelt, in loops too, wherever they stand", () => {
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
