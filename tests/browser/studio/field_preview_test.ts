/**
 * Defining a field: its control beside the form follows what is typed, and fields are put in order by dragging.
 */
import { assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { inspect, studioVisit, WIDTHS } from "../../support/browser/studio_visit.ts";

browserTest("studio shows a field in the form while it is defined", async (browser) => {
  await using visit = await studioVisit(browser, { viewport: { width: 1440, height: 1000 } });
  const { page, open, ask, complaints } = visit;
  await ask("POST", "/blocks", {
    name: "quote",
    label: "Quote",
    fields: [{ name: "text", label: "Words", type: "text" }],
  });
  await ask("POST", "/collections", { slug: "events", name: "Events" });
  await open("/admin/collections/events/fields/new?type=select");
  const pane = page.getByRole("complementary", { name: "In the form" });
  await pane.getByText("Add choices to see the preview.").waitFor();

  await page.getByLabel("Label", { exact: true }).fill("How hard");
  await page.getByLabel("Choices, one per line").fill("easy\nhard");
  await page.getByLabel("Help for editors").fill("For most people");
  await page.getByLabel("Required to publish").check();
  const choice = pane.getByLabel("How hard");
  await choice.selectOption("hard");
  await pane.getByText("For most people").waitFor();
  await inspect(page, "field-preview");

  await page.getByLabel("Type").selectOption("rich_text");
  await pane.locator(".pt-text").waitFor();
  await page.getByLabel("Type").selectOption("block");
  await pane.getByRole("button", { name: "Add block" }).click();
  await page.getByRole("menuitem", { name: "Quote" }).or(
    page.getByRole("button", { name: "Quote", exact: true }),
  ).first().click();
  await pane.getByLabel("Words").fill("Nothing of it is kept");

  await page.getByLabel("Type").selectOption("number");
  await page.locator("#d-o-default-number").fill("4");
  // It may be drawn once for the type, and once more for the default.
  await pane.locator('input[type=number][value="4"]').waitFor();
  await page.setViewportSize(WIDTHS.narrow);
  const form = (await page.locator("form.form").boundingBox())!;
  const below = (await pane.boundingBox())!;
  assertEquals(below.y >= form.y + form.height, true, "below the form on a phone");
  await page.getByRole("button", { name: "Create field" }).click();
  await page.getByRole("link", { name: "How hard" }).waitFor();
  const { fields } = (await ask("GET", "/collections/events")).json;
  assertEquals([fields[0].type, fields[0].options.default], ["number", 4]);
  assertEquals(complaints, []);
});

browserTest("studio puts fields in order as they are dragged", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask, complaints } = visit;
  const names = ["one", "two", "three", "four"];
  const fields = names.map((name) => ({ name, label: name, type: "text" }));
  await ask("POST", "/collections", { slug: "events", name: "Events", fields });
  await open("/admin/collections/events");
  const row = (name: string) => page.locator(".field-list li", { hasText: name });
  const order = async () => {
    const { fields } = (await ask("GET", "/collections/events")).json;
    return fields.map(({ name }: { name: string }) => name);
  };

  await row("four").dragTo(row("one"), { targetPosition: { x: 60, y: 4 } });
  await page.getByText("Order saved").waitFor();
  assertEquals(await order(), ["four", "one", "two", "three"]);
  for (const _ of [1, 2]) await page.getByRole("button", { name: "Move two up" }).click();
  await page.locator(".field-list[aria-busy]").waitFor({ state: "detached" });
  for (let looks = 0; looks < 100 && (await order())[0] !== "two"; looks++) {
    await page.waitForTimeout(50);
  }
  await page.locator(".field-list[aria-busy]").waitFor({ state: "detached" });
  assertEquals(await order(), ["two", "four", "one", "three"]);
  await inspect(page, "fields-in-order");
  assertEquals(complaints, []);
});

browserTest("a field begins as a copy of one in another collection", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask, complaints } = visit;
  const section = {
    name: "section",
    label: "Section",
    type: "select",
    help: "Where it stands",
    indexed: true,
    options: { choices: ["Light", "Weather"], side: true, showWhen: "live" },
  };
  const live = { name: "live", label: "Live", type: "boolean" };
  await ask("POST", "/collections", {
    slug: "articles",
    name: "Articles",
    fields: [live, section],
  });
  await ask("POST", "/collections", { slug: "events", name: "Events" });
  await open("/admin/collections/events/fields/new");
  await page.getByText("Articles 2").click();
  await inspect(page, "fields-to-copy");
  await page.getByRole("link", { name: "Section" }).click();
  await page.getByRole("button", { name: "Create field" }).click();
  await page.waitForURL("**/admin/collections/events");
  const { fields: [made] } = (await ask("GET", "/collections/events")).json;
  const { name, label, type, help, indexed, options } = made;
  assertEquals({ name, label, type, help, indexed, options }, {
    ...section,
    options: { choices: ["Light", "Weather"], side: true },
  });
  assertEquals(complaints, []);
});
