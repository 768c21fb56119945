/**
 * Fields that hold several documents: chosen, put in order, taken out and created in place; and copies of
 * documents.
 */
import type { Locator, Page } from "playwright-core";
import { sameJson } from "../../../kv/model/values/same_json.ts";
import { assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { eventually } from "../../support/browser/live_story.ts";
import { pressWhileAnswered } from "../../support/browser/press_while_answered.ts";
import { photograph } from "../../support/sites/shown_site.ts";
import { magazine } from "../../support/sites/studio_site.ts";
import { inspect, type StudioVisit, studioVisit } from "../../support/browser/studio_visit.ts";

const AUTHORS = ["Ada Lovelace", "Grace Hopper", "Katherine Johnson"];

browserTest("studio keeps several documents in one field, in an order", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask, complaints } = visit;
  const { id, authors } = await article(visit);
  await open(`/admin/documents/${id}`);
  const field = page.getByRole("group", { name: "Written by" });
  const rows = field.locator("[data-row]");
  const shown = () => rows.locator("[data-title]").allTextContents();

  await field.getByRole("button", { name: "Add to Written by" }).click();
  const dialog = page.getByRole("dialog", { name: "Choose from Authors" });
  for (const name of AUTHORS) {
    await dialog.getByRole("button", { name }).click();
    await dialog.getByRole("button", { name, pressed: true }).waitFor();
  }
  await dialog.getByRole("button", { name: "Grace Hopper" }).click();
  await dialog.getByRole("button", { name: "Grace Hopper", pressed: false }).waitFor();
  await dialog.getByRole("searchbox").fill("Mary Somerville");
  await dialog.getByRole("button", { name: "New “Mary Somerville” in Authors" }).click();
  const sheet = page.getByRole("dialog", { name: "New in Authors" });
  await sheet.getByRole("button", { name: "Done" }).click();
  // It saves before it closes; until then, the search cannot have the focus.
  await sheet.waitFor({ state: "hidden" });
  await dialog.getByRole("searchbox").fill("Hopper");
  await dialog.getByRole("button", { name: "Grace Hopper" }).click();
  await page.locator("#toasts").getByText("At most 3").waitFor();
  await inspect(page, "references-dialog");
  await dialog.getByRole("button", { name: "Done" }).click();
  assertEquals(await shown(), ["Ada Lovelace", "Katherine Johnson", "Mary Somerville"]);
  await inspect(page, "references");
  const [mary] = (await ask("GET", "/documents?q=Somerville")).json.data;
  assertEquals([mary.collection, mary.status], ["authors", "draft"]);
  await keeps(visit, id, [authors[0], authors[2], mary.id]);
  assertEquals(
    await rows.nth(2).getByRole("link").getAttribute("href"),
    `/admin/documents/${mary.id}`,
  );

  await drag(page, rows.nth(2), rows.nth(0));
  assertEquals(await shown(), ["Mary Somerville", "Ada Lovelace", "Katherine Johnson"]);
  await keeps(visit, id, [mary.id, authors[0]!, authors[2]!]);
  await drag(page, rows.nth(0), rows.nth(2), { giveUp: true });
  assertEquals(await shown(), ["Mary Somerville", "Ada Lovelace", "Katherine Johnson"]);

  await rows.nth(1).getByRole("button", { name: "Move row 2 of Written by up" }).focus();
  await page.keyboard.press("Enter");
  assertEquals(await shown(), ["Ada Lovelace", "Mary Somerville", "Katherine Johnson"]);
  // The first row cannot go up: whoever moved it there goes on at its other button.
  const down = rows.nth(0).getByRole("button", { name: "Move row 1 of Written by down" });
  assertEquals(await down.evaluate((button) => button === document.activeElement), true);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await rows.nth(0).getByRole("button", { name: "Remove row 1 of Written by" }).click();
  await page.getByText("Removed row 1 of Written by").waitFor();
  await keeps(visit, id, [authors[2]!, authors[0]!]);

  await page.reload();
  await page.locator("html[data-ready]").waitFor();
  assertEquals(await shown(), ["Katherine Johnson", "Ada Lovelace"]);
  assertEquals(complaints, []);
});

browserTest("what is pressed while more is found is chosen all the same", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, complaints } = visit;
  const { id } = await article(visit);
  await open(`/admin/documents/${id}`);
  const field = page.getByRole("group", { name: "Written by" });
  await field.getByRole("button", { name: "Add to Written by" }).click();
  const dialog = page.getByRole("dialog", { name: "Choose from Authors" });
  const hopper = dialog.getByRole("button", { name: "Grace Hopper" });
  await hopper.waitFor();
  await pressWhileAnswered(page, {
    request: /choices\?.*Grace/,
    ask: () => dialog.getByRole("searchbox").fill("Grace"),
    row: hopper,
  });
  await dialog.getByRole("button", { name: "Grace Hopper", pressed: true }).waitFor();
  await dialog.getByText("1 document", { exact: true }).waitFor();
  assertEquals(await dialog.locator(".choice").count(), 1);
  assertEquals(complaints, []);
});

