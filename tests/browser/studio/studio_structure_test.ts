/**
 * The builder: collections, fields of every kind, their order, converting a field, blocks.
 */
import { assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { magazine, somePosts } from "../../support/sites/studio_site.ts";
import { inspect, studioVisit } from "../../support/browser/studio_visit.ts";

browserTest("studio begins a collection with a template, or a copy of another", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask, complaints } = visit;
  const namesOf = async (slug: string) =>
    (await ask("GET", `/collections/${slug}`)).json.fields.map(({ name }: { name: string }) =>
      name
    );

  await open("/admin/collections");
  await page.getByRole("button", { name: "New collection" }).first().click();
  let dialog = page.getByRole("dialog", { name: "New collection" });
  const undated = dialog.getByRole("checkbox", { name: "Hide publication dates" });
  await dialog.getByRole("radio", { name: "Product" }).check();
  await dialog.getByText("Fields: Cover, Article number").waitFor();
  assertEquals(await undated.isChecked(), true);
  await dialog.getByRole("radio", { name: "Event" }).check();
  assertEquals(await dialog.getByLabel("Name", { exact: true }).inputValue(), "Events");
  assertEquals(await undated.isChecked(), false);
  assertEquals(await dialog.getByLabel("URL").inputValue(), "events");
  await dialog.getByText("Fields: Cover, Starts").waitFor();
  await inspect(page, "collection-template");
  await dialog.getByRole("button", { name: "Create" }).click();
  await page.getByRole("heading", { name: "Events", level: 1 }).waitFor();

  await open("/admin/collections");
  await page.getByRole("button", { name: "New collection" }).first().click();
  dialog = page.getByRole("dialog", { name: "New collection" });
  await dialog.getByLabel("Name", { exact: true }).fill("Concerts");
  await dialog.getByRole("radio", { name: "Copy of another collection" }).check();
  await dialog.getByText("Fields: Cover, Starts").waitFor();
  await dialog.getByRole("button", { name: "Create" }).click();
  await page.getByRole("heading", { name: "Concerts", level: 1 }).waitFor();

  assertEquals(await namesOf("concerts"), await namesOf("events"));
  assertEquals((await namesOf("events")).length, 6);
  assertEquals(complaints, []);
});

browserTest("studio builds a collection with fields, and blocks", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask, complaints } = visit;

  await open("/admin/collections");
  await inspect(page, "collections-empty");
  await page.getByRole("button", { name: "New collection" }).first().click();
  const dialog = page.getByRole("dialog", { name: "New collection" });
  await dialog.getByLabel("Name", { exact: true }).fill("Réçipes");
  assertEquals(await dialog.getByLabel("URL").inputValue(), "recipes");
  await dialog.getByRole("button", { name: "Create" }).click();
  await page.getByRole("heading", { name: "Réçipes", level: 1 }).waitFor();
  await page.getByRole("link", { name: "Add field" }).first().click();
  await page.getByRole("heading", { name: "Choose a field type" }).waitFor();
  await inspect(page, "field-types");
  await page.getByRole("link", { name: "Single choice One value from a list" }).click();
  await page.getByLabel("Label").fill("How hard");
  assertEquals(await page.getByLabel("Name in the API").inputValue(), "howHard");
  await page.getByRole("button", { name: "Create field" }).click();
  await page.locator("[data-failure]").waitFor();
  // What a choice is stands before the rules for it, and what was refused is said there.
  const choices = page.getByLabel("Choices, one per line");
  assertEquals(await choices.getAttribute("aria-invalid"), "true");
  const rules = (await page.getByRole("heading", { name: "Rules" }).boundingBox())!;
  assertEquals((await choices.boundingBox())!.y < rules.y, true);
  await choices.fill("easy\nhard");
  await page.locator("#d-o-role-select").selectOption("facts");
  await page.getByLabel("Filterable").check();
  await page.getByRole("button", { name: "Create field" }).click();
  await page.getByRole("link", { name: "How hard" }).waitFor();
  const [{ options }] = (await ask("GET", "/collections/recipes")).json.fields;
  assertEquals(options, { choices: ["easy", "hard"], role: "facts" });

  await open("/admin/collections/recipes/fields/new?type=repeater");
  await page.getByLabel("Label").first().fill("Ingredients");
  await page.getByRole("button", { name: "Add field" }).click();
  await page.getByLabel("Label").nth(1).fill("Name");
  await page.getByRole("button", { name: "Add field" }).click();
  await page.getByLabel("Label").nth(2).fill("Amount");
  await page.getByLabel("Type").nth(2).selectOption("number");
  await inspect(page, "field-repeater");
  await page.getByRole("button", { name: "Create field" }).click();
  await page.getByRole("link", { name: "Ingredients" }).waitFor();
  await page.getByRole("button", { name: "Move Ingredients up" }).click();
  await page.getByText("Order saved").waitFor();
  await inspect(page, "collection");

  const { fields } = (await ask("GET", "/collections/recipes")).json;
  // deno-lint-ignore no-explicit-any
  assertEquals(fields.map(({ name, type }: any) => [name, type]), [
    ["ingredients", "repeater"],
    ["howHard", "select"],
  ]);
  // deno-lint-ignore no-explicit-any
  assertEquals(fields[0].options.fields.map(({ name, type }: any) => [name, type]), [
    ["name", "text"],
    ["amount", "number"],
  ]);
  assertEquals(fields[1].options.choices, ["easy", "hard"]);
  assertEquals(fields[1].indexed, true);

  await open("/admin/blocks");
  await page.getByRole("link", { name: "New block" }).first().click();
  await page.locator("html[data-ready]").waitFor();
  await page.getByLabel("Label").fill("Call to action");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("link", { name: "Call to action" }).waitFor();
  assertEquals((await ask("GET", "/blocks/callToAction")).status, 200);
  assertEquals(complaints.filter((text) => !text.includes("Failed to load resource")), []);
});

