/** Crops of an image: drawn with the pointer, by touch and with the keyboard, for each shape of the site. */
import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { inspect, type StudioVisit, studioVisit } from "../../support/browser/studio_visit.ts";

/** Draws a picture in the browser: a ramp from left to right. */
const DRAW = `(async () => {
  const canvas = new OffscreenCanvas(600, 400);
  const paint = canvas.getContext("2d");
  const ramp = paint.createLinearGradient(0, 0, 600, 400);
  ramp.addColorStop(0, "hsl(20 60% 30%)");
  ramp.addColorStop(1, "hsl(60 80% 75%)");
  paint.fillStyle = ramp;
  paint.fillRect(0, 0, 600, 400);
  const blob = await canvas.convertToBlob({ type: "image/png" });
  return Array.from(new Uint8Array(await blob.arrayBuffer()));
})()`;

/** Opens the page of a new image, with its crops. */
async function openCrops({ page, open, ask }: StudioVisit): Promise<string> {
  await open("/admin/media");
  const buffer = Buffer.from(await page.evaluate(DRAW) as number[]);
  await page.locator(".upload input[type=file]").setInputFiles({
    name: "ramp.png",
    mimeType: "image/png",
    buffer,
  });
  await page.getByText("ramp.png is uploaded").waitFor();
  const [{ id }] = (await ask("GET", "/media")).json.data;
  await open(`/admin/media/${id}`);
  await page.locator(".crops summary").click();
  return id;
}

/** Where the crop is in the image as it is drawn: parts of its width and height. */
async function shownCrop(page: Page): Promise<number[]> {
  const frame = (await page.locator("[data-crop-frame]").boundingBox())!;
  const area = (await page.locator("[data-crop-area]").boundingBox())!;
  return [
    (area.x - frame.x) / frame.width,
    (area.y - frame.y) / frame.height,
    area.width / frame.width,
    area.height / frame.height,
  ];
}

function assertNear(actual: number[], expected: number[]): void {
  const near = actual.every((part, index) => Math.abs(part - expected[index]!) < 0.02);
  assert(near, `${actual.map((part) => part.toFixed(3))} is not near ${expected}`);
}

const partsOf = (crop: Record<"x" | "y" | "width" | "height", number>) => [
  crop.x,
  crop.y,
  crop.width,
  crop.height,
];

browserTest(
  "studio draws a crop for a shape, shows it again and takes it away",
  async (browser) => {
    await using visit = await studioVisit(browser, { viewport: { width: 1440, height: 900 } });
    const { page, ask, complaints } = visit;
    const presets = [{ name: "portrait", ratio: "4:5" }];
    await ask("PATCH", "/settings", { "media.crops": presets });
    const id = await openCrops(visit);
    await page.getByRole("radio", { name: "Wide 16:9" }).click();
    assertNear(await shownCrop(page), [0, 0.078, 1, 0.844]);
    await page.locator("[data-crop-area]").scrollIntoViewIfNeeded();

    const frame = (await page.locator("[data-crop-frame]").boundingBox())!;
    const drag = async (from: [number, number], to: [number, number]) => {
      await page.mouse.move(frame.x + frame.width * from[0], frame.y + frame.height * from[1]);
      await page.mouse.down();
      await page.mouse.move(frame.x + frame.width * to[0], frame.y + frame.height * to[1], {
        steps: 4,
      });
      await page.mouse.up();
    };
    const grip = 14 / frame.width;
    await drag([1 - grip, 0.922 - 1.5 * grip], [0.5 - grip, 0.5 - 1.5 * grip]);
    assertNear(await shownCrop(page), [0, 0.078, 0.5, 0.422]);
    await drag([0.25, 0.3], [0.45, 0.5]);
    assertNear(await shownCrop(page), [0.2, 0.278, 0.5, 0.422]);
    await drag([0.45, 0.5], [2, 2]);
    assertNear(await shownCrop(page), [0.5, 0.578, 0.5, 0.422]);
    await inspect(page, "media-crops");
    await page.getByRole("button", { name: "Save crop" }).click();
    await page.getByText("Crop saved").waitFor();

    const { crops, url } = (await ask("GET", `/media/${id}`)).json;
    assertEquals(Object.keys(crops), ["16:9"]);
    assertNear(partsOf(crops["16:9"]), [0.5, 0.578, 0.5, 0.422]);
    await page.locator("html[data-ready]").waitFor();
    assert((await page.locator("#medium-url").textContent()) === url);
    await page.locator(".crops summary").click();
    await page.getByRole("radio", { name: "Portrait 4:5" }).click();
    await page.getByText("No crop for this shape").waitFor();
    await page.getByRole("radio", { name: "Wide 16:9" }).click();
    await page.getByText("This shape has its own crop").waitFor();
    assertNear(await shownCrop(page), [0.5, 0.578, 0.5, 0.422]);
    await page.getByRole("button", { name: "Use focal point" }).click();
    await page.getByText("The focal point is used", { exact: true }).waitFor();
    assertEquals((await ask("GET", `/media/${id}`)).json.crops, undefined);
    assertEquals(complaints, []);
  },
);

browserTest("crops are drawn with the keyboard alone, and by touch on a phone", async (browser) => {
  await using visit = await studioVisit(browser, {
    viewport: { width: 375, height: 700 },
    hasTouch: true,
  });
  const { page, ask } = visit;
  const id = await openCrops(visit);
  await page.getByRole("radio", { name: "Square 1:1" }).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.getByRole("radio", { name: "Wide 16:9" }).focus();
  await page.keyboard.press("Space");
  assertNear(await shownCrop(page), [0, 0.078, 1, 0.844]);
  await page.getByLabel("Size, percent").focus();
  await page.keyboard.press("Home");
  assertNear(await shownCrop(page), [0.45, 0.458, 0.1, 0.084]);
  await page.getByLabel("Across, percent").focus();
  await page.keyboard.press("End");
  await page.getByLabel("Down, percent").focus();
  await page.keyboard.press("Home");
  assertNear(await shownCrop(page), [0.9, 0, 0.1, 0.084]);
  await page.getByLabel("Size, percent").focus();
  for (let step = 0; step < 5; step++) await page.keyboard.press("PageUp");
  const [x = 0, y = 0, width = 0, height = 0] = await shownCrop(page);
  assert(width > 0.3 && Math.abs(x + width - 1) < 0.02, `${width}`);

  await page.locator("[data-crop-area]").scrollIntoViewIfNeeded();
  const frame = (await page.locator("[data-crop-frame]").boundingBox())!;
  const devtools = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", left = 0, top = 0) =>
    devtools.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: type === "touchEnd"
        ? []
        : [{ x: frame.x + left * frame.width, y: frame.y + top * frame.height }],
    });
  const middle = [x + width / 2, y + height / 2] as const;
  await touch("touchStart", ...middle);
  for (const part of [0.05, 0.1, 0.15, 0.2]) {
    await touch("touchMove", middle[0] - part, middle[1] + part);
  }
  await touch("touchEnd");
  assertNear(await shownCrop(page), [x - 0.2, y + 0.2, width, height]);
  await inspect(page, "media-crops-phone");
  await page.getByRole("button", { name: "Save crop" }).click();
  await page.getByText("Crop saved").waitFor();
  const { crops } = (await ask("GET", `/media/${id}`)).json;
  assertNear(partsOf(crops["16:9"]), [x - 0.2, y + 0.2, width, height]);
});