browserTest("studio tells documents of one title apart where one is chosen", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask, complaints } = visit;
  const { authorId } = await magazine(visit);
  const cover = await photograph(visit);
  await ask("POST", "/collections/authors/fields", { name: "portrait", type: "media" });
  const twin = { collection: "authors", title: "Mary Anning", portrait: cover };
  const { id: twinId } = (await ask("POST", "/documents", twin)).json;
  await ask("POST", `/documents/${twinId}/publish`);
  const made = await ask("POST", "/documents", { collection: "posts", title: "Fossils" });
  await open(`/admin/documents/${made.json.id}`);
  const author = page.locator('[data-name="author"]');

  await author.getByRole("button", { name: "Choose a document" }).click();
  const dialog = page.getByRole("dialog", { name: "Choose from Authors" });
  await dialog.getByText("2 documents", { exact: true }).waitFor();
  await inspect(page, "picker-twins");
  const [other, first] = [
    dialog.getByRole("button", { name: "/authors/mary-anning-2" }),
    dialog.getByRole("button", { name: "/authors/mary-anning ·" }),
  ];
  await other.getByText("Published").waitFor();
  await first.getByText("Draft").waitFor();
  const shown = await other.locator("img").evaluate((image) => (image as HTMLImageElement).src);
  assertEquals(shown.includes(`/media/${cover}/`) && shown.endsWith("?w=320&h=240"), true, shown);
  assertEquals(await first.locator("img").count(), 0);
  await other.click();
  const image = author.locator("img");
  assertEquals(await image.isVisible(), true);
  await author.getByText("Authors · Published").waitFor();
  await keepsAuthor(visit, made.json.id, twinId);
  await page.reload();
  await page.locator("html[data-ready]").waitFor();
  assertEquals(await image.isVisible(), true);
  await author.getByText("Authors · Published").waitFor();

  await author.getByRole("button", { name: "Change" }).click();
  await first.click();
  assertEquals(await image.isVisible(), false);
  await keepsAuthor(visit, made.json.id, authorId);
  assertEquals(complaints, []);
});

browserTest("studio lets a finger drag rows on a phone", async (browser) => {
  await using visit = await studioVisit(browser, {
    hasTouch: true,
    viewport: { width: 375, height: 812 },
  });
  const { page, open, complaints } = visit;
  const { id, authors } = await article(visit, [0, 1, 2]);
  await open(`/admin/documents/${id}`);
  const rows = page.getByRole("group", { name: "Written by" }).locator("[data-row]");
  await rows.nth(2).scrollIntoViewIfNeeded();
  const [change, up] = await Promise.all(
    ["Change", "Move row 3 of Written by up"].map((name) =>
      rows.nth(2).getByRole("button", { name }).boundingBox()
    ),
  );
  assertEquals(change!.x + change!.width <= up!.x, true, "one button lies over another");

  const grip = (await rows.nth(0).locator("[data-grip]").boundingBox())!;
  const goal = (await rows.nth(2).boundingBox())!;
  const x = grip.x + grip.width / 2;
  const y = grip.y + grip.height / 2;
  const touch = await page.context().newCDPSession(page);
  const send = (type: "touchStart" | "touchMove" | "touchEnd", points: number[]) =>
    touch.send("Input.dispatchTouchEvent", { type, touchPoints: points.map((y) => ({ x, y })) });
  await send("touchStart", [y]);
  for (const part of [0.25, 0.5, 0.75, 1]) {
    await send("touchMove", [y + (goal.y + goal.height - 2 - y) * part]);
  }
  await rows.nth(2).and(page.locator("[data-drop=after]")).waitFor();
  await send("touchEnd", []);
  await keeps(visit, id, [authors[1]!, authors[2]!, authors[0]!]);
  assertEquals(complaints, []);
});

