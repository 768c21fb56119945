import { renderFeeds } from "../../../support/sites/feeds.ts";
import { renderHome } from "../../../../jobs/render/pages/home_page.ts";
import { markAt, siteIcon } from "../../../../jobs/render/theme/site_icon.ts";
import { siteFacts } from "../../../../jobs/render/site_facts.ts";
import { assert, assertEquals, assertStringIncludes } from "../../../support/harness/assert.ts";
import { bodyText, rendering, SITE } from "../../../support/sites/site.ts";
import { childrenOf, parseXml, textOf } from "../../../support/harness/xml.ts";

const MEDIUM = { id: "I", mime: "image/png" as const, filename: "i.png", alt: "" };
const withIcon = (size: { width: number; height: number }, imageTransforms: boolean) => ({
  ...SITE,
  imageTransforms,
  icon: { id: "I", medium: { ...MEDIUM, ...size } },
});

Deno.test("a site without an icon has a mark of its initial in its accent, which its address says", () => {
  const { path, ...rest } = siteIcon({ ...SITE, title: "« éclair »", look: { accent: "#ffcc00" } });

  assertEquals(path, "/assets/icon/ffcc00-c9.svg");
  assertEquals(rest, { type: "image/svg+xml", sizes: "any", touch: null });
  const [rect, text] = parseXml(markAt(path)!).children;
  assertEquals([rect!.attributes.fill, text!.text], ["#ffcc00", "É"]);
  // What can be read on the accent.
  assertEquals(text!.attributes.fill, "#161514");
  assertStringIncludes(markAt(siteIcon(SITE).path)!, 'fill="#ffffff">T</text>');
  assertStringIncludes(markAt(siteIcon({ ...SITE, title: "–" }).path)!, "<circle");
  for (const title of ["ßtraße", "日本", "9 lives", "𝒜"]) {
    assert(markAt(siteIcon({ ...SITE, title }).path) !== null, title);
  }
});

Deno.test("there is no mark at other addresses", () => {
  for (
    const wrong of ["9a3412-3c", "9a3412-26", "9a3412-ffffff", "9a3412-", "red-54", "9a3412-54x"]
  ) {
    assertEquals(markAt(`/assets/icon/${wrong}.svg`), null, wrong);
  }
});

Deno.test("a site's icon is its medium, as squares where images are resized", () => {
  const large = siteIcon(withIcon({ width: 900, height: 600 }, true));
  const small = siteIcon(withIcon({ width: 64, height: 64 }, true));
  const whole = siteIcon(withIcon({ width: 512, height: 512 }, false));

  const path = "/media/I/i.png";
  assertEquals(large, {
    path: `${path}?w=160&h=160&format=png`,
    type: "image/png",
    sizes: "160x160",
    touch: `${path}?w=320&h=320&format=png`,
  });
  assertEquals([small.sizes, small.touch], ["64x64", `${path}?w=160&h=160&format=png`]);
  assertEquals(whole, { path, type: "image/png", sizes: "512x512", touch: path });
  assertEquals(siteFacts({ "site.icon": "I" }).icon, { id: "I" });
});

Deno.test("pages and feeds name the icon", () => {
  const plain = rendering([]);
  const own = { ...plain, site: withIcon({ width: 512, height: 512 }, false) };

  const page = bodyText(renderHome(own, []));
  const [rss, json] = renderFeeds(own, [], null).map(bodyText);
  const [bareRss, bareJson] = renderFeeds(plain, [], null).map(bodyText);

  const path = "/media/I/i.png";
  assertStringIncludes(page, `<link rel="icon" href="${path}" type="image/png" sizes="512x512">`);
  assertStringIncludes(page, `<link rel="apple-touch-icon" href="${path}">`);
  const [image] = childrenOf(childrenOf(parseXml(rss!), "channel")[0]!, "image");
  assertEquals(textOf(image!, "url"), `https://lantern.example${path}`);
  assertEquals([textOf(image!, "title"), textOf(image!, "link")], [
    "The Lantern",
    "https://lantern.example/",
  ]);
  assertEquals(JSON.parse(json!).icon, `https://lantern.example${path}`);
  assert(!bareRss!.includes("<image>"));
  assertEquals(JSON.parse(bareJson!).favicon, "https://lantern.example/assets/icon/9a3412-54.svg");
  assert(!bodyText(renderHome(plain, [])).includes("apple-touch-icon"));
});
