/** What other programs mean by their markup survives a paste. */
import type { Locator } from "playwright-core";
import type { JsonObject } from "../../../kv/model/values/json_object.ts";
import { assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { openRichText, richText } from "../../support/browser/rich_text_visit.ts";
import { studioVisit } from "../../support/browser/studio_visit.ts";

async function paste(text: Locator, html: string): Promise<void> {
  await text.focus();
  await text.page().keyboard.press("Control+a");
  await text.evaluate((element, html) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/html", html);
    clipboardData.setData("text/plain", "copied");
    const options = { clipboardData, bubbles: true, cancelable: true };
    element.dispatchEvent(new ClipboardEvent("paste", options));
  }, html);
}

const wordsOf = (block: JsonObject): string =>
  ((block.children ?? []) as JsonObject[]).map(({ text }) => text).join("");

/** A block in one line: its kind, and its words. */
function said(block: JsonObject): string {
  const { _type, style, listItem, tone, content, rows, headerRows } = block;
  if (_type === "callout") return `${tone}: ${(content as JsonObject[]).map(said).join(" / ")}`;
  if (_type === "table") return `table of ${(rows as unknown[]).length}, heads ${headerRows}`;
  return `${listItem ?? style}: ${wordsOf(block)}`;
}

const CASES: [name: string, html: string, said: string[]][] = [
  [
    "Google Docs, with breaks between its blocks",
    '<b style="font-weight:normal" id="docs-internal-guid-1"><p dir="ltr"><span>One</span></p>' +
    '<br><h2 dir="ltr"><span>Two</span></h2><br><br><p dir="ltr"><span>Three<br>Four</span></p></b>',
    ["normal: One", "h2: Two", "normal: Three\nFour"],
  ],
  [
    "an alert of GitHub",
    '<div class="markdown-alert markdown-alert-warning"><p class="markdown-alert-title">Warning</p>' +
    "<p>Mind the lamp.</p></div><p>After</p>",
    ["warning: normal: Mind the lamp.", "normal: After"],
  ],
  ["an aside", "<p>Before</p><aside><p>By the way</p></aside>", [
    "normal: Before",
    "note: normal: By the way",
  ]],
  [
    "tasks",
    '<ul><li><input type="checkbox" checked disabled> Lit</li>' +
    '<li><input type="checkbox" disabled> Wound</li></ul>',
    ["bullet: ☑ Lit", "bullet: ☐ Wound"],
  ],
  [
    "tasks of Google Docs",
    '<ul><li role="checkbox" aria-checked="true"><p>Lit</p></li>' +
    '<li role="checkbox" aria-checked="false"><p>Wound</p></li></ul>',
    ["bullet: ☑ Lit", "bullet: ☐ Wound"],
  ],
  [
    "a table of Word whose head is bold",
    '<table class="MsoTableGrid" border="1"><tr><td><p class="MsoNormal"><b>Name</b></p></td>' +
    '<td><p class="MsoNormal"><b>Built</b></p></td></tr><tr><td><p class="MsoNormal">North</p></td>' +
    '<td><p class="MsoNormal">1860</p></td></tr></table>',
    ["table of 2, heads 1"],
  ],
  [
    "a table without a head",
    '<table border="1"><tr><td>North</td><td>1860</td></tr><tr><td>South</td><td>1870</td></tr></table>',
    ["table of 2, heads 0"],
  ],
];

browserTest(
  "alerts, asides, tasks and heads survive a paste, breaks between blocks do not",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page } = visit;
    await openRichText(visit);
    const area = page.locator('[data-name="body"] textarea.pt-source');
    for (const [name, html, expected] of CASES) {
      await paste(richText(page), html);
      const blocks = JSON.parse(await area.inputValue()) as JsonObject[];
      const shown = blocks.filter((block) => block._type !== "block" || wordsOf(block) !== "");
      assertEquals(shown.map(said), expected, name);
      assertEquals(blocks.length - shown.length <= 1, true, `${name}: empty paragraphs`);
    }
  },
);
