/** The end of a publication: chosen where it is published, shown beside it and in the calendar, and kept. */
import { assertEquals } from "../support/assert.ts";
import { browserTest } from "../support/chromium.ts";
import { inspect, studioVisit } from "../support/studio_visit.ts";

const HOUR_MS = 3_600_000;

browserTest("a publication ends at the time that was chosen with it", async (browser) => {
  await using visit = await studioVisit(browser, { timezoneId: "UTC" });
  const { page, open, ask, test, complaints } = visit;
  const fields = [{ name: "lead", label: "Lead", type: "text" }];
  await ask("POST", "/collections", { slug: "notes", name: "Notes", fields });
  const note = { collection: "notes", title: "Summer fair" };
  const { id } = (await ask("POST", "/documents", note)).json;
  const textAt = (hours: number) =>
    new Date(test.context.now() + hours * HOUR_MS).toISOString().slice(0, 16);
  const isPublic = async () => {
    await test.runner.drain();
    return (await test.call("GET", "/notes/summer-fair")).status === 200;
  };

  // An end before its beginning is refused where it was typed.
  await open(`/admin/documents/${id}`);
  await page.getByRole("button", { name: "Publish …" }).click();
  await page.getByText("Everything is in place.").waitFor();
  await page.evaluate((now) => Date.now = () => now, test.context.now());
  await page.getByLabel("Ends").fill(textAt(-1));
  await page.getByRole("button", { name: "Publish now" }).click();
  await page.getByText("The end of the publication has passed already.").waitFor();
  assertEquals(await isPublic(), false);
  const end = textAt(2);
  await page.getByLabel("Ends").fill(end);
  await inspect(page, "publish-ends");
  await page.getByRole("button", { name: "Publish now" }).click();
  await page.locator("dt", { hasText: /^Ends$/ }).waitFor();
  assertEquals(await isPublic(), true);

  await open(`/admin/schedule?view=month&day=${end.slice(0, 10)}`);
  await page.getByRole("link", { name: "Summer fair" }).waitFor();
  assertEquals(await page.getByText("Ends", { exact: true }).count(), 1);
  await inspect(page, "calendar-ends");
  await page.getByRole("link", { name: "Summer fair" }).click();
  await page.locator("html[data-ready]").waitFor();

  test.context.advance(2 * HOUR_MS - 120_000);
  assertEquals(await isPublic(), true);
  test.context.advance(120_000);
  assertEquals(await isPublic(), false);
  assertEquals((await ask("GET", `/documents/${id}`)).json.status, "draft");
  assertEquals(complaints.filter((text) => !text.includes("status of 4")), []);
});
