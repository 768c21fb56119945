/** A comment on words whose panel is closed before the text that it is about is saved. */
import type { Page, WebSocketRoute } from "playwright-core";
import { assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { eventually } from "../../support/browser/live_story.ts";
import { openRichText, richText } from "../../support/browser/rich_text_visit.ts";
import { pressKeys, studioVisit } from "../../support/browser/studio_visit.ts";

const BODY = [{
  _type: "block",
  _key: "first",
  style: "normal",
  markDefs: [],
  children: [{ _type: "span", _key: "s", text: "Harbour with ships", marks: [] }],
}];

/** Holds what the page sends to the server until it is released. */
async function holdLive(page: Page) {
  let isHeld = false;
  const waiting: (() => void)[] = [];
  await page.routeWebSocket(/\/live/, (route: WebSocketRoute) => {
    const server = route.connectToServer();
    route.onMessage((message) => {
      if (isHeld) waiting.push(() => server.send(message));
      else server.send(message);
    });
  });
  return {
    hold: () => void (isHeld = true),
    release: () => {
      isHeld = false;
      for (const send of waiting.splice(0)) send();
    },
  };
}

browserTest(
  "a comment on words is stored although its panel is closed before the text is saved",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, ask, complaints } = visit;
    const live = await holdLive(page);
    const id = await openRichText(visit, BODY);
    await richText(page).click();
    live.hold();
    await pressKeys(page, "End");
    await page.keyboard.type(" at night");
    await pressKeys(page, "Home", ...Array(7).fill("Shift+ArrowRight"), "Control+Alt+m");
    await page.locator("#new-comment").fill("Which one?");
    const send = page.locator(
      "[data-new-comment] button[type=submit], [data-new-comment] button.primary",
    );
    await send.first().click();
    await send.first().click();
    await page.getByRole("button", { name: "Close comments" }).click();
    live.release();

    const stored = async () => (await ask("GET", `/documents/${id}/comments`)).json.data;
    await eventually("the comment is stored", async () => (await stored()).length > 0);
    assertEquals(
      (await stored()).map(({ text, anchor }: { text: string; anchor: { quote: string } }) => [
        text,
        anchor.quote,
      ]),
      [["Which one?", "Harbour"]],
    );
    await richText(page).locator("mark.pt-comment").waitFor();
    assertEquals(
      await page.getByRole("region", { name: "Comments", exact: true }).isVisible(),
      false,
    );
    assertEquals(complaints, []);
  },
);
