/** The folders of built-in themes, which theme makers copy: each packs, passes every check, and draws each page. */
import { checkPackage, themeOf } from "../../../jobs/packages/check_package.ts";
import { packageCommand } from "../../../routes/command_line/package_command.ts";
import { readPackage } from "../../../jobs/packages/read_package.ts";
import { verifyPackage } from "../../../jobs/packages/verify_package.ts";
import { renderDocument } from "../../../jobs/render/pages/document_page.ts";
import { renderHome } from "../../../jobs/render/pages/home_page.ts";
import { renderListing } from "../../../jobs/render/pages/listing_page.ts";
import { newestSlice } from "../../../jobs/render/pages/listing_plan.ts";
import { renderNotFound } from "../../../jobs/render/pages/not_found_page.ts";
import { renderSearch } from "../../../jobs/render/pages/search_page.ts";
import { Theme } from "../../../jobs/render/theme/theme.ts";
import { Publisher } from "../../../kv/model/entities/setting.ts";
import { assert, assertEquals } from "../../support/harness/assert.ts";
import {
  bodyText,
  collection,
  field,
  NOTHING,
  published,
  rendering,
} from "../../support/sites/site.ts";

const FOLDER = new URL("../../../jobs/render/theme/ledger", import.meta.url).pathname;
const AT = 1_800_000_000;

Deno.test("the folder of Ledger packs, passes every check and draws each kind of page", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const [key, archive] = [`${folder}/key.json`, `${folder}/theme.tar.gz`];
    const lines: string[] = [];
    const run = (...args: string[]) => packageCommand(args, (line) => lines.push(line), AT);
    assertEquals(await run("key", "example-1", "site.cms.", key), 0);
    const publishers = [Publisher.parse(JSON.parse(lines[0]!))];
    assertEquals(await run("pack", FOLDER, key, archive), 0, lines.join("\n"));
    const files = await readPackage(await Deno.readFile(archive), "theme");
    checkPackage(verifyPackage(files, { publishers, at: AT }), files);

    const posts = collection("posts", [field("summary", "text"), field("cover", "media")]);
    const document = published("fog", { summary: "Grey" }, { title: "Fog" });
    const drawn = { ...rendering([posts]), theme: new Theme(themeOf(files).theme) };
    const pages = [
      renderHome(drawn, [{ collection: posts, documents: [document], total: 1 }]),
      renderListing(drawn, {
        collection: posts,
        slice: newestSlice(1),
        documents: [document],
        total: 1,
      }),
      renderDocument(drawn, document, posts, NOTHING),
      renderListing(drawn, {
        collection: posts,
        slice: newestSlice(1),
        documents: [document],
        total: 1,
        tag: { label: "Weather", path: "/posts/tags/weather", description: "", about: null },
      }),
      renderSearch(drawn),
      renderNotFound(drawn),
    ].map(bodyText);

    for (const [at, page] of pages.entries()) {
      assertEquals(page.includes("/document.css"), at === 2);
      assert(page.includes("/ledger.css") && !page.includes("/site.css"));
      assert(page.includes('<meta property="og:title"') && page.includes("<title>"));
      assert(page.includes('<header class="rail">'));
    }
    assert(pages[3]!.includes("<h1>Weather</h1>"));
    assert(pages[2]!.includes('<meta name="description" content="Grey">'));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