browserTest("studio offers to create in place only what one may create", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask, complaints } = visit;
  await ask("POST", "/collections", { slug: "imprint", name: "Imprint", singleton: true });
  await ask("POST", "/collections", {
    slug: "notes",
    name: "Notes",
    fields: [
      { name: "one", label: "One", type: "reference", options: { collection: "imprint" } },
      { name: "any", label: "Any", type: "reference" },
    ],
  });
  const { json: note } = await ask("POST", "/documents", { collection: "notes", title: "A note" });

  await open(`/admin/documents/${note.id}`);
  const offered = {
    One: ["Choose from Imprint"],
    Any: ["Choose a document", "New “Nobody” in Notes"],
  };
  for (const [label, [name, ...buttons]] of Object.entries(offered)) {
    const dialog = page.getByRole("dialog", { name: name! });
    await page.getByRole("group", { name: label }).getByRole("button", { name: "Choose" }).click();
    await dialog.getByRole("searchbox").fill("Nobody");
    await dialog.getByText("No matches.").waitFor();
    assertEquals(await dialog.locator("[data-picker-create] button").allTextContents(), buttons);
    assertEquals(await dialog.getByRole("button", { name: "Done" }).isVisible(), false);
    await dialog.getByRole("button", { name: "Close" }).click();
  }

  assertEquals(complaints, []);
});

browserTest("studio copies a document with what was typed last", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask, complaints } = visit;
  const { id, authors } = await article(visit, [0, 1]);
  assertEquals((await ask("POST", `/documents/${id}/publish`)).status, 202);

  await open(`/admin/documents/${id}`);
  await page.getByLabel("Teaser").fill("Typed last");
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Duplicate" })
    .or(page.getByRole("button", { name: "Duplicate" })).click();
  await page.getByText("This is a copy, saved as a draft").waitFor();
  await page.locator("html[data-ready]").waitFor();

  const copyId = new URL(page.url()).pathname.split("/").at(-1)!;
  const { json: copy } = await ask("GET", `/documents/${copyId}`);
  const { json: original } = await ask("GET", `/documents/${id}`);
  assertEquals([copy.title, copy.status], ["Copy of The lighthouse", "draft"]);
  assertEquals([copy.slug, copy.code, copy.teaser], ["copy-of-the-lighthouse", null, "Typed last"]);
  assertEquals(copy.writtenBy, [{ author: authors[0] }, { author: authors[1] }]);
  assertEquals([original.status, original.code], ["published", "LH-1"]);
  assertEquals(complaints, []);
});

browserTest("studio copies the documents that are selected in a list", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask, complaints } = visit;
  const { id } = await article(visit);
  await ask("POST", "/collections", { slug: "imprint", name: "Imprint", singleton: true });
  await ask("POST", "/documents", { collection: "imprint", title: "Imprint" });
  const titles = async (query: string) =>
    (await ask("GET", `/documents?sort=title&${query}`)).json.data
      .map(({ title }: { title: string }) => title);
  const bar = page.getByRole("toolbar", { name: "Selected documents" });
  const duplicate = bar.getByRole("button", { name: "Duplicate" });

  await open("/admin/content");
  await page.getByLabel("Select Imprint").check();
  assertEquals(await duplicate.isVisible(), false);
  await page.getByLabel("Select The lighthouse").check();
  await duplicate.click();
  await page.getByText("Duplicated as drafts: 1 document").waitFor();
  assertEquals(await titles("collection=articles"), ["Copy of The lighthouse", "The lighthouse"]);
  const [copy] = (await ask("GET", "/documents?q=Copy&collection=articles")).json.data;
  assertEquals([copy.status, copy.code, copy.id === id], ["draft", null, false]);

  await page.locator("html[data-ready]").waitFor();
  for (const name of AUTHORS.slice(0, 2)) await page.getByLabel(`Select ${name}`).check();
  await duplicate.click();
  const dialog = page.getByRole("dialog", { name: "Duplicate 2 documents?" });
  await dialog.getByRole("button", { name: "Duplicate" }).click();
  await page.getByText("Duplicated as drafts: 2 documents").waitFor();
  assertEquals(
    await titles("collection=authors&q=Copy"),
    ["Copy of Ada Lovelace", "Copy of Grace Hopper"],
  );
  assertEquals(complaints, []);
});

