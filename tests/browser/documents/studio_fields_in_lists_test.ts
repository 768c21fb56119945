/**
 * Fields changed in lists: for many documents at once, in a cell, and by moving cards of a board.
 */
import { assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { magazine, somePosts } from "../../support/sites/studio_site.ts";
import {
  inspect,
  pressKeys,
  type StudioVisit,
  studioVisit,
} from "../../support/browser/studio_visit.ts";

/** The value that editors see. */
async function editedValue({ ask }: StudioVisit, id: string, name: string): Promise<unknown> {
  const working = await ask("GET", `/documents/${id}/working-copy`);
  const { json } = working.status === 200 ? working : await ask("GET", `/documents/${id}`);
  return json[name];
}

browserTest(
  "studio gives a field of many documents one value, and names who refuses it",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, open, ask, test, complaints } = visit;
    await ask("POST", "/collections", {
      slug: "notes",
      name: "Notes",
      fields: [
        { name: "code", label: "Code", type: "text", unique: true, indexed: true },
        { name: "state", label: "State", type: "select", options: { choices: ["Open", "Done"] } },
        { name: "due", label: "Due", type: "datetime" },
        { name: "count", label: "Count", type: "number" },
        { name: "pinned", label: "Pinned", type: "boolean" },
        { name: "after", label: "After", type: "reference", options: { collection: "notes" } },
      ],
    });
    const ids: string[] = [];
    for (let n = 1; n <= 30; n++) {
      const { json } = await ask("POST", "/documents", {
        collection: "notes",
        title: `Note ${n}`,
        code: `n${n}`,
      });
      ids.push(json.id);
    }
    await ask("POST", `/documents/${ids[0]}/publish`);
    await test.runner.drain();

    const dialog = page.getByRole("dialog", { name: "Set a field" });
    const set = async (field: string, fill: () => Promise<void>) => {
      await open("/admin/content/notes");
      await page.getByLabel("Select all on this page").check();
      await page.getByRole("button", { name: "Select all 30 that match" }).click();
      await page.getByText("All 30 that match selected").waitFor();
      await page.getByRole("button", { name: "Set a field …" }).click();
      await dialog.getByText("For 30 documents.").waitFor();
      await dialog.getByLabel("Field").selectOption({ label: field });
      await fill();
      await dialog.getByRole("button", { name: "Set", exact: true }).click();
    };
    await set("State", async () => {
      await dialog.getByLabel("State").selectOption("Done");
      await inspect(page, "bulk-edit");
    });
    await page.getByText("Updated 30 documents").waitFor();
    for (const id of ids) assertEquals(await editedValue(visit, id, "state"), "Done");
    const first = (await ask("GET", `/documents/${ids[0]}`)).json;
    assertEquals([first.status, first.state, first.hasWorkingCopy], ["published", null, true]);

    await set("After", async () => {
      await dialog.getByLabel("After", { exact: true }).click();
      await page.getByRole("combobox", { name: "Search: After" }).fill("note 17");
      await page.getByRole("option", { name: "Note 17" }).click();
    });
    await page.getByText("Updated 30 documents").waitFor();
    assertEquals(await editedValue(visit, ids[29]!, "after"), ids[16]);

    await set("Count", () => dialog.getByLabel("Count").fill("7"));
    await page.getByText("Updated 30 documents").waitFor();
    await set("Pinned", async () => void await dialog.getByLabel("Pinned").selectOption("Yes"));
    await page.getByText("Updated 30 documents").waitFor();
    await set("Due", () => dialog.getByLabel("Due", { exact: true }).fill("2027-03-04T05:06"));
    await page.getByText("Updated 30 documents").waitFor();
    assertEquals(
      [
        await editedValue(visit, ids[9]!, "count"),
        await editedValue(visit, ids[9]!, "pinned"),
        typeof await editedValue(visit, ids[9]!, "due"),
      ],
      [7, true, "number"],
    );
    // A value of a unique field goes to one document only.
    await set("Code", () => dialog.getByLabel("Code").fill("same"));
    await dialog.getByText("1 of 30 updated.").waitFor();
    assertEquals(await dialog.getByRole("listitem").count(), 29);
    await inspect(page, "bulk-edit-refused");
    const versions = (await ask("GET", `/versions/document/${ids[9]}`)).json;
    assertEquals(versions.data.length >= 2, true);
    assertEquals(complaints.filter((text) => !text.includes("422")), []);
  },
);

