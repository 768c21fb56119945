/**
 * Pictures of pages that are kept in `tests/pictures`, and compared with what the pages look like now. They
 * are kept at half their size: small files, in which the edges of letters do not matter.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import pixelmatch from "pixelmatch";
import type { Locator, Page } from "playwright-core";
import { PNG } from "pngjs";

const FOLDER = new URL("../../pictures/", import.meta.url);
/** How far colors of a pixel may be apart, between 0 and 1. */
const COLOR_DISTANCE_MAX = 0.05;
/** The share of pixels that may be further apart. */
const DIFFERENT_SHARE_MAX = 0.0003;
/** Bytes of a picture that is kept. */
const PICTURE_BYTES_MAX = 100_000;
/** Colors are kept in steps of this size, which compress well. */
const COLOR_STEP = 4;
/** The machine's own fonts are left out of it, and so are carets. */
const STEADY_STYLE =
  `:root { --mono: var(--font) !important } * { caret-color: transparent !important }`;

/** Windows in which pages are looked at. */
export const VIEWPORTS = [
  { width: 375, height: 812 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
];

/** The schemes of colors in which pages are looked at. */
export const SCHEMES = ["light", "dark"] as const;

/** Waits for fonts and for the images in the window, or in the part of a frame that it shows. */
const LOADED = `document.fonts.ready.then(() => Promise.all(
  [...document.images]
    .filter((image) => image.offsetParent !== null && image.getBoundingClientRect().top < innerHeight)
    .map((image) => image.decode().catch(() => {})),
)).then(() => {})`;

/** Has pages wait for their fonts: one that was painted before its font had come keeps the machine's. */
export async function waitForFonts(page: Page): Promise<void> {
  await page.route("**/admin/assets/*.css", async (route) => {
    const response = await route.fetch();
    const style = (await response.text()).replaceAll(
      /font-display: *optional/g,
      "font-display: block",
    );
    await route.fulfill({ response, body: style });
  });
}

/** Takes a picture of what the window shows, or of a part of the page. */
export async function takePicture(page: Page, part: Page | Locator = page): Promise<PNG> {
  for (const frame of page.frames()) {
    await frame.waitForLoadState();
    await frame.evaluate(LOADED);
  }
  const bytes = await part.screenshot({
    animations: "disabled",
    caret: "hide",
    scale: "css",
    style: STEADY_STYLE,
  });
  return halved(PNG.sync.read(bytes));
}

/** Compares a picture with the one of its name; answers what is wrong with it, null for nothing. */
export async function comparePicture(name: string, picture: PNG): Promise<string | null> {
  const file = new URL(`${name}.png`, FOLDER);
  if (Deno.env.get("UPDATE_GOLDEN") === "1") return await keep(file, picture);
  const kept = await Deno.readFile(file).catch(() => null);
  if (kept === null) return `${name}: there is no picture; make it with deno task pictures`;
  const before = PNG.sync.read(Buffer.from(kept));
  const { width, height } = picture;
  if (before.width !== width || before.height !== height) {
    await put(name, picture);
    return `${name}: ${width} × ${height} instead of ${before.width} × ${before.height}`;
  }
  const different = new PNG({ width, height });
  const options = { threshold: COLOR_DISTANCE_MAX };
  const count = pixelmatch(before.data, picture.data, different.data, width, height, options);
  if (count <= width * height * DIFFERENT_SHARE_MAX) return null;
  await put(name, picture);
  const where = await put(`${name}-different`, different);
  return `${name}: ${count} of ${width * height} pixels differ, see ${where}`;
}

/** The names of the pictures that are kept. */
export async function keptPictures(): Promise<string[]> {
  const names = await Array.fromAsync(Deno.readDir(FOLDER), ({ name }) => name);
  return names.map((name) => name.replace(/\.png$/, "")).sort();
}

async function keep(file: URL, picture: PNG): Promise<string | null> {
  const bytes = written(picture);
  if (bytes.length > PICTURE_BYTES_MAX) return `${file.pathname}: ${bytes.length} bytes`;
  await Deno.mkdir(FOLDER, { recursive: true });
  await Deno.writeFile(file, bytes);
  return null;
}

async function put(name: string, picture: PNG): Promise<string> {
  const folder = Deno.env.get("SCREENSHOTS") ?? await Deno.makeTempDir({ prefix: "pictures-" });
  const path = `${folder}/${name}.png`;
  await Deno.writeFile(path, written(picture));
  return path;
}

function written(picture: PNG): Uint8Array {
  return new Uint8Array(PNG.sync.write(picture, { colorType: 2, deflateLevel: 9 }));
}

/** The same at half the size; each pixel is the mean of four. */
function halved({ width, height, data }: PNG): PNG {
  const half = new PNG({ width: width >> 1, height: height >> 1 });
  for (let y = 0; y < half.height; y++) {
    for (let x = 0; x < half.width; x++) {
      const from = (2 * y * width + 2 * x) * 4;
      const to = (y * half.width + x) * 4;
      for (let channel = 0; channel < 4; channel++) {
        const at = from + channel;
        const sum = data[at]! + data[at + 4]! + data[at + width * 4]! + data[at + width * 4 + 4]!;
        half.data[to + channel] = Math.min(Math.round(sum / 4 / COLOR_STEP) * COLOR_STEP, 255);
      }
    }
  }
  return half;
}