browserTest(
  "studio shows more of what can be chosen, by keys and by scrolling",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, open, ask, complaints } = visit;
    const { id } = await article(visit);
    for (let n = 1; n <= 62; n++) {
      await ask("POST", "/documents", { collection: "authors", title: `Author ${n}` });
    }
    await open(`/admin/documents/${id}`);
    const field = page.getByRole("group", { name: "Written by" });
    await field.getByRole("button", { name: "Add to Written by" }).click();
    const dialog = page.getByRole("dialog", { name: "Choose from Authors" });
    const choices = dialog.locator(".choice");
    await dialog.getByText("20 of 65 documents").waitFor();
    await inspect(page, "picker-more");

    await dialog.getByRole("button", { name: "Author 43" }).focus();
    await page.keyboard.press("ArrowDown");
    await dialog.getByText("40 of 65 documents").waitFor();
    await choices.nth(39).scrollIntoViewIfNeeded();
    await dialog.getByText("60 of 65 documents").waitFor();
    await choices.nth(59).scrollIntoViewIfNeeded();
    await dialog.getByText("65 documents", { exact: true }).waitFor();
    assertEquals(await choices.count(), 65);
    assertEquals(await dialog.getByRole("button", { name: "Show more" }).isVisible(), false);
    await dialog.getByRole("button", { name: AUTHORS[0]! }).click();
    await dialog.getByRole("button", { name: AUTHORS[0]!, pressed: true }).waitFor();
    assertEquals(await choices.count(), 65);

    await dialog.getByRole("searchbox").fill("Author 6");
    await dialog.getByText("4 documents", { exact: true }).waitFor();
    await dialog.getByRole("searchbox").fill("Author 62");
    await dialog.getByText("1 document", { exact: true }).waitFor();
    await dialog.getByRole("searchbox").fill("Nobody");
    await dialog.getByText("No matches.").waitFor();
    assertEquals(complaints, []);
  },
);

browserTest(
  "studio begins a singleton with its form, under a title that can be changed",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, open, ask, complaints } = visit;
    await ask("POST", "/collections", {
      slug: "front-page",
      name: "Front page",
      singleton: true,
      fields: [{ name: "slogan", label: "Slogan", type: "text" }],
    });
    await open("/admin/content/front-page");
    await page.getByLabel("Slogan").fill("Light for all");
    await page.locator("[data-save-state]", { hasText: /^Saved/ }).waitFor();
    const [only] = (await ask("GET", "/documents?collection=front-page")).json.data;
    assertEquals([only.title, only.slug], ["Front page", "front-page"]);
    await page.getByLabel("Title", { exact: true }).fill("Welcome");
    await eventually("kept with the title", async () => {
      const { title, slug, slogan } = (await ask("GET", `/documents/${only.id}`)).json;
      return title === "Welcome" && slug === "welcome" && slogan === "Light for all";
    });
    assertEquals(complaints, []);
  },
);

/** An article with fields of these kinds, and authors. */
async function article({ ask }: StudioVisit, by: number[] = []) {
  const must = async (path: string, body: Record<string, unknown>) => {
    const answer = await ask("POST", path, body as never);
    assertEquals(answer.status, 201, answer.text);
    return answer.json.id as string;
  };
  await must("/collections", { slug: "authors", name: "Authors", fields: [] });
  const author = { name: "author", label: "Author", type: "reference" };
  await must("/collections", {
    slug: "articles",
    name: "Articles",
    fields: [
      { name: "teaser", label: "Teaser", type: "text" },
      { name: "code", label: "Code", type: "text", unique: true, indexed: true },
      {
        name: "writtenBy",
        label: "Written by",
        type: "repeater",
        options: { maxItems: 3, fields: [{ ...author, options: { collection: "authors" } }] },
      },
    ],
  });
  const authors: string[] = [];
  for (const title of AUTHORS) {
    authors.push(await must("/documents", { collection: "authors", title }));
  }
  const id = await must("/documents", {
    collection: "articles",
    title: "The lighthouse",
    code: "LH-1",
    writtenBy: by.map((at) => ({ author: authors[at] })),
  });
  return { id, authors };
}

/** Drags a row by its grip over another one; `giveUp` presses Escape before it is let go. */
async function drag(page: Page, from: Locator, to: Locator, { giveUp = false } = {}) {
  const grip = (await from.locator("[data-grip]").boundingBox())!;
  const goal = (await to.boundingBox())!;
  await page.mouse.move(grip.x + grip.width / 2, grip.y + grip.height / 2);
  await page.mouse.down();
  const isDown = goal.y > grip.y;
  await page.mouse.move(grip.x + 4, goal.y + (isDown ? goal.height - 2 : 2), { steps: 4 });
  await page.locator("[data-dragged]").waitFor();
  if (giveUp) await page.keyboard.press("Escape");
  await page.mouse.up();
  assertEquals(await page.locator("[data-dragged], [data-drop]").count(), 0);
}

/** Waits until a document has been kept with these authors. */
function keeps({ ask }: StudioVisit, id: string, expected: string[]): Promise<void> {
  return eventually(`kept with ${expected}`, async () => {
    const { writtenBy } = (await ask("GET", `/documents/${id}`)).json;
    return sameJson(writtenBy, expected.map((author) => ({ author })));
  });
}

function keepsAuthor({ ask }: StudioVisit, id: string, expected: string): Promise<void> {
  return eventually(
    `kept with ${expected}`,
    async () => (await ask("GET", `/documents/${id}`)).json.author === expected,
  );
}
