/**
 * A document with a rich text, open in the studio.
 *
 * @module
 */
import type { Locator, Page } from "playwright-core";
import type { Json } from "../../../kv/model/entities/entity.ts";
import type { StudioVisit } from "./studio_visit.ts";

/** The field Body with its editor; the textarea that stands there before is called "Body as Portable Text". */
export function richText(page: Page): Locator {
  return page.getByRole("textbox", { name: "Body", exact: true });
}

/** Makes a collection and a document of it with this text, and opens its form; answers the document's id. */
export async function openRichText(visit: StudioVisit, body: Json = null): Promise<string> {
  await visit.ask("POST", "/collections", {
    slug: "posts",
    name: "Posts",
    fields: [{ name: "body", label: "Body", type: "rich_text" }],
  });
  const { json } = await visit.ask("POST", "/documents", {
    collection: "posts",
    title: "A night at the lighthouse",
    body,
  });
  await visit.open(`/admin/documents/${json.id}`);
  await richText(visit.page).waitFor();
  return json.id;
}

/**
 * Waits until the editor has read the cursor that keys have moved. Browsers report a moved cursor in a task of its own,
 * which events that a test dispatches itself would overtake.
 */
export async function cursorRead(page: Page): Promise<void> {
  await page.evaluate("new Promise((read) => requestAnimationFrame(() => setTimeout(read, 30)))");
}

/** The words of each paragraph of a text, without the names at the cursors of other users. */
export async function paragraphsIn(page: Page): Promise<string[]> {
  return await richText(page).locator("p").evaluateAll((paragraphs) =>
    paragraphs.map((paragraph) => {
      const words = paragraph.cloneNode(true) as typeof paragraph;
      for (const caret of words.querySelectorAll(".pt-caret")) caret.remove();
      return words.textContent ?? "";
    })
  );
}
