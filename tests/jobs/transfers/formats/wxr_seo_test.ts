/** What plugins of WordPress keep for search engines, as a group that has an effect here. */
import { seoOf } from "../../../../jobs/transfers/formats/wordpress/wxr_seo.ts";
import { assertEquals } from "../../../support/harness/assert.ts";

const OWN = { title: "Fog", link: "https://old.example/fog/" };
const seo = (meta: Record<string, string>) => seoOf(new Map(Object.entries(meta)), OWN);

Deno.test("titles that are templates are filled, and come without the name of the site", () => {
  const title = (text: string) => seo({ _yoast_wpseo_title: text }).title;
  assertEquals(title("About fog"), "About fog");
  assertEquals(title("%%title%% %%page%% %%sep%% %%sitename%%"), "Fog");
  assertEquals(title("Why %%title%%? 100% sure"), "Why Fog? 100% sure");
  assertEquals(title("%%title%% in %%primary_category%%"), undefined, "not known");
  assertEquals(seo({ rank_math_title: "%title% %sep% %sitename%" }).title, "Fog");
  assertEquals(title("%%constructor%%"), undefined);
});

Deno.test("pages that are hidden stay hidden, and their own address is no other page's", () => {
  assertEquals(seo({ "_yoast_wpseo_meta-robots-noindex": "1" }), { noindex: true });
  assertEquals(seo({ "_yoast_wpseo_meta-robots-noindex": "2" }), {});
  const robots = 'a:2:{i:0;s:7:"noindex";i:1;s:8:"nofollow";}';
  assertEquals(seo({ rank_math_robots: robots }), { noindex: true });
  assertEquals(seo({ rank_math_robots: 'a:1:{i:0;s:5:"index";}' }), {});
  assertEquals(seo({ rank_math_robots: "broken" }), {});
  assertEquals(seo({ _yoast_wpseo_canonical: OWN.link }), {});
  const other = "https://other.example/fog";
  assertEquals(seo({ rank_math_canonical_url: other }), { canonical: other });
});
