/**
 * Texts for translators: an author without permission to see jobs exports them from the overview and imports them
 * again, and reads the report of what was left out.
 */
import { Buffer } from "node:buffer";
import { BlobReader, configure, TextWriter, ZipReader } from "@zip.js/zip.js";
import type { Page } from "playwright-core";
import { assertEquals, assertStringIncludes } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { colleague, inspect, studioVisit } from "../../support/browser/studio_visit.ts";
import { translatedSite } from "../../support/browser/translated_site.ts";
import { zipOf } from "../../support/transfers/archives.ts";

configure({ useWebWorkers: false });

/** The files of a downloaded archive, by path. */
async function download(page: Page): Promise<Map<string, string>> {
  const started = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download" }).click();
  const bytes = await Deno.readFile(await (await started).path());
  const files = new Map<string, string>();
  for (const entry of await new ZipReader(new BlobReader(new Blob([bytes]))).getEntries()) {
    if (!entry.directory) files.set(entry.filename, await entry.getData(new TextWriter()));
  }
  return files;
}

/** The file with translations behind their sources. */
function translated(file: string, texts: Record<string, string>): string {
  return Object.entries(texts).reduce((text, [source, target]) => {
    const [before, after] = text.split(`>${source}</source>`) as [string, string];
    return `${before}>${source}</source><target>${target}</target>${after}`;
  }, file);
}

browserTest("texts leave for translators, and come back with a report", async (browser) => {
  await using visit = await studioVisit(browser);
  const { ask, test, origin } = visit;
  const id = await translatedSite(visit);
  const lead = "Every night the lamp is lit before the sun has gone.";
  const { page } = await colleague(visit, {
    email: "bea@example.org",
    displayName: "Bea",
    roles: ["author"],
  }, { acceptDownloads: true });
  const open = async (path: string) => {
    await page.goto(origin + path);
    await page.locator("html[data-ready]").waitFor();
  };

  // The states and the collections narrow what is exported.
  await open("/admin/");
  await page.getByRole("button", { name: "Export for translators …" }).click();
  const exporting = page.getByRole("dialog", { name: "Export for translators" });
  await exporting.getByLabel("Translate into").selectOption({ label: "French" });
  await inspect(page, "translation-export");
  await exporting.getByRole("button", { name: "Export", exact: true }).click();
  await page.waitForURL(/\/admin\/translations\/[0-9A-Z]{26}$/);
  await page.getByRole("progressbar").waitFor();
  await test.runner.drain();
  await page.getByText(/The export is ready: 1 document/).waitFor();
  const files = await download(page);
  const [[name, file]] = [...files] as [[string, string]];
  assertStringIncludes(file, 'trgLang="fr"');

  // The original changes in the meantime: its text is refused, and listed.
  await ask("PATCH", `/documents/${id}`, { lead: `${lead} Always.` });
  const texts = {
    "The lighthouse keeper": "Le gardien du phare",
    [lead]: "Chaque nuit, la lampe est allumée.",
  };
  const bytes = await zipOf({ [name]: translated(file, texts) });
  const upload = async (force: boolean) => {
    await open("/admin/");
    await page.getByRole("button", { name: "Import translations …" }).click();
    const importing = page.getByRole("dialog", { name: "Import translations" });
    await importing.getByLabel("File").setInputFiles({
      name: "translations.zip",
      mimeType: "application/zip",
      buffer: Buffer.from(bytes),
    });
    if (force) await importing.getByLabel(/^Import texts whose source/).check();
    await importing.getByRole("button", { name: "Import", exact: true }).click();
    await page.waitForURL(/\/admin\/translations\/[0-9A-Z]{26}$/);
    await test.runner.drain();
  };
  await upload(false);
  await page.getByText("1 text of 1 document imported.").waitFor();
  const row = page.getByRole("row", { name: /The lighthouse keeper/ });
  assertEquals(await row.getByRole("cell").allInnerTexts(), ["Lead", "The source has changed"]);
  await inspect(page, "translation-report");
  const french = async () => (await ask("GET", `/documents/${id}/translations/fr`)).json;
  const { title, lead: own, status } = await french();
  assertEquals([title, own, status], ["Le gardien du phare", undefined, "draft"]);

  await upload(true);
  await page.getByText("2 texts of 1 document imported.").waitFor();
  assertEquals((await french()).lead, texts[lead]);

  // A file that is none is refused in the dialog or named in the report.
  await open("/admin/");
  await page.getByRole("button", { name: "Import translations …" }).click();
  await page.getByLabel("File", { exact: true }).setInputFiles({
    name: "translation.xlf",
    mimeType: "application/xliff+xml",
    buffer: Buffer.from("<html></html>"),
  });
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await page.waitForURL(/\/admin\/translations\/[0-9A-Z]{26}$/);
  await test.runner.drain();
  await page.getByRole("row", { name: /translation\.xlf/ }).waitFor();
});
