/**
 * A file that is uploaded from the picker: described there, then chosen.
 */
import { Buffer } from "node:buffer";
import { assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { inspect, studioVisit } from "../../support/browser/studio_visit.ts";
import { IMAGES } from "../../support/sites/images.ts";

const file = (name: string, mimeType: "image/png" | "image/jpeg") => ({
  name,
  mimeType,
  buffer: Buffer.from(IMAGES[mimeType]),
});

browserTest("an image is uploaded, described and chosen in the picker", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, ask, open, test, complaints } = visit;
  const cover = { name: "cover", label: "Cover", type: "media" };
  await test.collection({ slug: "posts", name: "Posts", fields: [cover] });
  const { id } = (await ask("POST", "/documents", { collection: "posts", title: "One" })).json;
  await open(`/admin/documents/${id}`);
  const control = page.locator('[data-name="cover"]');
  const picker = page.getByRole("dialog", { name: "Choose an image for Cover", exact: true });
  const description = page.getByRole("dialog", { name: /^Describe / });
  const upload = async (chosen: ReturnType<typeof file>) => {
    await control.locator("[data-choose]").click();
    await picker.locator("input[type=file]").setInputFiles(chosen);
  };

  await upload(file("lamp.png", "image/png"));
  await page.getByRole("dialog", { name: "Describe lamp.png" }).waitFor();
  await inspect(page, "upload-in-place");
  // Canceled: it is in the library, and can be chosen there.
  await page.keyboard.press("Escape");
  await picker.getByRole("button", { name: /lamp\.png/ }).waitFor();
  assertEquals(await control.locator("input[type=hidden]").inputValue(), "");
  await page.keyboard.press("Escape");

  // A file that the library has is chosen at once.
  await upload(file("again.png", "image/png"));
  await page.getByText("lamp.png is already in the library").waitFor();
  await control.getByText("lamp.png").waitFor();

  await upload(file("night.jpg", "image/jpeg"));
  await description.getByLabel("Alt text").fill("A lamp at night");
  await description.getByLabel("Title").fill("Lamp");
  const fromTop = description.getByLabel("From the top, percent");
  assertEquals(await fromTop.inputValue(), "50");
  await description.locator(".focus-frame img").click({ position: { x: 0, y: 0 } });
  assertEquals(await fromTop.inputValue(), "0");
  await fromTop.press("End");
  await description.getByRole("button", { name: "Use image" }).click();
  await picker.waitFor({ state: "hidden" });
  await control.getByText("A lamp at night").waitFor();
  const chosen = await control.locator("input[type=hidden]").inputValue();
  const { alt, title, focus } = (await ask("GET", `/media/${chosen}`)).json;
  assertEquals([alt, title, focus], ["A lamp at night", "Lamp", { x: 0, y: 1 }]);
  await page.getByText(/^Saved/).first().waitFor();
  await open(`/admin/documents/${id}`);
  // What was typed a moment ago arrives with the live edits.
  await control.getByText("A lamp at night").waitFor();
  assertEquals(await control.locator("input[type=hidden]").inputValue(), chosen);
  assertEquals(complaints, []);
});
