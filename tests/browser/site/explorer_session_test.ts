/**
 * The explorer for somebody who has signed in to the admin application.
 */
import { assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { inspect, studioVisit } from "../../support/browser/studio_visit.ts";

browserTest("explorer needs no token of somebody who has signed in", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, ask, test, origin, complaints } = visit;
  await ask("POST", "/collections", { slug: "notes", name: "Notes", fields: [] });
  await ask("POST", "/documents", { collection: "notes", title: "Light", status: "published" });

  await page.goto(`${origin}/api/v1/_explorer`);
  await page.getByText("Reading as you, published content only").waitFor();
  await page.getByRole("link", { name: "/api/v1/notes", exact: true }).waitFor();
  await inspect(page, "explorer-overview");
  await page.getByRole("link", { name: "/api/v1/notes", exact: true }).click();
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("200 OK").waitFor();
  await inspect(page, "explorer-answer");

  // A lent token that has ended is asked for anew.
  test.context.advance(901_000);
  await page.getByLabel("perPage").fill("7");
  await page.getByRole("button", { name: "Send" }).click();
  await page.locator(".tree").getByText("7", { exact: true }).waitFor();
  assertEquals(complaints.filter((text) => !text.includes("401")), []);

  await page.context().clearCookies();
  await page.reload();
  await page.getByText("Enter a token to see the requests you can make.").waitFor();
});
