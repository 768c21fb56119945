/** Roles, tokens and webhooks that are limited to some languages. */
import type { Page } from "playwright-core";
import { assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { colleague, inspect, loadedAnew, studioVisit } from "../../support/browser/studio_visit.ts";
import { STUDIO_LANGUAGES, translatedSite } from "../../support/browser/translated_site.ts";

const language = (page: Page, name: string) =>
  page.getByRole("group", { name: "Languages" }).getByLabel(name);

browserTest("a role writes in its languages only, also after one is taken out", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask, complaints } = visit;
  const id = await translatedSite(visit);
  await ask("PUT", `/documents/${id}/translations/fr`, { title: "Le gardien" });

  await open("/admin/roles/new");
  await page.getByLabel("Name", { exact: true }).fill("translator");
  for (const right of ["See: Articles", "Edit all: Articles"]) await page.getByLabel(right).check();
  await language(page, "French").check();
  await inspect(page, "role-languages");
  await page.getByRole("button", { name: "Save" }).click();
  await page.waitForURL("**/admin/roles");
  const role = async () => {
    const { json } = await ask("GET", "/roles");
    // deno-lint-ignore no-explicit-any
    return json.data.find(({ name }: any) => name === "translator");
  };
  const { id: roleId, languages } = await role();
  assertEquals(languages, ["fr"]);
  await page.getByText("Writes in French").waitFor();

  const { page: own } = await colleague(visit, {
    email: "bea@example.org",
    displayName: "Bea",
    roles: ["translator"],
  });
  const statuses = await own.evaluate(async ({ id, codes }) => {
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ title: "Le gardien du phare" });
    return await Promise.all(codes.map(async (code) => {
      const path = `/api/admin/documents/${id}/translations/${code}`;
      return (await fetch(path, { method: "PATCH", headers, body })).status;
    }));
  }, { id, codes: ["fr", "ar"] });
  assertEquals(statuses, [200, 403]);

  // A limit to a language that the site no longer has is not lifted by saving the form.
  await ask("PATCH", "/settings", { languages: [STUDIO_LANGUAGES[0]!, STUDIO_LANGUAGES[2]!] });
  await open(`/admin/roles/${roleId}`);
  await page.getByText("No longer a language of the site").waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Is not one of the site's languages").first().waitFor();
  assertEquals((await role()).languages, ["fr"]);
  await language(page, "French").uncheck();
  await language(page, "Arabic").check();
  await page.getByRole("button", { name: "Save" }).click();
  await page.waitForURL("**/admin/roles");
  assertEquals((await role()).languages, ["ar"]);
  // The removed language is the only request of the form that was refused.
  assertEquals(complaints.length, 1);
});

browserTest("tokens and webhooks are limited to languages", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask, complaints } = visit;
  await translatedSite(visit);

  await open("/admin/tokens/new");
  await page.getByLabel("Name", { exact: true }).fill("Translation memory");
  await page.getByLabel("All collections: Write").check();
  await language(page, "French").check();
  await inspect(page, "token-languages");
  await page.getByRole("button", { name: "Create token" }).click();
  await page.getByRole("dialog", { name: /Copy your token/ }).waitFor();
  const tokens = async () => (await ask("GET", "/tokens")).json.data;
  const [{ id, languages }] = await tokens();
  assertEquals(languages, ["fr"]);
  await open(`/admin/tokens/${id}`);
  await language(page, "French").uncheck();
  await loadedAnew(page, () => page.getByRole("button", { name: "Save" }).click());
  assertEquals((await tokens())[0].languages ?? null, null);

  await open("/admin/webhooks/new");
  await page.getByLabel("Name", { exact: true }).fill("French front end");
  await page.getByLabel("URL").fill("https://[2606:4700::1111]/hook");
  await language(page, "French").check();
  await page.getByRole("button", { name: "Create webhook" }).click();
  await page.locator("dialog[open]").waitFor();
  assertEquals((await ask("GET", "/webhooks")).json.data[0].languages, ["fr"]);
  assertEquals(complaints, []);
});
