/**
 * Images and the site's own blocks inside of rich text: put in, filled in, changed, moved, taken away.
 */
import { Buffer } from "node:buffer";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { assertEquals, assertStringIncludes } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { IMAGES } from "../../support/sites/images.ts";
import { richText } from "../../support/browser/rich_text_visit.ts";
import {
  inspect,
  pressKeys,
  type StudioVisit,
  studioVisit,
} from "../../support/browser/studio_visit.ts";

// deno-lint-ignore no-explicit-any
type Block = any;

const QUOTE = {
  name: "pullQuote",
  label: "Pull quote",
  fields: [
    { name: "words", label: "Words", type: "text", options: { multiline: true } },
    { name: "loud", label: "Loud", type: "boolean" },
    { name: "since", label: "Since", type: "datetime" },
    { name: "portrait", label: "Portrait", type: "media" },
    {
      name: "sources",
      label: "Sources",
      type: "repeater",
      options: { fields: [{ name: "name", label: "Name", type: "text" }] },
    },
    { name: "note", label: "Note", type: "rich_text" },
  ],
};

const paragraph = (key: string, text: string): Json => ({
  _type: "block",
  _key: key,
  style: "normal",
  markDefs: [],
  children: [{ _type: "span", _key: "s", text, marks: [] }],
});

async function writing(visit: StudioVisit, body: Json = null): Promise<string> {
  await visit.ask("POST", "/blocks", QUOTE as unknown as Json);
  await visit.ask("POST", "/collections", {
    slug: "posts",
    name: "Posts",
    fields: [{ name: "body", label: "Body", type: "rich_text" }],
  });
  const document = { collection: "posts", title: "The keeper", body };
  const { json } = await visit.ask("POST", "/documents", document);
  await visit.open(`/admin/documents/${json.id}`);
  await richText(visit.page).waitFor();
  return json.id;
}

async function stored({ page, ask }: StudioVisit, id: string): Promise<Block[]> {
  await page.keyboard.press("Control+s");
  await page.getByText(/^Saved \d\d:\d\d · version \d+$/).waitFor();
  return (await ask("GET", `/documents/${id}`)).json.body ?? [];
}

const shape = (body: Block[]) =>
  body.map(({ _type, children }) => _type === "block" ? children[0].text : `{${_type}}`);

const LAMP = {
  name: "lamp.png",
  mimeType: "image/png",
  buffer: Buffer.from(IMAGES["image/png"]),
};

browserTest(
  "an image comes into rich text by the slash menu, with an upload and words",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, complaints } = visit;
    const id = await writing(visit);

    await richText(page).click();
    await page.keyboard.type("Before\n/");
    const menu = page.getByRole("listbox", { name: "Turn into, or insert" });
    await menu.getByRole("group", { name: "Insert" }).waitFor();
    assertEquals(await menu.getByRole("group").count(), 2);
    // Every choice has a sign: letters, or a drawing.
    const marks = await menu.locator(".pt-choice-mark").evaluateAll((all) =>
      all.map((mark) => mark.textContent !== "" || mark.querySelector("path") !== null)
    );
    assertEquals(marks.length > 7 && marks.every((isThere) => isThere), true);
    // A window that has become narrower, as when a phone is turned, has the menu in sight.
    await page.setViewportSize({ width: 375, height: 812 });
    await page.evaluate("new Promise((drawn) => requestAnimationFrame(drawn))");
    const { x, width } = (await menu.boundingBox())!;
    assertEquals(x >= 0 && x + width <= 375, true, `the menu is from ${x} to ${x + width}`);
    await inspect(page, "rich-text-slash-all");
    await page.keyboard.type("ima");
    await menu.getByRole("option", { name: "Image" }).waitFor();
    await inspect(page, "rich-text-slash-blocks");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Insert Image" });
    await dialog.getByRole("button", { name: "Insert" }).click();
    await dialog.getByText("Choose an image first").waitFor();
    await dialog.getByRole("button", { name: "Choose an image" }).click();
    const picker = page.getByRole("dialog", { name: "Choose an image" });
    await picker.locator("input[type=file]").setInputFiles(LAMP);
    await page.getByRole("button", { name: "Use image" }).click();
    await dialog.getByText("lamp.png").waitFor();
    await dialog.getByLabel("Alt text").fill("A lamp at night");
    await inspect(page, "rich-text-image-dialog");
    await page.keyboard.press("Control+Enter");
    await dialog.waitFor({ state: "detached" });
    await page.keyboard.type("After");

    const body = await stored(visit, id);
    assertEquals(shape(body), ["Before", "{image}", "After"]);
    const { _key, media, ...rest } = body[1];
    assertEquals(rest, { _type: "image", alt: "A lamp at night" });
    const found = await visit.ask("GET", `/media/${media}`);
    assertEquals(found.json.filename, "lamp.png");
    const picture = page.locator(".pt-picture img");
    await picture.waitFor();
    const [shown, text] = await Promise.all([
      picture.boundingBox(),
      page.locator(".pt-text").boundingBox(),
    ]);
    assertEquals(shown!.width > text!.width * 0.95, true, "the picture is as wide as the text");
    await page.locator(".pt-object", { hasText: "A lamp at night" }).waitFor();
    await inspect(page, "rich-text-image");
    const rendered = await (await page.request.get(`${visit.origin}/admin/documents/${id}/preview`))
      .text();
    assertStringIncludes(rendered, 'alt="A lamp at night"');
    assertEquals(complaints, []);
  },
);

