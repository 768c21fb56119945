/**
 * Fields in groups, in the column beside the others, and shown while another one has a value.
 */
import { assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { saved } from "../../support/sites/review_site.ts";
import { inspect, studioVisit } from "../../support/browser/studio_visit.ts";

browserTest(
  "studio places fields where their definitions say, and shows them when",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, open, ask, complaints } = visit;
    const text = (name: string, options: Record<string, string | boolean>) => ({
      name,
      label: name[0]!.toUpperCase() + name.slice(1),
      type: "text",
      options,
    });
    await ask("POST", "/collections", {
      slug: "events",
      name: "Events",
      fields: [
        { name: "online", label: "Online", type: "boolean" },
        text("link", { showWhen: "online" }),
        { name: "kind", label: "Kind", type: "select", options: { choices: ["talk", "walk"] } },
        text("shoes", { showWhen: "kind", showWhenIs: "walk" }),
        text("canonical", { group: "Search engines" }),
        text("internal", { group: "Planning" }),
        text("color", { side: true }),
      ],
    });
    const body = {
      collection: "events",
      title: "Moor",
      shoes: "Boots",
      canonical: "https://a.example",
    };
    const { id } = (await ask("POST", "/documents", body)).json;
    await open(`/admin/documents/${id}`);
    const shown = async () => {
      const labels = ["Link", "Shoes", "Canonical", "Internal", "Color"];
      const seen = await Promise.all(
        labels.map((label) => page.getByLabel(label, { exact: true }).isVisible()),
      );
      return labels.filter((_, n) => seen[n]);
    };

    assertEquals(await shown(), ["Canonical", "Internal", "Color"]);
    await inspect(page, "fields-in-groups");
    await page.getByLabel("Online").check();
    await page.getByLabel("Kind").selectOption("walk");
    assertEquals(await shown(), ["Link", "Shoes", "Canonical", "Internal", "Color"]);
    assertEquals(await page.getByLabel("Shoes").inputValue(), "Boots", "what was hidden is kept");
    await page.getByLabel("Kind").selectOption("talk");
    assertEquals(await shown(), ["Link", "Canonical", "Internal", "Color"]);
    assertEquals(
      await page.getByRole("complementary", { name: "About this document" }).getByLabel("Color")
        .count(),
      1,
    );
    await page.getByRole("link", { name: "Planning" }).press("Enter");
    await page.getByRole("region", { name: "Planning" }).getByLabel("Internal").fill("Ask Ben");
    await saved(page);
    const { shoes, internal, online } = (await ask("GET", `/documents/${id}`)).json;
    assertEquals([shoes, internal, online], ["Boots", "Ask Ben", true]);

    await open("/admin/collections/events");
    await page.getByRole("link", { name: "Canonical" }).first().click();
    await page.locator("html[data-ready]").waitFor();
    assertEquals(
      await page.getByLabel("Group", { exact: true }).inputValue(),
      "Search engines",
    );
    await page.getByLabel("Show in sidebar").check();
    await page.getByLabel("Show", { exact: true }).selectOption("If “Online” has a value");
    await page.getByRole("button", { name: /^Save/ }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    const { fields } = (await ask("GET", "/collections/events")).json;
    const { options } = fields.find(({ name }: { name: string }) => name === "canonical");
    assertEquals(
      [options.group, options.side, options.showWhen],
      ["Search engines", true, "online"],
    );
    assertEquals(complaints, []);
  },
);

browserTest(
  "fields are dragged and moved from one place of the form to another",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, open, ask, complaints } = visit;
    const text = (name: string, options: Record<string, string | boolean> = {}) => ({
      name,
      label: name,
      type: "text",
      options,
    });
    await ask("POST", "/collections", {
      slug: "events",
      name: "Events",
      fields: [
        text("beside", { side: true }),
        text("lead", { multiline: true }),
        text("summary", { group: "Search engines" }),
        text("place"),
        text("map", { tab: "Venue" }),
      ],
    });
    await open("/admin/collections/events");
    const list = page.locator(".field-list");
    const shown = async () => {
      await page.locator(".field-list[aria-busy]").waitFor({ state: "detached" });
      return await list.locator("li").evaluateAll((rows) =>
        rows.map((row) => row.querySelector("h3, a")!.textContent)
      );
    };
    const places = async () => {
      const { fields } = (await ask("GET", "/collections/events")).json;
      return fields.map(({ name, options }: { name: string; options: unknown }) =>
        `${name} ${JSON.stringify(options)}`
      );
    };
    assertEquals(await shown(), [
      "lead",
      "place",
      "Group “Search engines”",
      "summary",
      "Tab “Venue”",
      "map",
      "In the sidebar",
      "beside",
    ]);
    const row = (name: string) => list.locator("li[data-field-row]", { hasText: name });
    await row("lead").dragTo(row("beside"), { targetPosition: { x: 60, y: 4 } });
    await page.getByText("Order saved").waitFor();
    assertEquals(await places(), [
      "place {}",
      'summary {"group":"Search engines"}',
      'map {"tab":"Venue"}',
      'lead {"multiline":true,"side":true}',
      'beside {"side":true}',
    ]);
    // By its button, past the name of the group.
    await page.getByRole("button", { name: "Move place down" }).click();
    await page.getByRole("button", { name: "Move place down" }).click();
    await shown();
    for (let looks = 0; looks < 100 && !(await places())[1].includes("place"); looks++) {
      await page.waitForTimeout(50);
    }
    assertEquals((await places()).slice(0, 2), [
      'summary {"group":"Search engines"}',
      'place {"group":"Search engines"}',
    ]);
    await inspect(page, "fields-in-places");
    assertEquals(complaints, []);
  },
);
