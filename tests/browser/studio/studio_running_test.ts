/**
 * Looking after a running site: the overview, time travel with its way back, jobs, activity.
 */
import type { Page } from "playwright-core";
import { addAnyJob } from "../../support/harness/any_job.ts";
import { cronTickKey } from "../../../kv/keys.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { assert, assertEquals, assertStringIncludes } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { magazine, somePosts } from "../../support/sites/studio_site.ts";
import { ADA, inspect, type StudioVisit, studioVisit } from "../../support/browser/studio_visit.ts";

const ready = (page: Page) => page.locator("html[data-ready]").waitFor();
const HOUR_MS = 3_600_000;

/** Lets hours pass, and stays signed in. */
async function pass({ ask, test: { context } }: StudioVisit, hours: number): Promise<void> {
  for (let left = hours; left > 0; left -= 8) {
    context.advance(Math.min(left, 8) * HOUR_MS);
    await ask("GET", "/session");
  }
}

/** Some posts, and three days on which they are changed; answers the moment before the last change. */
async function busyDays(visit: StudioVisit): Promise<{ ids: string[]; before: number }> {
  const { ask, test: { context } } = visit;
  await magazine(visit);
  const ids = await somePosts(visit);
  for (let day = 0; day < 3; day++) {
    await pass(visit, 24);
    for (let turn = 0; turn <= day * 4; turn++) {
      await ask("PATCH", `/documents/${ids[turn % 3]}`, {
        rating: turn % 5,
        subtitle: `Day ${day}`,
      });
      context.advance(60_000);
    }
  }
  const before = Math.floor(context.now() / 1_000);
  await pass(visit, 1);
  await ask("PATCH", `/documents/${ids[0]}`, {
    title: "A night at the old lighthouse",
    teaser: "Some quiet words to begin with.",
  });
  await ask("POST", "/documents", { collection: "posts", title: "Written by mistake" });
  await ask("DELETE", `/documents/${ids[5]}`);
  context.advance(60_000);
  await context.store.commit(new Operation().set(cronTickKey, context.now()));
  return { ids, before };
}

browserTest(
  "studio goes back in time by the slider, watches it, and undoes it",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, open, ask, test, complaints } = visit;
    const { ids, before } = await busyDays(visit);

    await open("/admin/time-travel");
    const slider = page.getByRole("slider", { name: "Moment" });
    await slider.focus();
    await page.keyboard.press("ArrowLeft");
    await page.waitForURL(/[?&]at=\d+/);
    await ready(page);
    await open("/admin/time-travel?span=week");
    await page.locator(".bars a").nth(20).click();
    await page.waitForURL(/span=week.*at=\d+/);
    await page.getByText("did not exist yet").waitFor();
    assertEquals(await page.getByText("What restoring would change").count(), 0);
    assertEquals(await page.locator("[data-restore-form]").count(), 0);
    await ready(page);
    await page.getByLabel("Date and time (UTC)").fill(
      new Date(before * 1_000).toISOString().slice(0, 19),
    );
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await page.waitForURL(new RegExp(`at=${before}`));
    await ready(page);

    const badges = page.locator(".travel-list .badge");
    assertEquals((await badges.allInnerTexts()).toSorted(), ["Changed", "Changed", "Deleted"]);
    await page.locator(".travel-list summary", { hasText: "Title" }).click();
    await page.locator(".travel-list del", { hasText: "old" }).waitFor();
    await inspect(page, "time-travel");
    await page.getByRole("link", { name: "1 deleted", exact: true }).click();
    await ready(page);
    assertEquals(await page.locator(".travel-list a").allInnerTexts(), ["Written by mistake"]);

    const go = page.getByRole("button", { name: /^Restore to/ });
    assert(await go.isDisabled());
    await page.getByLabel("to restore the site").fill("The Lantern");
    await go.click();
    // Days have passed since the sign-in.
    const proof = page.getByRole("dialog");
    await proof.getByLabel("Password").fill(ADA.password);
    await proof.getByRole("button", { name: "Continue" }).click();
    await page.waitForURL(/\/admin\/jobs\/\w+/);
    await ready(page);
    await test.runner.drain();
    await page.getByText("Done", { exact: true }).waitFor();
    await ready(page);
    await inspect(page, "restore-done");
    assertEquals(
      (await ask("GET", `/documents/${ids[0]}`)).json.title,
      "A night at the lighthouse",
    );

    test.context.advance(60_000);
    await open("/admin/time-travel");
    await page.getByText("Last restore: to").waitFor();
    await page.getByRole("link", { name: "View result" }).click();
    await ready(page);
    await page.getByRole("button", { name: "Undo restore" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Undo" }).click();
    await page.getByText("Undoing the restore").waitFor();
    await test.runner.drain();
    await page.getByText("Done", { exact: true }).waitFor();
    const { json } = await ask("GET", `/documents/${ids[0]}`);
    assertEquals(json.title, "A night at the old lighthouse");
    assertEquals((await ask("GET", `/documents/${ids[5]}`)).json.status, "trashed");
    // The browser mentions the refusal that asked for the password.
    assertEquals(complaints.filter((text) => !text.includes("status of 403")), []);
  },
);

