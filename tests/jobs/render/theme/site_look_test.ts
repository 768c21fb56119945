import { readable } from "../../../../jobs/render/theme/readable_color.ts";
import { lookPath, lookStyleSheet } from "../../../../jobs/render/theme/site_look.ts";
import { renderHome } from "../../../../jobs/render/pages/home_page.ts";
import { siteFacts } from "../../../../jobs/render/site_facts.ts";
import { SITE_FONTS } from "../../../../kv/model/entities/setting.ts";
import { assert, assertEquals, assertMatch } from "../../../support/harness/assert.ts";
import { bodyText, collection, published, rendering, SITE } from "../../../support/sites/site.ts";

Deno.test("readable() keeps a color that can be read, and moves others until they can", () => {
  assertEquals(readable("#9a3412", "#fdfcfa"), "#9a3412");
  for (const color of ["#ffff00", "#ffffff", "#000000", "#808080", "#00ff00", "#1e90ff"]) {
    for (const paper of ["#fdfcfa", "#161514"]) {
      assert(contrast(readable(color, paper), paper) >= 4.5, `${color} on ${paper}`);
    }
  }
});

Deno.test("a site's look is a style sheet that its address says, of every typeface", () => {
  const facts = siteFacts({ "site.accent": "#ffcc00", "site.font": "mono" });
  const path = lookPath(facts)!;

  assertEquals(path, "/assets/look/ffcc00-mono.css");
  assertMatch(lookStyleSheet(path)!, /--accent: #[0-9a-f]{6}; --serif: ui-monospace/);
  assertEquals(lookPath(siteFacts({ "site.accent": null })), null);
  for (const font of SITE_FONTS) {
    assert(lookStyleSheet(`/assets/look/theme-${font}.css`) !== null, font);
  }
  for (const wrong of ["fffffg-sans", "ffffff-comic", "ffffff-constructor", "x"]) {
    assertEquals(lookStyleSheet(`/assets/look/${wrong}.css`), null);
  }
});

Deno.test("menu, logo and shared image of the settings stand on every page, collections leave the menu", () => {
  const medium = {
    id: "L",
    mime: "image/png" as const,
    filename: "l.png",
    alt: "",
    width: 300,
    height: 100,
  };
  const hidden = { ...collection("imprint", []), unlisted: true as const };
  const bare = { ...collection("people", []), pageless: true as const };
  const site = rendering([hidden, bare, collection("posts", [])]);
  const named = { ...SITE, logo: { id: "L", medium } };

  const plain = bodyText(renderHome(site, []));
  const own = bodyText(renderHome({
    ...site,
    site: { ...named, menu: [{ label: "Shop", url: "https://shop.example/" }] },
  }, []));

  assert(plain.includes('<a href="/posts">Posts</a>'));
  assert(!plain.includes("/imprint") && !plain.includes("/people"));
  assert(own.includes('<a href="https://shop.example/">Shop</a>') && !own.includes('"/posts"'));
  assert(own.includes('<img src="/media/L/l.png" alt="The Lantern" width="300" height="100">'));
  assert(own.includes('og:image" content="https://lantern.example/media/L/l.png"'));
  assertMatch(
    own,
    /<script type="application\/ld\+json">\{"@context":"https:\/\/schema.org","@type":"WebSite"/,
  );
});

Deno.test("a collection outside of the menu is on the first page when the owner's menu names it", () => {
  const hidden = { ...collection("imprint", []), unlisted: true as const };
  const site = rendering([hidden]);
  const sections = [{ collection: hidden, documents: [published("law")], total: 1 }];
  const named = { ...SITE, menu: [{ label: "Imprint", url: "/imprint" }] };

  const plain = bodyText(renderHome(site, sections));
  const own = bodyText(renderHome({ ...site, site: named }, sections));

  assertEquals([plain.includes("/law"), own.includes('id="section-imprint"')], [false, true]);
});

function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light! + 0.05) / (dark! + 0.05);
}

function luminance(color: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}
