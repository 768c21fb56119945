/**
 * The media library: several uploads at once, descriptions, the focal point, other bytes, where an image is
 * used, and what nobody uses.
 */
import { Buffer } from "node:buffer";
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { IMAGES } from "../../support/sites/images.ts";
import { MEDIA_PREFIX } from "../../../kv/objects/paths.ts";
import { inspect, studioVisit } from "../../support/browser/studio_visit.ts";

/** Draws pictures in the browser, so that they look like something. */
const DRAW = `async (hue, width, height) => {
  const canvas = new OffscreenCanvas(width, height);
  const paint = canvas.getContext("2d");
  const sky = paint.createLinearGradient(0, 0, 0, height);
  sky.addColorStop(0, "hsl(" + hue + " 60% 30%)");
  sky.addColorStop(1, "hsl(" + (hue + 40) + " 80% 75%)");
  paint.fillStyle = sky;
  paint.fillRect(0, 0, width, height);
  paint.fillStyle = "hsl(" + (hue + 180) + " 80% 60%)";
  paint.beginPath();
  paint.arc(width * 0.8, height * 0.3, height * 0.15, 0, 7);
  paint.fill();
  const blob = await canvas.convertToBlob({ type: "image/jpeg", quality: 0.9 });
  return Array.from(new Uint8Array(await blob.arrayBuffer()));
}`;

browserTest(
  "studio uploads several images, finds, describes, cuts and replaces them",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, open, ask, complaints } = visit;
    const draw = async (name: string, hue: number, width = 480, height = 320) => ({
      name,
      mimeType: "image/jpeg",
      buffer: Buffer.from(
        await page.evaluate(`(${DRAW})(${hue}, ${width}, ${height})`) as number[],
      ),
    });
    await open("/admin/media");
    await page.getByText("No images yet").waitFor();
    await inspect(page, "media-empty");

    const files = [];
    for (let n = 0; n < 5; n++) {
      files.push(await draw(`evening ${n === 3 ? "by the sea, number " : ""}${n}.jpg`, n * 60));
    }
    const broken = { name: "page.html", mimeType: "image/jpeg", buffer: Buffer.from("<p>") };
    await page.locator(".upload input[type=file]").setInputFiles([...files, broken]);
    await page.getByText("5 of 6 images are uploaded").waitFor();
    await inspect(page, "media-uploads");
    const bars = await page.locator(".uploads progress").all();
    const edges = await Promise.all(bars.map(async (bar) => (await bar.boundingBox())!));
    assertEquals(new Set(edges.map(({ x, width }) => `${x} ${width}`)).size, 1);
    await page.getByRole("button", { name: "Show files" }).click();
    await page.getByRole("link", { name: "evening 4.jpg" }).waitFor();
    assertEquals(await page.locator(".medium").count(), 5);

    const { json } = await ask("GET", "/media?sort=filename");
    const [{ id }] = json.data;
    const fields = [{ name: "cover", type: "media" }];
    await ask("POST", "/collections", { slug: "posts", name: "Posts", fields });
    await ask("POST", "/documents", { collection: "posts", title: "A night out", cover: id });
    await open("/admin/media?unused=true");
    assertEquals(await page.locator(".medium").count(), 4);
    await inspect(page, "media-unused");

    await open(`/admin/media/${id}`);
    await page.getByRole("link", { name: "A night out" }).waitFor();
    await page.getByLabel("Alt text").fill("The sun above a blue hill");
    await page.getByLabel("Title").fill("Sunset");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("heading", { name: "Sunset" }).waitFor();
    await page.getByText("Focal point", { exact: true }).click();
    const box = (await page.locator("[data-frame] img").boundingBox())!;
    await page.mouse.click(box.x + box.width * 0.8, box.y + box.height * 0.3);
    assertEquals(await page.getByLabel("From the left, percent").inputValue(), "80");
    await inspect(page, "media-focus");
    await page.getByRole("button", { name: "Save focal point" }).click();
    await page.getByText("Focal point saved").waitFor();
    const focused = (await ask("GET", `/media/${id}`)).json;
    assertEquals(focused.focus, { x: 0.8, y: 0.3 });

    await page.locator(".upload input[type=file]").setInputFiles(
      await draw("new.jpg", 200, 300, 400),
    );
    await page.getByText("File replaced").waitFor();
    await page.getByText("300 × 400 pixels").waitFor();
    await inspect(page, "media-replaced");
    const replaced = (await ask("GET", `/media/${id}`)).json;
    assert(replaced.url !== focused.url && replaced.filename === "evening 0.jpg");
    await page.getByRole("link", { name: "History" }).click();
    await page.getByText("replaced").first().waitFor();
    assertEquals(complaints.filter((text) => !text.includes("Failed to load resource")), []);
  },
);