browserTest("studio chooses an instant without a script", async (browser) => {
  await using visit = await studioVisit(browser, { javaScriptEnabled: false });
  const { page, origin } = visit;
  const { before } = await busyDays(visit);

  await page.goto(`${origin}/admin/time-travel`);
  await page.getByRole("button", { name: "Show this moment" }).click();
  await page.getByText("No changes: the site is as it was then.").waitFor();
  await page.getByLabel("Date and time (UTC)").fill(
    new Date(before * 1_000).toISOString().slice(0, 19),
  );
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await page.getByText("Written by mistake").waitFor();
});

browserTest("studio says what is incomplete when versions were pruned", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask, test } = visit;
  const { ids } = await busyDays(visit);
  const at = Math.floor(test.context.now() / 1_000) - 3 * 86_400;
  await ask("PATCH", "/settings", { "versions.keep.document": 1 });
  const operation = new Operation();
  addAnyJob(operation, test.context, { type: "PRUNE", payload: {} });
  await test.context.store.commit(operation);
  await test.runner.drain();

  await open(`/admin/time-travel?at=${at}`);
  await page.getByText("This view is incomplete.").waitFor();
  await page.getByText("Affected: Documents.").waitFor();
  await page.getByText("Kept: the version is no longer stored").first().waitFor();
  await inspect(page, "time-travel-incomplete");
  assert(ids.length > 0);
});

async function addJobs(visit: StudioVisit, jobs: [type: "EXPORT" | "SEND_MAIL", payload: Json][]) {
  const { context } = visit.test;
  const ids: string[] = [];
  for (const [type, payload] of jobs) {
    const operation = new Operation();
    ids.push(addAnyJob(operation, context, { type, payload, dueAt: context.now() + 3_600_000 }));
    await context.store.commit(operation);
    context.advance(1_000);
  }
  return ids;
}

browserTest(
  "studio lists jobs, calls one off, tries it again, and minds the clock",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, open, test, ask } = visit;
    await magazine(visit);
    await somePosts(visit);
    await test.runner.drain();
    const [first] = await addJobs(visit, [["EXPORT", {}], ["SEND_MAIL", {}]]);
    await test.context.store.commit(new Operation().set(cronTickKey, test.context.now()));

    await open("/admin/jobs");
    assertEquals(await page.getByText("has not run").count(), 0);
    await open(`/admin/jobs/${first}`);
    await page.getByRole("button", { name: "Cancel job" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel job" }).click();
    await page.getByText("Canceled by Ada Lovelace").waitFor();
    await ready(page);
    await inspect(page, "job-called-off");
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByText("Queued", { exact: true }).waitFor();
    await ready(page);
    await test.runner.drain();
    await page.getByText("Done", { exact: true }).waitFor();
    assertEquals((await ask("GET", `/jobs/${first}`)).json.state, "done");

    test.context.advance(10 * 60_000);
    await open("/admin/jobs?state=waiting");
    await page.getByText("has not run for 10 minutes").waitFor();
    assertEquals(await page.locator("table").last().locator("tbody tr").count(), 2);
    await inspect(page, "jobs-silent");
  },
);

browserTest("studio shows every change of everything, page by page", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask, test } = visit;
  const { ids } = await busyDays(visit);
  await ask("PATCH", `/documents/${ids[1]}`, { title: "Turns" });
  for (let turn = 0; turn < 60; turn++) {
    await ask("PATCH", `/documents/${ids[1]}`, { subtitle: `Turn ${turn}` });
  }

  await open("/admin/activity");
  assertEquals(await page.locator(".changes li").count(), 50);
  await inspect(page, "activity");
  const subtitles = "Ada Lovelace changed Subtitle of Turns";
  let changed = 0;
  for (;;) {
    changed += await page.locator(".changes li", { hasText: subtitles }).count();
    const older = page.getByRole("link", { name: "Older" });
    if (await older.count() === 0) break;
    await older.click();
    await ready(page);
  }
  assertEquals(changed, 60);
  await open("/admin/activity?type=document");
  assertStringIncludes(await page.locator(".changes").first().innerText(), "Subtitle of Turns");
  assertEquals(await page.locator(".changes li", { hasText: "Setting ·" }).count(), 0);
  assert(test.context.now() > 0);
});

browserTest("studio begins with what is to be done, and with what went wrong", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, test } = visit;
  await open("/admin");
  await page.getByText("Four steps to a site").waitFor();
  await inspect(page, "home-new");

  await busyDays(visit);
  await open("/admin");
  await page.getByRole("heading", { name: "Recent changes" }).waitFor();

  const [mail] = await addJobs(visit, [["SEND_MAIL", { to: 1 }]]);
  for (let turn = 0; turn < 7; turn++) {
    await pass(visit, 1);
    await test.runner.drain();
  }
  await open("/admin");
  await page.getByText("A job has failed.").waitFor();
  await inspect(page, "home-failed");
  await page.getByRole("link", { name: "View failed jobs" }).click();
  await page.locator(`a[href="/admin/jobs/${mail}"]`).waitFor();
});