browserTest("studio shows what converting a field would do", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask } = visit;
  await magazine(visit);
  await somePosts(visit);

  await open("/admin/collections/posts/fields/subtitle");
  await page.getByLabel("Type").first().selectOption("number");
  await page.getByRole("button", { name: "Save" }).click();
  const dialog = page.getByRole("dialog", { name: "From text to number" });
  await dialog.getByText("6 of 6 documents have a value: 0 can be converted, 6 cannot").waitFor();
  await inspect(page, "field-impact");
  await dialog.getByRole("button", { name: "Convert documents" }).click();
  await page.waitForURL(/\/admin\/jobs\/\w+/);
  assertEquals((await ask("GET", "/jobs?type=MIGRATE")).json.meta.total, 1);
});

browserTest(
  "studio gives a role rights in single collections, and ticks what they take",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, open, ask, complaints } = visit;
    for (const slug of ["pages", "posts"]) {
      await ask("POST", "/collections", { slug, name: slug, fields: [] });
    }

    await open("/admin/roles/new");
    await page.getByLabel("Name", { exact: true }).fill("Desk");
    await page.getByLabel("Edit all: posts").check();
    assertEquals(await page.getByLabel("See: posts").isChecked(), true);
    assertEquals(await page.getByLabel("Edit own: posts").isChecked(), true);
    await page.getByLabel("See: posts").uncheck();
    assertEquals(await page.getByLabel("Edit all: posts").isChecked(), false);
    await page.getByLabel("Publish: posts").check();
    await page.getByLabel("See documents of every status").check();
    assertEquals(await page.getByLabel("See: pages").isChecked(), true);
    assertEquals(await page.getByLabel("See: pages").isDisabled(), true);
    await inspect(page, "role-rights");
    await page.getByLabel("See documents of every status").uncheck();
    assertEquals(await page.getByLabel("See: pages").isChecked(), false);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Roles", level: 1 }).waitFor();
    await page.getByText("see, publish").waitFor();
    await inspect(page, "roles-rights");

    const { data } = (await ask("GET", "/roles")).json;
    const made = data.find(({ name }: { name: string }) => name === "Desk");
    assertEquals(made.collections, [{ collection: "posts", actions: ["read", "publish"] }]);
    assertEquals(made.permissions, []);
    assertEquals(complaints, []);
  },
);