browserTest("studio takes dropped and pasted images", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask } = visit;
  await open("/admin/media");
  for (const [way, hue] of [["drop", 20], ["paste", 140]] as const) {
    await page.evaluate(`(async () => {
      const given = new DataTransfer();
      for (const [index, name] of ["${way} 1.jpg", "${way} 2.jpg"].entries()) {
        const bytes = await (${DRAW})(${hue} + 30 * index, 60, 40);
        given.items.add(new File([new Uint8Array(bytes)], name, { type: "image/jpeg" }));
      }
      const zone = document.querySelector(".upload");
      const event = "${way}" === "drop"
        ? new DragEvent("drop", { dataTransfer: given, bubbles: true, cancelable: true })
        : new ClipboardEvent("paste", { clipboardData: given, bubbles: true });
      zone.dispatchEvent(event);
    })()`);
    await page.getByText("2 images are uploaded").waitFor();
    await page.getByRole("link", { name: `${way} 2.jpg` }).waitFor();
    await page.locator("html[data-ready]").waitFor();
  }
  assertEquals((await ask("GET", "/media")).json.meta.total, 4);
});

const MARK = { name: "mark.png", mimeType: "image/png", buffer: Buffer.from(IMAGES["image/png"]) };

browserTest(
  "studio says that an image is in the library already, and can keep both",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, open, ask, complaints } = visit;
    const choose = page.locator(".upload input[type=file]");
    await open("/admin/media");
    await choose.setInputFiles(MARK);
    await page.getByRole("link", { name: "mark.png" }).waitFor();

    await choose.setInputFiles({ ...MARK, name: "copy.png" });
    await page.getByText("Already in the library: mark.png").waitFor();
    await inspect(page, "media-present");
    assertEquals((await ask("GET", "/media")).json.meta.total, 1);
    await page.getByRole("button", { name: "Keep both" }).click();
    await page.getByRole("link", { name: "copy.png" }).waitFor();

    assertEquals((await ask("GET", "/media")).json.meta.total, 2);
    assertEquals(complaints, []);
  },
);

browserTest(
  "studio names the images that miss their files, and takes the files",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, open, test, complaints } = visit;
    const { objects } = test.context;
    await open("/admin/media");
    await page.locator(".upload input[type=file]").setInputFiles(MARK);
    const link = page.getByRole("link", { name: "mark.png" });
    await link.waitFor();
    await open("/admin/back-ups");
    const card = page.locator("[data-island=missing-media]");
    await page.waitForLoadState("networkidle");
    assertEquals(await card.isVisible(), false);
    for await (const { key } of objects.list(MEDIA_PREFIX)) await objects.delete(key);

    await open("/admin/back-ups");
    await card.getByRole("heading", { name: "1 file is missing" }).waitFor();
    await card.getByText("mark.png").waitFor();
    await inspect(page, "media-missing");
    const gif = {
      name: "other.gif",
      mimeType: "image/gif",
      buffer: Buffer.from(IMAGES["image/gif"]),
    };
    await card.locator("input[type=file]").setInputFiles([gif, { ...MARK, name: "found.png" }]);

    await card.getByText("1 file is restored. 1 file was not missing.").waitFor();
    await card.getByRole("heading", { name: "No files are missing" }).waitFor();
    assertEquals((await Array.fromAsync(objects.list(MEDIA_PREFIX))).length, 1);
    assertEquals(complaints, []);
  },
);
