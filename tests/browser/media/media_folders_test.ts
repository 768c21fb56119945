/** The media library's folders and tags, several media changed at once, and media from an address. */
import { Buffer } from "node:buffer";
import { assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { FILES } from "../../support/harness/files.ts";
import { IMAGES } from "../../support/sites/images.ts";
import { pictureServer } from "../../support/browser/picture_server.ts";
import { inspect, studioVisit } from "../../support/browser/studio_visit.ts";

const file = (name: string, mimeType: keyof typeof IMAGES) => ({
  name,
  mimeType,
  buffer: Buffer.from(IMAGES[mimeType]),
});

browserTest("studio puts media into folders, tags them, and renames a folder", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask, complaints } = visit;
  const names = async (query: string) =>
    (await ask("GET", `/media?sort=filename&${query}`)).json.data
      .map(({ filename }: { filename: string }) => filename);
  await open("/admin/media");
  await page.locator(".upload input[type=file]").setInputFiles([
    file("a.png", "image/png"),
    file("b.gif", "image/gif"),
    file("c.webp", "image/webp"),
  ]);
  await page.getByRole("link", { name: "c.webp" }).waitFor();

  await page.getByLabel("Select a.png").check();
  await page.getByLabel("Select b.gif").check();
  await page.getByText("2 selected").waitFor();
  await page.getByRole("button", { name: "Move", exact: true }).click();
  const move = page.getByRole("dialog", { name: "Move to a folder" });
  await move.getByLabel("Folder").fill("../x");
  await move.getByRole("button", { name: "Move", exact: true }).click();
  await move.getByText("Folder names must not be . or ..").waitFor();
  await move.getByLabel("Folder").fill("Press/2026");
  await move.getByRole("button", { name: "Move", exact: true }).click();
  await page.getByText("2 files updated").waitFor();
  await page.locator("html[data-ready]").waitFor();

  await page.getByRole("button", { name: "Select all on this page" }).isHidden();
  await page.getByLabel("Select c.webp").check();
  await page.getByRole("button", { name: "Select all on this page" }).click();
  await page.getByRole("button", { name: "Tags", exact: true }).click();
  await page.getByRole("dialog").getByLabel("Add").fill("lamp, evening light");
  await page.getByRole("button", { name: "Change tags" }).click();
  await page.getByText("3 files updated").waitFor();
  await page.locator("html[data-ready]").waitFor();
  assertEquals(await names("tag=Evening+Light"), ["a.png", "b.gif", "c.webp"]);
  await inspect(page, "media-folders");

  await page.getByRole("link", { name: /^Press/ }).click();
  await page.locator("html[data-ready]").waitFor();
  assertEquals(await page.locator(".medium").count(), 2);
  await page.locator(".upload input[type=file]").setInputFiles(file("d.avif", "image/avif"));
  await page.getByRole("link", { name: "d.avif" }).waitFor();
  assertEquals(await names("folder=Press"), ["a.png", "b.gif", "d.avif"]);
  await page.locator("html[data-ready]").waitFor();
  await inspect(page, "media-folder");
  await page.getByRole("button", { name: "Rename or move" }).click();
  const rename = page.getByRole("dialog", { name: "Rename or move folder" });
  await rename.getByLabel("Path").fill("Press/Old");
  await rename.getByRole("button", { name: "Move", exact: true }).click();
  await rename.getByText("Must not be the folder itself").waitFor();
  await rename.getByLabel("Path").fill("Archive");
  await rename.getByRole("button", { name: "Move", exact: true }).click();
  await page.getByText("Folder moved").waitFor();
  await page.locator("html[data-ready]").waitFor();
  assertEquals(await names("folder=Archive/2026"), ["a.png", "b.gif"]);

  await page.getByRole("link", { name: "a.png" }).click();
  await page.getByLabel("Tags").fill("lamp\nLAMP\nred");
  await page.getByLabel("Folder").fill("");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Saved", { exact: true }).waitFor();
  assertEquals(await names("folder=/&tag=red"), ["a.png"]);
  await inspect(page, "media-tags");

  await open("/admin/media?tag=red");
  await page.getByLabel("Select a.png").check();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("1 of 1 moved to the trash").waitFor();
  assertEquals(await names(""), ["b.gif", "c.webp", "d.avif"]);
  assertEquals(complaints.filter((text) => !text.includes("Failed to load resource")), []);
});

browserTest(
  "studio imports a picture from an address, and says what is wrong with it",
  async (browser) => {
    await using visit = await studioVisit(browser, { allowLocal: true });
    const { page, open, ask } = visit;
    const pictures = pictureServer();
    await open("/admin/media");
    await page.getByRole("button", { name: "Import from URL" }).click();
    const dialog = page.getByRole("dialog", { name: "Import from URL" });
    await dialog.getByLabel("URL").fill(`${pictures.at}/page`);
    await dialog.getByLabel("Folder").fill("Press");
    await dialog.getByRole("button", { name: "Import", exact: true }).click();
    await dialog.getByLabel("URL").and(page.locator("[aria-invalid]")).waitFor();
    await inspect(page, "media-import");
    await dialog.getByLabel("URL").fill(`${pictures.at}/lamp%20two.png`);
    await dialog.getByRole("button", { name: "Import", exact: true }).click();
    await page.getByRole("heading", { name: "lamp two.png" }).waitFor();
    assertEquals((await ask("GET", "/media?folder=Press")).json.meta.total, 1);
    await pictures.close();
  },
);

browserTest(
  "studio takes files that a setting allows, and offers them to fields that name them",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, open, ask, complaints } = visit;
    await open("/admin/settings");
    await page.getByLabel("PDF").check();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    await open("/admin/media");
    const pdf = {
      name: "plan.pdf",
      mimeType: "application/pdf",
      buffer: Buffer.from(FILES["application/pdf"]),
    };
    await page.locator(".upload input[type=file]").setInputFiles([pdf, file("a.png", "image/png")]);
    await page.getByRole("link", { name: "plan.pdf" }).waitFor();
    await page.locator("html[data-ready]").waitFor();
    await inspect(page, "media-files");
    await page.getByRole("link", { name: "plan.pdf" }).click();
    await page.getByRole("link", { name: "Download" }).waitFor();
    await inspect(page, "media-file");

    const fields = [
      { name: "plan", type: "media", options: { mimes: ["application/pdf"] } },
      { name: "cover", type: "media" },
    ];
    assertEquals(
      (await ask("POST", "/collections", { slug: "posts", name: "Posts", fields })).status,
      201,
    );
    const { json } = await ask("POST", "/documents", { collection: "posts", title: "Plans" });
    await open(`/admin/documents/${json.id}`);
    for (
      const [button, name] of [["Choose a file", "plan.pdf"], ["Choose an image", "a.png"]] as const
    ) {
      await page.getByRole("button", { name: button }).click();
      const choices = page.locator("#pick-media .choice");
      await choices.first().waitFor();
      assertEquals(await choices.count(), 1);
      await choices.filter({ hasText: name }).click();
    }
    await page.locator("[data-save-state][aria-busy=false]").waitFor();
    assertEquals(complaints, []);
  },
);