browserTest("studio changes simple fields in the cells of a list", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask, test, complaints } = visit;
  await magazine(visit);
  const ids = await somePosts(visit);
  const [id] = ids;
  const { title } = (await ask("GET", `/documents/${id}`)).json;
  await open(
    "/admin/content/posts?columns=subtitle,rating,featured,eventAt,section,author,updatedAt",
  );
  const row = page.locator(`tr[data-id="${id}"]`);
  const cell = (name: string) => row.locator(`td[data-field="${name}"]`);
  await inspect(page, "list-cells");

  await row.getByRole("link", { name: title }).focus();
  await pressKeys(page, "ArrowRight", "Enter");
  const subtitle = cell("subtitle").getByLabel("Subtitle");
  await subtitle.fill("Thrown away");
  await pressKeys(page, "Escape");
  assertEquals(await subtitle.count(), 0);
  assertEquals(
    await cell("subtitle").locator("button").evaluate((one) => one === document.activeElement),
    true,
  );
  await pressKeys(page, "Enter");
  await subtitle.fill("By hand");
  await inspect(page, "list-cell-edited");
  await pressKeys(page, "Enter");
  await cell("subtitle").getByText("By hand").waitFor();
  assertEquals(await editedValue(visit, id!, "subtitle"), "By hand");

  await pressKeys(page, "ArrowRight", "Enter");
  const rating = cell("rating").getByLabel("Rating");
  await rating.fill("9");
  await pressKeys(page, "Enter");
  await page.getByText(/rating: /).waitFor();
  await rating.fill("4.5");
  await pressKeys(page, "Enter");
  await cell("rating").getByText("4.5").waitFor();

  await cell("section").getByRole("button").click();
  await cell("section").getByLabel("Section").selectOption("People");
  await cell("section").getByRole("button", { name: "People" }).waitFor();
  await cell("featured").getByRole("button").click();
  await cell("featured").getByLabel("Featured").selectOption("Yes");
  await cell("featured").getByRole("button", { name: "Yes" }).waitFor();
  assertEquals(
    [await editedValue(visit, id!, "section"), await editedValue(visit, id!, "featured")],
    ["People", true],
  );

  // Somebody else is faster.
  await cell("rating").getByRole("button").click();
  await rating.waitFor();
  await ask("PATCH", `/documents/${id}`, { rating: 1 });
  await rating.fill("2");
  await pressKeys(page, "Enter");
  await page.getByText("Another user changed this in the meantime. Reload the page and try again.")
    .waitFor();
  assertEquals(await editedValue(visit, id!, "rating"), 1);
  await pressKeys(page, "Escape");

  // What is public gets a working copy.
  const { json: ready } = await ask("PATCH", `/documents/${id}`, { teaser: "Some words." });
  assertEquals(ready.rating, 1);
  assertEquals((await ask("POST", `/documents/${id}/publish`)).status, 202);
  await test.runner.drain();
  await page.reload();
  await page.locator("html[data-ready]").waitFor();
  await cell("rating").getByRole("button").click();
  await rating.fill("5");
  await pressKeys(page, "Enter");
  await row.getByText("Unpublished changes", { exact: true }).waitFor();
  assertEquals((await ask("GET", `/documents/${id}`)).json.rating, 1);
  assertEquals(await editedValue(visit, id!, "rating"), 5);
  assertEquals(complaints.filter((text) => !/4(12|22)/.test(text)), []);
});

browserTest(
  "studio keeps the widths and the order of columns, for one person and one list",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, open, complaints } = visit;
    await magazine(visit);
    await somePosts(visit);
    await open("/admin/content/posts");
    const heads = () => page.locator("thead th[scope=col]").allInnerTexts();
    const columns = page.locator("#columns");
    await page.getByRole("button", { name: "Columns" }).click();
    await columns.getByLabel("Rating", { exact: true }).check();
    await columns.getByLabel("Section", { exact: true }).check();
    await columns.getByLabel("Status", { exact: true }).uncheck();
    const position = () =>
      columns.getByRole("checkbox").evaluateAll((boxes) =>
        boxes.map((box) => (box as HTMLInputElement).value).indexOf("section")
      );
    const up = columns.getByRole("button", { name: "Move Section up" });
    while ((await position()) > 0) await up.press("Enter");
    await inspect(page, "columns-panel");
    await columns.getByRole("button", { name: "Show", exact: true }).click();
    await page.waitForURL(/columns=section/);
    await open("/admin/content/posts");
    assertEquals((await heads()).slice(0, 2), ["Title", "Section"]);
    assertEquals((await heads()).includes("Status"), false);

    const title = page.locator("thead th").nth(1);
    const before = (await title.boundingBox())!.width;
    const edge = page.getByRole("separator", { name: "Width of Title" });
    const kept = page.waitForResponse((response) => response.url().endsWith("/list-layout"));
    const { x, y, height } = (await edge.boundingBox())!;
    await page.mouse.move(x + 4, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x - 76, y + height / 2, { steps: 4 });
    await page.mouse.up();
    assertEquals((await kept).status(), 204);
    const dragged = (await title.boundingBox())!.width;
    assertEquals(Math.abs(before - 80 - dragged) < 4, true, `${before} ${dragged}`);
    const again = page.waitForResponse((response) => response.url().endsWith("/list-layout"));
    await edge.focus();
    await pressKeys(page, "Shift+ArrowRight");
    await again;
    const widened = (await title.boundingBox())!.width;
    assertEquals(widened > dragged + 20, true, `${dragged} ${widened}`);
    await open("/admin/content/posts");
    assertEquals(Math.abs((await title.boundingBox())!.width - widened) < 4, true);

    // Whatever columns there are, the list is no wider than its place.
    await open(
      "/admin/content/posts?columns=status,subtitle,rating,featured,eventAt,section,author,slug,createdAt,updatedAt",
    );
    const isWider = () =>
      page.locator(".table-frame").evaluate((frame) => frame.scrollWidth > frame.clientWidth);
    assertEquals(await isWider(), false);
    await inspect(page, "list-many-columns");
    await open("/admin/content");
    assertEquals((await heads()).includes("Status"), true);
    assertEquals(complaints, []);
  },
);

