import { assert, assertEquals, assertRejects } from "@std/assert";
import { encode } from "@jsquash/png";
import { ImageTransformer } from "../../../jobs/images/transformer.ts";
import type { PictureWork } from "../../../jobs/images/codec.ts";
import type { MediaState } from "../../../kv/model/entities/media.ts";
import { pictureSize } from "../../../kv/media/media_bytes.ts";
import { parseTransform } from "../../../kv/model/values/transform.ts";
import { mediaPath } from "../../../kv/objects/paths.ts";
import { Refusal } from "../../../kv/refusals.ts";
import { type TestContext, testContext } from "../../support/harness/context.ts";
import { IMAGES, talkativeJpeg } from "../../support/sites/images.ts";

const medium = { object: "O", mime: "image/png" } as MediaState;
const wanted = (query: string) => parseTransform(new URLSearchParams(query));

async function withBytes(context: TestContext, bytes: Uint8Array): Promise<void> {
  await context.objects.put(mediaPath("O"), bytes);
}

Deno.test("ImageTransformer shrinks and cuts in a thread of its own", async () => {
  await using context = await testContext();
  const pixels = new Uint8ClampedArray(800 * 400 * 4).fill(200);
  await withBytes(context, new Uint8Array(await encode(new ImageData(pixels, 800, 400))));
  const transformer = new ImageTransformer(context);
  const sizes: [string, { width: number; height: number }][] = [
    ["w=320", { width: 320, height: 160 }],
    ["h=160", { width: 320, height: 160 }],
    ["w=320&h=320", { width: 320, height: 320 }],
    ["w=320&h=320&fit=contain&format=jpeg", { width: 320, height: 160 }],
    ["w=1920", { width: 800, height: 400 }],
  ];
  for (const [query, size] of sizes) {
    const { key } = (await transformer.ensure(medium, wanted(query)))!;
    assertEquals(pictureSize((await context.objects.get(key))!), size, query);
  }
});

Deno.test("ImageTransformer turns a picture as its orientation says", async () => {
  await using context = await testContext();
  await withBytes(context, talkativeJpeg(6));

  const { key } = (await new ImageTransformer(context)
    .ensure({ ...medium, mime: "image/jpeg" }, wanted("format=png")))!;

  assertEquals(pictureSize((await context.objects.get(key))!), { width: 4, height: 6 });
});

Deno.test("ImageTransformer refuses a picture that no codec can read, and continues", async () => {
  await using context = await testContext();
  await withBytes(context, IMAGES["image/png"].slice(0, 60));
  const transformer = new ImageTransformer(context);

  const refusal = await assertRejects(() => transformer.ensure(medium, wanted("w=320")), Refusal);
  await withBytes(context, IMAGES["image/png"]);
  await transformer.ensure(medium, wanted("w=320"));

  assertEquals(refusal.code, "UNSUPPORTED_MEDIA_TYPE");
});

Deno.test("ImageTransformer works on one picture at a time, and lets only so many wait", async () => {
  await using context = await testContext();
  await withBytes(context, IMAGES["image/png"]);
  let running = 0;
  let most = 0;
  const gate = Promise.withResolvers<void>();
  const codec = async (_work: PictureWork) => {
    most = Math.max(most, ++running);
    await gate.promise;
    running -= 1;
    return Uint8Array.of(1);
  };
  const transformer = new ImageTransformer(context, { codec });
  const queries = [160, 320, 480, 640, 960, 1280, 1600, 1920]
    .flatMap((w) => [50, 75, 90].flatMap((q) => [`w=${w}&q=${q}`, `h=${w}&q=${q}`]))
    .concat(["w=160&format=png", "w=320&format=png", "w=480&format=png"]);
  assertEquals(queries.length, 51);

  const made = queries.map((query) => transformer.ensure(medium, wanted(query)));
  const outcomes = Promise.allSettled(made);
  gate.resolve();
  const refused = (await outcomes).filter(({ status }) => status === "rejected");

  assertEquals(most, 1);
  assertEquals(refused.length, 1);
  assert((refused[0] as PromiseRejectedResult).reason.code === "UNAVAILABLE");
});