browserTest(
  "a block of the site is filled in, changed, moved and taken away by keys",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, complaints } = visit;
    const before = {
      _type: "pullQuote",
      _key: "q1",
      words: "It was dark",
      since: 1_700_000_031,
      sources: [{ name: "Log" }],
      extra: { kept: [1] },
    };
    const id = await writing(visit, [paragraph("one", "First"), before, paragraph("two", "Last")]);

    // Choosing it, looking into it and leaving changes nothing.
    await page.getByRole("button", { name: "Edit Pull quote" }).click();
    const edit = page.getByRole("dialog", { name: "Edit Pull quote" });
    assertEquals(await edit.getByLabel("Name").inputValue(), "Log");
    await edit.getByRole("button", { name: "Save" }).click();
    await edit.waitFor({ state: "detached" });
    assertEquals(await page.getByText("Unsaved changes").count(), 0);

    await page.locator(".pt-object").click({ position: { x: 12, y: 12 } });
    await page.getByRole("status").getByText(/Pull quote selected/).waitFor({ state: "attached" });
    await pressKeys(page, "Enter");
    await edit.getByLabel("Words").fill("It was very dark");
    await edit.getByRole("button", { name: "Add to Sources" }).click();
    await edit.getByLabel("Name").nth(1).fill("Diary");
    await edit.getByRole("textbox", { name: "Note" }).click();
    await page.keyboard.type("Said **twice**");
    await inspect(page, "rich-text-block-dialog");
    await page.keyboard.press("Escape");
    const question = page.getByRole("dialog", { name: /will be lost/ });
    await question.getByRole("button", { name: "Cancel" }).click();
    await edit.getByRole("button", { name: "Save" }).click();
    const changed = await stored(visit, id);
    const { note, ...rest } = changed[1];
    const sources = [{ name: "Log" }, { name: "Diary" }];
    assertEquals(rest, { ...before, words: "It was very dark", sources });
    assertEquals(note[0].children.map(({ text, marks }: Block) => [text, ...marks]), [
      ["Said "],
      ["twice", "strong"],
    ]);
    await inspect(page, "rich-text-block");

    // It is selected still, as it was when it was opened.
    await pressKeys(page, "Alt+ArrowUp");
    assertEquals(shape(await stored(visit, id)), ["{pullQuote}", "First", "Last"]);
    await pressKeys(page, "Alt+ArrowDown", "Alt+ArrowDown");
    assertEquals(shape(await stored(visit, id)), ["First", "Last", "{pullQuote}"]);
    await pressKeys(page, "Delete");
    assertEquals(shape(await stored(visit, id)), ["First", "Last"]);
    await pressKeys(page, "Control+z");
    assertEquals((await stored(visit, id))[2], changed[1]);
    await pressKeys(page, "Control+z", "Control+z", "Control+z", "Control+z");
    assertEquals((await stored(visit, id))[1], before);

    await page.getByLabel("Insert", { exact: true }).selectOption("Pull quote");
    const insert = page.getByRole("dialog", { name: "Insert Pull quote" });
    await insert.getByLabel("Words").fill("New");
    await insert.getByRole("button", { name: "Insert" }).click();
    await page.getByRole("button", { name: "Move Pull quote up" }).first().click();
    const last = await stored(visit, id);
    assertEquals(last.filter(({ _type }) => _type === "pullQuote").length, 2);
    assertEquals(complaints, []);
  },
);

browserTest(
  "an image that is pasted as a file is uploaded and comes where the cursor is",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, complaints } = visit;
    const id = await writing(visit, [paragraph("one", "First"), paragraph("two", "Last")]);
    const bytes = [...IMAGES["image/png"]];

    await page.locator(".pt-text > p").first().click();
    await richText(page).evaluate((element, bytes) => {
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([new Uint8Array(bytes)], "shot.png", { type: "image/png" }));
      element.dispatchEvent(
        new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
      );
    }, bytes);
    await page.locator(".pt-object img").waitFor();

    const body = await stored(visit, id);
    assertEquals(shape(body), ["First", "{image}", "Last"]);
    assertEquals((await visit.ask("GET", `/media/${body[1].media}`)).json.filename, "shot.png");
    assertEquals(complaints, []);
  },
);

browserTest(
  "rich text can be read where no script runs, and says why it cannot be changed",
  async (browser) => {
    await using visit = await studioVisit(browser, { javaScriptEnabled: false });
    const { page, ask, origin } = visit;
    await ask("POST", "/collections", {
      slug: "posts",
      name: "Posts",
      fields: [{ name: "body", label: "Body", type: "rich_text" }],
    });
    const body = [paragraph("one", "First"), { _type: "image", media: "x" }];
    const { json } = await ask("POST", "/documents", { collection: "posts", title: "T", body });

    await page.goto(`${origin}/admin/documents/${json.id}`);
    await page.getByText("Editing this text requires JavaScript").waitFor();
    await page.locator(".pt-read").getByText("First", { exact: true }).waitFor();
    assertEquals(await page.locator("textarea", { hasText: "_type" }).isVisible(), false);
  },
);
