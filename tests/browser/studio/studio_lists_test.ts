/**
 * Lists narrowed by ranges and kept as views; the calendar of what goes public.
 */
import type { Page } from "playwright-core";
import { assertEquals, assertMatch } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { magazine, somePosts } from "../../support/sites/studio_site.ts";
import { inspect, type StudioVisit, studioVisit } from "../../support/browser/studio_visit.ts";

const ready = (page: Page) => page.locator("html[data-ready]").waitFor();

browserTest("studio narrows a list by ranges, and keeps it as a view", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask, complaints } = visit;
  await magazine(visit);
  const ids = await somePosts(visit);
  await ask("PATCH", `/documents/${ids[0]}`, { eventAt: 1_782_900_000 });

  await open("/admin/content/posts");
  await page.getByRole("button", { name: "Filter" }).click();
  const rating = page.getByRole("group", { name: "Rating" });
  await rating.getByLabel("From").fill("1");
  await rating.getByLabel("To").fill("3.5");
  const event = page.getByRole("group", { name: "Takes place" });
  await event.getByLabel("From").fill("");
  await inspect(page, "list-ranges");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await page.getByText("Rating from 1 to 3.5").waitFor();
  await ready(page);
  assertMatch(page.url(), /from\.rating=1&to\.rating=3\.5$/);
  assertEquals(await page.locator("tbody tr").count(), 3);

  await page.getByRole("button", { name: "Views" }).click();
  await page.getByLabel("View name").fill("Good ones");
  await page.getByLabel("Share with everyone").check();
  await inspect(page, "views-save");
  await page.getByRole("button", { name: "Save view" }).click();
  await page.getByRole("button", { name: "Good ones" }).waitFor();
  await ready(page);
  await page.getByRole("link", { name: "Remove filter: Rating from 1 to 3.5" }).click();
  await page.waitForURL(/posts$/);
  await ready(page);
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("link", { name: "Good ones" }).click();
  await page.getByText("Rating from 1 to 3.5").waitFor();
  await ready(page);
  await page.getByRole("button", { name: "Good ones" }).click();
  await page.getByRole("button", { name: "Delete Good ones" }).click();
  await page.getByText("Deleted the view “Good ones”").waitFor();
  assertEquals((await ask("GET", "/views")).json.data, []);

  await open("/admin/content/posts?from.eventAt=2026-07-01&to.eventAt=2026-07-01");
  assertEquals(await page.locator("tbody tr").count(), 1);
  await open("/admin/content/posts?to.eventAt=2026-06-30");
  await page.getByText("No document matches").waitFor();
  assertEquals(complaints, []);
});

browserTest(
  "studio acts on all documents that match, however many pages they fill",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, open, ask, complaints } = visit;
    await ask("POST", "/collections", { slug: "notes", name: "Notes", fields: [] });
    for (let n = 1; n <= 130; n++) {
      await ask("POST", "/documents", {
        collection: "notes",
        title: n <= 120 ? `Old ${n}` : `New ${n}`,
      });
    }

    await open("/admin/content/notes?q=Old");
    await page.getByLabel("Select all on this page").check();
    await page.getByText("25 selected").waitFor();
    await page.getByRole("button", { name: "Select all 120 that match" }).click();
    await page.getByText("All 120 that match selected").waitFor();
    await inspect(page, "list-all-matching");
    await page.getByLabel("Select Old 120", { exact: true }).uncheck();
    await page.getByText("24 selected").waitFor();
    await page.getByLabel("Select all on this page").check();
    await page.getByRole("button", { name: "Select all 120 that match" }).click();
    await page.getByRole("button", { name: "Move to trash" }).click();
    await page.getByRole("dialog").getByText("Move 120 documents to the trash?").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Move to trash" }).click();
    await page.getByText("Move to trash: 120 documents").waitFor({ timeout: 60_000 });

    const left = (await ask("GET", "/documents?collection=notes&perPage=100")).json;
    assertEquals(left.meta.total, 10);
    assertEquals(left.data.every(({ title }: { title: string }) => title.startsWith("New")), true);

    await open("/admin/content/notes?status=trashed&q=Old");
    assertEquals(await page.getByRole("button", { name: "Empty trash" }).count(), 0);
    await open("/admin/content/notes?status=trashed");
    await page.getByRole("button", { name: "Empty trash" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Delete 120 documents permanently").waitFor();
    const remove = dialog.getByRole("button", { name: "Delete permanently" });
    assertEquals(await remove.isDisabled(), true);
    await inspect(page, "list-empty-trash");
    await dialog.getByLabel("Type “delete” to confirm").fill("delete");
    await remove.click();
    await page.getByText("Delete permanently: 120 documents").waitFor({ timeout: 60_000 });
    const trashed = (await ask("GET", "/documents?collection=notes&status=trashed")).json;
    assertEquals(trashed.meta.total, 0);
    assertEquals(complaints, []);
  },
);

