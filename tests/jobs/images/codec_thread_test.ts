import { INLINE_CHECK_PIXELS_MAX, THREADLESS_PIXELS_MAX } from "../../../jobs/limits.ts";
import { assertEquals, assertRejects } from "@std/assert";
import { threadedCheck, threadedCodec } from "../../../jobs/images/codec_thread.ts";
import { pictureSize } from "../../../kv/media/media_bytes.ts";
import { parseTransform } from "../../../kv/model/values/transform.ts";
import { Refusal } from "../../../kv/refusals.ts";
import { IMAGES } from "../../support/sites/images.ts";

const WORK = {
  bytes: IMAGES["image/png"],
  mime: "image/png" as const,
  transform: parseTransform(new URLSearchParams("w=160&h=160&format=png")),
  pixels: 24,
};

/** Platforms without threads: none can be made, or what should run in one cannot be loaded. */
const PLATFORMS: { [name: string]: () => Worker } = {
  "no Worker": () => {
    throw new ReferenceError("Worker is not defined");
  },
  "no module": () =>
    new Worker(new URL("./there_is_no_such_file.ts", import.meta.url), { type: "module" }),
};

Deno.test("threadedCodec() works in the process if threads are unavailable, and checks once", async () => {
  for (const [name, start] of Object.entries(PLATFORMS)) {
    let asked = 0;
    const codec = threadedCodec(() => {
      asked += 1;
      return start();
    });
    for (let round = 0; round < 2; round++) {
      const made = await codec(WORK);
      assertEquals(pictureSize(made!), { width: 4, height: 4 }, name);
    }
    assertEquals(asked, 1, name);
  }
});

Deno.test("threadedCodec() without threads leaves large pictures as they are", async () => {
  const codec = threadedCodec(PLATFORMS["no Worker"]);

  assertEquals(await codec({ ...WORK, pixels: THREADLESS_PIXELS_MAX + 1 }), null);
});

Deno.test("threadedCodec() without threads refuses malformed pictures, and continues", async () => {
  const codec = threadedCodec(PLATFORMS["no Worker"]);
  const bytes = WORK.bytes.slice(0, 60);

  const refusal = await assertRejects(() => codec({ ...WORK, bytes }), Refusal);

  assertEquals(refusal.code, "UNSUPPORTED_MEDIA_TYPE");
  assertEquals(pictureSize((await codec(WORK))!), { width: 4, height: 4 });
});

Deno.test("threadedCheck() decodes only what takes a few milliseconds in the process", async () => {
  let started = 0;
  const check = threadedCheck(() => {
    started += 1;
    return PLATFORMS["no Worker"]!();
  });
  const { bytes, mime, pixels } = WORK;
  assertEquals(await check({ bytes, mime, pixels }), "readable");
  assertEquals(await check({ bytes: bytes.slice(0, 60), mime, pixels }), "unsupported");
  assertEquals(started, 0);
  assertEquals(await check({ bytes, mime, pixels: INLINE_CHECK_PIXELS_MAX + 1 }), "readable");
  assertEquals(started, 1);

  // Its size may say anything.
  const avif = threadedCheck(() => {
    started += 1;
    return PLATFORMS["no Worker"]!();
  });
  await avif({ bytes: IMAGES["image/avif"], mime: "image/avif", pixels });
  assertEquals(started, 2);
  // Without threads a large one is not decoded at all.
  const broken = IMAGES["image/webp"].slice(0, 60);
  const large = { bytes: broken, mime: "image/webp", pixels: THREADLESS_PIXELS_MAX + 1 } as const;
  assertEquals(await avif(large), "readable");
});