browserTest("studio moves cards of a board by dragging, by keys and by touch", async (browser) => {
  await using visit = await studioVisit(browser, { hasTouch: true });
  const { page, open, ask, test, complaints } = visit;
  const { mediaId } = await magazine(visit);
  const ids = await somePosts(visit);
  const [id] = ids;
  for (const each of ids) await ask("PATCH", `/documents/${each}`, { section: "Weather" });
  const { json: post } = await ask("PATCH", `/documents/${id}`, {
    section: "Weather",
    cover: mediaId,
  });
  await open("/admin/content/posts");
  await page.getByRole("link", { name: "Board" }).click();
  await page.locator("html[data-ready]").waitFor();
  await inspect(page, "board");
  const column = (name: string) => page.getByRole("region", { name: new RegExp(`^${name}`) });
  const card = (name: string) => column(name).locator(`[data-id="${id}"]`);
  // A card has the cover of its document, and the face of who began it.
  const { url } = (await ask("GET", `/media/${mediaId}`)).json;
  assertEquals(await card("Weather").locator("img").getAttribute("src"), `${url}?w=480&h=270`);
  assertEquals(await page.locator(".board-image").count(), 1);
  await card("Weather").getByTitle("Ada Lovelace").waitFor();
  await card("Weather").dragTo(column("Machines"));
  await card("Machines").waitFor();
  assertEquals(await editedValue(visit, id!, "section"), "Machines");

  await card("Machines").getByRole("link", { name: post.title }).focus();
  await pressKeys(page, "Shift+ArrowRight");
  await card("People").waitFor();
  assertEquals(await editedValue(visit, id!, "section"), "People");
  assertEquals(
    await card("People").locator("a").evaluate((link) => link === document.activeElement),
    true,
  );
  await page.getByRole("status").getByText(`${post.title} is now in People`).waitFor({
    state: "attached",
  });
  // Arrow keys alone go past a column without cards, and come back.
  const isThere = (name: string) =>
    column(name).locator("a").evaluateAll((links) =>
      links.some((link) => link === document.activeElement)
    );
  assertEquals(await column("Machines").locator("[data-id]").count(), 0);
  await pressKeys(page, "ArrowLeft");
  assertEquals(await isThere("Weather"), true);
  await pressKeys(page, "ArrowRight");
  assertEquals(await isThere("People"), true);
  await pressKeys(page, "Shift+ArrowRight");
  await card("No section").waitFor();
  assertEquals(await editedValue(visit, id!, "section"), null);
  await card("No section").locator("img").tap();
  await card("No section").getByLabel(`Section of ${post.title}`).selectOption("Weather");
  await card("Weather").waitFor();

  // What is public stays in its column until the change is published.
  await ask("PATCH", `/documents/${id}`, { teaser: "Some words." });
  assertEquals((await ask("POST", `/documents/${id}/publish`)).status, 202);
  await test.runner.drain();
  await page.reload();
  await page.locator("html[data-ready]").waitFor();
  await card("Weather").locator("a").focus();
  await pressKeys(page, "Shift+ArrowRight");
  await card("Weather").getByText("Becomes Machines").waitFor();
  assertEquals((await ask("GET", `/documents/${id}`)).json.section, "Weather");
  await inspect(page, "board-changed");

  // Somebody else is faster.
  await ask("PATCH", `/documents/${id}/working-copy`, { section: "People" });
  await card("Weather").getByLabel(`Section of ${post.title}`).selectOption("");
  await page.getByText("Another user changed this in the meantime. Reload the page and try again.")
    .waitFor();
  await card("Weather").getByText("Becomes People").waitFor();
  assertEquals(complaints, []);
});