/** Posts that go public on the next days, in the zone of the site. */
async function schedule({ ask, test }: StudioVisit, ids: string[]): Promise<number> {
  await ask("PATCH", "/settings", { "site.timezone": "Europe/Berlin" });
  const today = Math.floor(test.context.now() / 86_400_000) * 86_400;
  for (const [index, id] of ids.entries()) {
    const publishAt = today + (index + 1) * 86_400 + 6 * 3_600 + 1_800;
    await ask("POST", `/documents/${id}/untrash`);
    await ask("POST", `/documents/${id}/schedule`, { publishAt });
  }
  return today;
}

const dayText = (at: number) => new Date(at * 1_000).toISOString().slice(0, 10);

browserTest(
  "studio moves what is scheduled by dragging, by keys and by a form",
  async (browser) => {
    await using visit = await studioVisit(browser, { timezoneId: "America/New_York" });
    const { page, open, ask, complaints } = visit;
    await magazine(visit);
    await open("/admin/schedule");
    const ids = [(await somePosts(visit))[0]!];
    for (
      const title of ["Tide tables", "A walk along the pier", "Barometers", "Lamp oil", "Kites"]
    ) {
      ids.push((await ask("POST", "/documents", { collection: "posts", title })).json.id);
    }
    const today = await schedule(visit, ids);
    const [id] = ids;
    const at = async () => (await ask("GET", `/documents/${id}`)).json.publishAt as number;
    const first = await at();
    const day = (days: number) => page.locator(`[data-day="${dayText(today + days * 86_400)}"]`);

    await open("/admin/schedule");
    await page.getByText("Europe/Berlin").first().waitFor();
    assertEquals(await page.locator(`#e-${id} .entry-time`).innerText(), "08:30");
    await inspect(page, "schedule");
    await page.locator(`#e-${id} > a`).dragTo(day(3));
    await page.getByText("” will be published").waitFor();
    await ready(page);
    assertEquals(await at(), first + 2 * 86_400);

    await page.locator(`#e-${id} > a`).focus();
    await page.keyboard.press("Shift+ArrowRight");
    await page.waitForURL(/moved=/);
    await page.locator(`[data-day="${dayText(today + 4 * 86_400)}"] #e-${id}`).waitFor();
    await ready(page);
    assertEquals(await at(), first + 3 * 86_400);
    await page.locator(`#e-${id} > a:focus`).waitFor();

    await open(`/admin/schedule?view=week&day=${dayText(today + 4 * 86_400)}`);
    await page.getByLabel("Move A night at the lighthouse").click();
    await inspect(page, "schedule-move");
    await page.locator(`#when-${id}`).fill(`${dayText(today + 4 * 86_400)}T23:15`);
    await page.getByRole("button", { name: "Move", exact: true }).click();
    await page.getByText("” will be published").waitFor();
    await ready(page);
    assertEquals(await at(), today + 4 * 86_400 + 21 * 3_600 + 900);
    await page.getByLabel("Move A night at the lighthouse").click();
    await page.getByRole("button", { name: "Back to draft" }).click();
    await page.getByText("It is a draft again").waitFor();
    assertEquals((await ask("GET", `/documents/${id}`)).json.status, "draft");
    assertEquals(complaints, []);
  },
);

browserTest("studio moves what is scheduled without a script", async (browser) => {
  await using visit = await studioVisit(browser, { javaScriptEnabled: false });
  const { page, origin, ask } = visit;
  await magazine(visit);
  const [id] = await somePosts(visit);
  const today = await schedule(visit, [id!]);

  await page.goto(`${origin}/admin/schedule?view=week&day=${dayText(today + 86_400)}`);
  await page.getByLabel("Move A night at the lighthouse").click();
  await page.locator(`#when-${id}`).fill(`${dayText(today + 86_400)}T10:00`);
  await page.getByRole("button", { name: "Move", exact: true }).click();
  await page.getByText("” will be published").waitFor();
  const { json } = await ask("GET", `/documents/${id}`);
  assertEquals(json.publishAt, today + 86_400 + 8 * 3_600);
});
