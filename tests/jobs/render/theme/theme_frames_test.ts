/** Frames that pages have in common: whatever is shared looks as if it was not. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { DEFAULT_THEME } from "../../../../jobs/render/theme/default/theme.ts";
import { Html } from "../../../../jobs/render/markup.ts";
import { Theme, ThemeFault } from "../../../../jobs/render/theme/theme.ts";
import { ThemeFrames } from "../../../../jobs/render/theme/theme_frames.ts";
import { testApp } from "../../../support/sites/app.ts";
import { finishJob, setUpAdmin } from "../../../support/sites/backups.ts";

Deno.test("every page of the example site looks as if its frame was its own", async () => {
  await using app = await testApp();
  const kinds: Record<string, number> = {};
  const { renderPage } = Theme.prototype;
  Theme.prototype.renderPage = function (name, values, place) {
    const text = renderPage.call(this, name, values, place);
    assertEquals(text, this.render(name, values));
    kinds[name] = (kinds[name] ?? 0) + 1;
    return text;
  };
  try {
    const admin = await setUpAdmin(app);
    const { json } = await admin.ask("POST", "/example-site/seed");
    assertEquals((await finishJob(app, json.jobId)).error, null);
    await app.runner.drain();
    assertEquals((await app.call("GET", "/")).status, 200);
    const menu = [{ label: "Articles", url: "/articles" }, { label: "Home", url: "/" }];
    const settings = { "site.title": "<Other>", "site.menu": menu };
    assertEquals((await admin.ask("PATCH", "/settings", settings)).status, 200);
    app.context.advance(60_000);
    await app.runner.drain();
    const sitemap = (await app.call("GET", "/sitemap.xml")).text;
    for (const [, path] of sitemap.matchAll(/<loc>(?:https?:\/\/[^/<]+)?([^<]*)<\/loc>/g)) {
      assertEquals((await app.call("GET", path!)).status, 200, path);
    }
  } finally {
    Theme.prototype.renderPage = renderPage;
  }
  const seen = ["document", "home", "listing", "tag"].filter((kind) => kinds[kind]! > 1);
  assertEquals(seen.length, 4, JSON.stringify(kinds));
});

/** What pages of a theme render, one after the other. */
function rendered(templates: Record<string, string>, ...pages: Record<string, unknown>[]) {
  const theme = new Theme({ templates, assets: {} });
  const site = { title: "Site" };
  return pages.map((values, n) => {
    const page = { kind: "a", section: null, head: new Html(`<${n}>`), ...values };
    const view = { site, page, n };
    const text = theme.renderPage("a", { ...view }, { base: site, place: `${page.kind}` });
    assertEquals(text, theme.render("a", { ...view }));
    return text;
  });
}

const A = '{% layout "l" %}{% block main %}[{{ n }}]{% endblock %}';
const MAIN = "{% block main %}{% endblock %}";

Deno.test("a frame that shows no more than its place is rendered once", () => {
  let prints = 0;
  const site = {
    get title() {
      prints += 1;
      return "T";
    },
  };
  const l = `{{ page.head }}{{ site.title }}|{{ page.kind }}|${MAIN}|{{ page.section }}`;
  const theme = new Theme({ templates: { a: A, l }, assets: {} });
  const texts = ["x", "x", "y"].map((kind, n) =>
    theme.renderPage(
      "a",
      { site, page: { kind, section: null, head: new Html(`<${n}>`) }, n } as never,
      { base: site, place: kind },
    )
  );
  assertEquals(texts, ["<0>T|x|[0]|", "<1>T|x|[1]|", "<2>T|y|[2]|"]);
  assertEquals(prints, 2);
});

Deno.test("a frame that a page could change, or that another moment could, is rendered for each", () => {
  const head = "{{ page.head }}";
  const cases: [layout: string, page?: string][] = [
    [`${head}{{ page.title }}${MAIN}`],
    [`${head}{{ n }}${MAIN}`],
    [`${head}${head}${MAIN}`],
    [`{% if page.head %}${head}{% endif %}${MAIN}`],
    [`${head}{% assign n = 9 %}${MAIN}`],
    [`${head}{% capture n %}9{% endcapture %}${MAIN}`],
    [`${head}{% increment c %}${MAIN}`],
    [`${head}{% render "part", n: n %}${MAIN}`],
    [`${head}{% include "part" %}${MAIN}`],
    [`${head}${MAIN}{% block foot %}foot{% endblock %}`],
    [`${head}{{ "now" | date: "%s" }}${MAIN}`],
    [`${head}${MAIN}{{ site.title }}`, `${A}{% assign site = n %}`],
    [`${head}${MAIN}{{ site }}`, A.replace("[", "{% assign site = n %}[")],
    [`${head}${MAIN}{{ page.kind }}`, A.replace("[", "{% capture page %}x{% endcapture %}[")],
    [`${head}${MAIN}`, "no layout {{ n }}"],
    [`${head}no block`],
  ];
  const pages = [{ title: "One" }, { title: "Two" }, { title: "Two", kind: "b" }];
  for (const [l, a = A] of cases) {
    const part = "part {{ n }}";
    const texts = rendered({ a, l, part }, ...pages);
    assertEquals(texts.length, 3);
    const { templates } = new ThemeFrames({ a, l, part });
    const isShared = Object.hasOwn(templates, ":main a");
    const asksMore = /page\.title|\{\{ n \}\}$|\{\{ n \}\}\{%/.test(l);
    assert(!isShared || asksMore, l);
  }
});

Deno.test("text that looks like the mark of a frame's place changes nothing", () => {
  for (const title of ["\u{f0001}", "\u{f0002}"]) {
    const theme = new Theme({
      templates: { a: A, l: `{{ page.head }}{{ site.title }}${MAIN}` },
      assets: {},
    });
    const site = { title };
    const view = { site, page: { kind: "a", section: null, head: new Html("<h>") }, n: title };
    for (let n = 0; n < 2; n++) {
      const text = theme.renderPage("a", view as never, { base: site, place: "" });
      assertEquals(text, `<h>${title}[${title}]`);
    }
  }
});

Deno.test("a fault in a frame is reported as one of the page's template", () => {
  const theme = new Theme({
    templates: { a: A, l: `{{ page.head }}{% for i in (1..100000000) %}x{% endfor %}${MAIN}` },
    assets: {},
  });
  const view = { site: {}, page: { kind: "a", section: null, head: new Html("") } };
  assertThrows(() => theme.renderPage("a", view, { base: view, place: "" }), ThemeFault, "a");
});

Deno.test("all pages of the default theme have a frame in common with others", () => {
  const { templates } = new ThemeFrames(DEFAULT_THEME.templates);
  for (const kind of ["home", "listing", "tag", "document", "search", "not_found"]) {
    assert(Object.hasOwn(templates, `:main ${kind}`), kind);
  }
});
