/** The end of a publication: chosen where it is published, shown beside it and in the calendar, and kept. */
import { assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { inspect, studioVisit } from "../../support/browser/studio_visit.ts";

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
  await page.getByText("Ready to publish.").waitFor();
  await page.clock.setFixedTime(new Date(test.context.now()));
  await page.getByLabel("Unpublish on").fill(textAt(-1));
  await page.getByRole("button", { name: "Publish now" }).click();
  await page.getByText("The unpublish date is in the past. Choose a later one.").waitFor();
  assertEquals(await isPublic(), false);
  const end = textAt(2);
  await page.getByLabel("Unpublish on").fill(end);
  await inspect(page, "publish-ends");
  await page.getByRole("button", { name: "Publish now" }).click();
  await page.locator("dt", { hasText: /^Unpublish on$/ }).waitFor();
  assertEquals(await isPublic(), true);

  await open(`/admin/schedule?view=month&day=${end.slice(0, 10)}`);
  await page.getByRole("link", { name: "Summer fair" }).waitFor();
  assertEquals(await page.getByText("Unpublish", { exact: true }).count(), 1);
  await inspect(page, "calendar-ends");
  await page.getByRole("link", { name: "Summer fair" }).click();
  await page.locator("html[data-ready]").waitFor();

  test.context.advance(2 * HOUR_MS - 120_000);
  assertEquals(await isPublic(), true);
  test.context.advance(120_000);
  assertEquals(await isPublic(), false);
  assertEquals((await ask("GET", `/documents/${id}`)).json.status, "draft");
  // The clock of the test is put into frames that run nothing, too.
  assertEquals(complaints.filter((text) => !/status of 4|in 'about:blank'/.test(text)), []);
});

browserTest("the changes of a published document go public at a time", async (browser) => {
  await using visit = await studioVisit(browser, { timezoneId: "UTC" });
  const { page, open, ask, test, complaints } = visit;
  const fields = [{ name: "lead", label: "Lead", type: "text" }];
  await ask("POST", "/collections", { slug: "notes", name: "Notes", fields });
  const note = { collection: "notes", title: "Summer fair", lead: "Cake", status: "published" };
  const { id } = (await ask("POST", "/documents", note)).json;
  const publicly = async () => {
    await test.runner.drain();
    return (await test.call("GET", "/notes/summer-fair")).text;
  };
  const goTo = async (at: number) => {
    await page.getByRole("button", { name: /^Publish/ }).click();
    await page.getByLabel("Schedule").check();
    await page.getByLabel("Date and time").fill(new Date(at).toISOString().slice(0, 16));
    await page.getByRole("button", { name: "Schedule", exact: true }).click();
  };

  await open(`/admin/documents/${id}`);
  await page.getByLabel("Lead", { exact: true }).fill("Cake and ice");
  await page.getByText(/^Saved \d\d:\d\d · version \d+$/).waitFor();
  // A time that has passed leaves nothing behind.
  await goTo(test.context.now() - HOUR_MS);
  await page.getByText(/Must be in the future/).waitFor();
  assertEquals((await ask("GET", "/releases")).json.data, []);
  await page.keyboard.press("Escape");
  await goTo(test.context.now() + HOUR_MS);
  await page.getByRole("link", { name: "Changes to “Summer fair”", exact: true }).waitFor();
  assertEquals((await publicly()).includes("and ice"), false);
  test.context.advance(HOUR_MS);
  assertEquals((await publicly()).includes("Cake and ice"), true);
  assertEquals(complaints.filter((text) => !text.includes("status of 4")), []);
});
