/**
 * A document that a field refers to is written over the form: in a sheet that saves and chooses it.
 */
import { assertEquals } from "../../../support/harness/assert.ts";
import { browserTest } from "../../../support/browser/chromium.ts";
import { eventually } from "../../../support/browser/live_story.ts";
import { inspect, type StudioVisit, studioVisit } from "../../../support/browser/studio_visit.ts";

browserTest("a new document is written in a sheet over the form, and chosen", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask, complaints } = visit;
  const id = await article(visit);
  await open(`/admin/documents/${id}`);
  const author = page.locator('[data-name="author"]');
  const picker = page.getByRole("dialog", { name: "Choose from Authors or Editors" });
  const sheet = page.getByRole("dialog", { name: "New in Editors" });
  const frame = sheet.frameLocator("iframe");

  await author.getByRole("button", { name: "Choose a document" }).click();
  await picker.getByRole("button", { name: "New in Editors" }).waitFor();
  assertEquals(
    await picker.locator("[data-picker-create] button").allTextContents(),
    ["New in Authors", "New in Editors"],
  );
  await inspect(page, "picker-create");
  // Escape in the sheet asks while something is on its way.
  const held = Promise.withResolvers<void>();
  await page.route("**/api/admin/documents", async (route) => {
    await held.promise;
    await route.continue();
  });
  await picker.getByRole("searchbox").fill("Grace Hopper");
  await picker.getByRole("button", { name: "New “Grace Hopper” in Editors" }).click();
  const title = frame.getByRole("textbox", { name: "Title" });
  await frame.getByText("Saving …").waitFor();
  const isFocused = () => page.evaluate("document.activeElement.matches('.sheet iframe')");
  assertEquals(await isFocused(), true);
  await title.press("Escape");
  await page.getByText("Your last changes aren't saved yet.").waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  held.resolve();
  await frame.getByText(/^Saved/).waitFor();
  await inspect(page, "sheet");
  await frame.getByLabel("Bio").fill("Wrote the first compiler.");
  await sheet.getByRole("button", { name: "Done" }).click();
  await sheet.waitFor({ state: "detached" });
  await picker.waitFor({ state: "hidden" });

  await author.getByRole("link", { name: "Grace Hopper" }).waitFor();
  const [grace] = (await ask("GET", "/documents?collection=editors")).json.data;
  assertEquals([grace.title, grace.status], ["Grace Hopper", "draft"]);
  await eventually(
    "the text is in a version",
    async () =>
      (await ask("GET", `/documents/${grace.id}`)).json.bio === "Wrote the first compiler.",
  );
  await eventually(
    "the author is chosen",
    async () => (await ask("GET", `/documents/${id}`)).json.author === grace.id,
  );
  assertEquals(complaints, []);
});

browserTest(
  "a sheet works by keyboard and on a phone, for fields with several documents",
  async (browser) => {
    await using visit = await studioVisit(browser, { viewport: { width: 375, height: 800 } });
    const { page, open, ask, complaints } = visit;
    const id = await article(visit);
    await open(`/admin/documents/${id}`);
    const topics = page.locator('[data-name="topics"]');
    const picker = page.getByRole("dialog", { name: "Choose from Topics" });
    const sheet = page.getByRole("dialog", { name: "New in Topics" });
    const openSheet = async () => {
      await picker.getByRole("button", { name: "New in Topics" }).press("Enter");
      await sheet.frameLocator("iframe").locator("html[data-ready]").waitFor();
    };
    await topics.getByRole("button", { name: /^Add/ }).press("Enter");
    await openSheet();
    const { width, height } = (await sheet.boundingBox())!;
    assertEquals([width, height], [375, 800]);
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
    assertEquals((await ask("GET", "/documents?collection=topics")).json.data, []);

    await openSheet();
    await page.keyboard.type("Lighthouses");
    await sheet.frameLocator("iframe").getByText(/^Saved/).waitFor();
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
    await picker.getByRole("button", { name: "Done" }).press("Enter");
    await topics.getByText("Lighthouses").first().waitFor();
    const [topic] = (await ask("GET", "/documents?collection=topics")).json.data;
    await eventually(
      "the topic is chosen",
      async () => (await ask("GET", `/documents/${id}`)).json.topics?.[0] === topic.id,
    );
    assertEquals(complaints, []);
  },
);

/** A site with an article that refers to people of two collections and to topics. */
async function article({ ask }: StudioVisit): Promise<string> {
  const bio = { name: "bio", label: "Bio", type: "text" };
  for (
    const [slug, name] of [["authors", "Authors"], ["editors", "Editors"], ["topics", "Topics"]]
  ) {
    await ask("POST", "/collections", { slug: slug!, name: name!, fields: [bio] });
  }
  const fields = [
    {
      name: "author",
      label: "Author",
      type: "reference",
      options: { collections: ["authors", "editors"] },
    },
    { name: "topics", label: "Topics", type: "references", options: { collections: ["topics"] } },
  ];
  await ask("POST", "/collections", { slug: "articles", name: "Articles", fields });
  const { json } = await ask("POST", "/documents", { collection: "articles", title: "Light" });
  return json.id as string;
}
