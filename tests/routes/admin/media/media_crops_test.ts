/** Crops: drawn for the shapes that pictures are cut to, kept with the medium, used by variants and themes. */
import { decode, encode } from "@jsquash/png";
import { answered } from "../../../support/sites/admin_answers.ts";
import { type TestApp, testApp } from "../../../support/sites/app.ts";
import { assert, assertEquals, assertNotEquals } from "../../../support/harness/assert.ts";
import {
  type Admin,
  download,
  finishJob,
  importTarball,
  setUpAdmin,
} from "../../../support/sites/backups.ts";
import { IMAGES } from "../../../support/sites/images.ts";
import { formOf } from "../../../support/sites/media_app.ts";

const [WIDTH, HEIGHT] = [640, 360];
/** The colors of the quarters: above left and right, below left and right. */
const QUARTERS = [[250, 0, 0], [0, 250, 0], [0, 0, 250], [250, 250, 0]] as const;
const NORTH_WEST = { x: 0, y: 0, width: 0.5, height: 0.5 };
const SOUTH_EAST = { x: 0.5, y: 0.5, width: 0.5, height: 0.5 };
const WIDE = "?w=160&h=90&format=png";

/** A picture of four quarters. */
async function quarters(): Promise<Uint8Array> {
  const data = new Uint8ClampedArray(WIDTH * HEIGHT * 4);
  for (let index = 0; index < WIDTH * HEIGHT; index++) {
    const [x, y] = [index % WIDTH, Math.floor(index / WIDTH)];
    const color = QUARTERS[(y < HEIGHT / 2 ? 0 : 2) + (x < WIDTH / 2 ? 0 : 1)]!;
    data.set([...color, 255], index * 4);
  }
  return new Uint8Array(await encode({ data, width: WIDTH, height: HEIGHT } as ImageData));
}

async function site() {
  const app = await testApp();
  const admin = await setUpAdmin(app);
  answered(await admin.ask("PATCH", "/settings", { "images.transform_enabled": true }), 200);
  const form = formOf(await quarters(), "quarters.png");
  const before = answered(await admin.ask("POST", "/media", undefined, form), 201);
  return { app, admin, before, ...mediumOf(app, admin, before.id) };
}

function mediumOf({ app }: TestApp, admin: Admin, id: string) {
  const patch = async (body: object) =>
    answered(await admin.ask("PATCH", `/media/${id}`, body as never), 200);
  const get = async () => answered(await admin.ask("GET", `/media/${id}`), 200);
  /** Which quarters a variant shows, by the colors in its corners. */
  const shown = async (query: string): Promise<number[]> => {
    const answer = await app.request((await get()).url + query);
    assertEquals(answer.status, 200);
    const { data, width, height } = await decode(await answer.arrayBuffer());
    return [0, width - 1, (height - 1) * width, height * width - 1].map((pixel) => {
      const [red = 0, green = 0, blue = 0] = data.subarray(pixel * 4, pixel * 4 + 3);
      return QUARTERS.findIndex((of) =>
        Math.abs(of[0] - red) + Math.abs(of[1] - green) + Math.abs(of[2] - blue) < 60
      );
    });
  };
  return { patch, get, shown };
}

Deno.test("a variant shows the crop of its shape, any other is cut around the focal point", async () => {
  const { app, before, patch, shown } = await site();
  await using _ = app;
  assertEquals(await shown(WIDE), [0, 1, 2, 3]);

  const drawn = await patch({ crops: { "16:9": SOUTH_EAST, "8:8": NORTH_WEST } });

  assertEquals(drawn.crops, { "16:9": SOUTH_EAST, "1:1": NORTH_WEST });
  assertEquals(await shown(WIDE), [3, 3, 3, 3]);
  assertEquals(await shown("?w=160&h=160&format=png"), [0, 0, 0, 0]);
  assertEquals(await shown("?w=160&h=120&format=png"), [0, 1, 2, 3]);
  assertEquals(await shown("?w=160&h=90&fit=contain&format=png"), [0, 1, 2, 3]);
  assertEquals(await shown("?w=160&format=png"), [0, 1, 2, 3]);

  const one = await patch({ crops: { "1:1": null } });
  assertEquals(one.crops, { "16:9": SOUTH_EAST });
  const { updatedAt: _at, ...none } = await patch({ crops: null });
  const { updatedAt: _before, ...asBefore } = before;
  assertEquals(none, asBefore);
  assertEquals(await shown(WIDE), [0, 1, 2, 3]);
});

Deno.test("the address moves with a crop, and the old one leads to the new one", async () => {
  const { app, before, patch } = await site();
  await using _ = app;
  const focused = await patch({ focus: { x: 0.2, y: 0.2 } });

  const drawn = await patch({ crops: { "16:9": SOUTH_EAST } });
  const other = await patch({ crops: { "16:9": NORTH_WEST } });

  const urls = [before, focused, drawn, other].map(({ url }) => url);
  assertEquals(new Set(urls).size, 4);
  const old = await app.app.request(drawn.url + WIDE);
  assertEquals([old.status, old.headers.get("location")], [301, other.url + WIDE]);
  const tags = await Promise.all(
    [WIDE, "?w=160&h=120"].map(async (query) => {
      const answer = await app.app.request(other.url + query);
      await answer.body?.cancel();
      assert(answer.headers.get("cache-control")!.includes("immutable"));
      return answer.headers.get("etag")!;
    }),
  );
  assertNotEquals(tags[0], tags[1]);
});

Deno.test("crops are refused that lie outside of the picture, or are of no shape", async () => {
  const { app, admin, before } = await site();
  await using _ = app;
  const bad = [
    { "16:9": { ...SOUTH_EAST, x: 0.6 } },
    { "16:9": { ...SOUTH_EAST, width: 0 } },
    { "16:9": { ...SOUTH_EAST, angle: 1 } },
    { "16:9": [0, 0, 1, 1] },
    { wide: SOUTH_EAST },
    { "16:0": SOUTH_EAST },
    { "1000:1": SOUTH_EAST },
    Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`${n + 30}:31`, NORTH_WEST])),
  ];
  for (const crops of [...bad, "all", 3]) {
    const { status, json } = await admin.ask("PATCH", `/media/${before.id}`, { crops } as never);
    assertEquals([status, json.error?.code], [422, "VALIDATION_FAILED"], JSON.stringify(crops));
    assert(json.error.details[0].field.startsWith("crops"), JSON.stringify(json));
  }
  assertEquals((await admin.ask("GET", `/media/${before.id}`)).json, before);
});

Deno.test("crops are restored one by one, with the site and by a back-up, and go with the bytes", async () => {
  const { app, admin, before, patch, get } = await site();
  await using _ = app;
  const { id } = before;
  await patch({ crops: { "16:9": SOUTH_EAST } });
  const backup = await download(app, admin, { media: true });
  const then = Math.floor(app.context.now() / 1000);
  app.context.advance(10_000);
  await patch({ crops: { "16:9": NORTH_WEST } });
  const { data } = (await admin.ask("GET", `/versions/media_metadata/${id}`)).json;
  answered(await admin.ask("POST", `/versions/${data[1].id}/restore`), 200);
  assertEquals((await get()).crops, { "16:9": SOUTH_EAST });
  await patch({ crops: null });
  app.context.advance(10_000);

  const { jobId } = answered(await admin.ask("POST", "/restore", { timestamp: then }), 202);
  assertEquals((await finishJob(app, jobId)).error, null);
  assertEquals((await get()).crops, { "16:9": SOUTH_EAST });

  await patch({ crops: { "16:9": NORTH_WEST } });
  assertEquals((await importTarball(app, admin, backup)).error, null);
  assertEquals((await get()).crops, { "16:9": SOUTH_EAST });

  const other = formOf(IMAGES["image/png"], "other.png");
  answered(await admin.ask("PUT", `/media/${id}/file`, undefined, other), 200);
  assertEquals((await get()).crops, undefined);
});

Deno.test("a preset of the site is a shape of variants, and of the cuts that themes show", async () => {
  const { app, admin, patch, get, shown } = await site();
  await using _ = app;
  const portrait = "?w=160&h=200&format=png";
  const sizeOf = async (query: string) => {
    const answer = await app.app.request((await get()).url + query);
    await answer.body?.cancel();
    return [answer.status, answer.headers.get("x-image-size")];
  };
  // Within a size of no shape, all of the picture is shown.
  assertEquals(await sizeOf(portrait), [200, "160x90"]);
  for (
    const bad of [
      [{ name: "Portrait", ratio: "4:5" }],
      [{ name: "portrait", ratio: "tall" }],
      [{ name: "portrait", ratio: "1:1000" }],
      [{ name: "a", ratio: "4:5" }, { name: "a", ratio: "2:3" }],
      [{ name: "portrait" }],
    ]
  ) {
    const { status } = await admin.ask("PATCH", "/settings", { "media.crops": bad } as never);
    assertEquals(status, 422, JSON.stringify(bad));
  }
  const presets = [{ name: "portrait", ratio: "8:10" }];
  answered(await admin.ask("PATCH", "/settings", { "media.crops": presets }), 200);
  assertEquals(await sizeOf(portrait), [200, "160x200"]);
  assertEquals(await shown(portrait), [0, 1, 2, 3]);
  await patch({ crops: { "4:5": NORTH_WEST } });
  assertEquals(await shown(portrait), [0, 0, 0, 0]);

  // A crop that is drawn stays an address when its preset is gone.
  answered(await admin.ask("PATCH", "/settings", { "media.crops": null }), 200);
  assertEquals(await shown(portrait), [0, 0, 0, 0]);
  // The crop has 180 rows, and nothing is enlarged.
  assertEquals(await sizeOf(portrait), [200, "144x180"]);
  assertEquals(await sizeOf("?w=160&h=222"), [200, "160x90"]);
});

Deno.test("a page shows the crop of its cover as soon as it is drawn", async () => {
  const { app, admin, before, patch } = await site();
  await using _ = app;
  const fields = [{ name: "cover", type: "media" }];
  answered(await admin.ask("POST", "/collections", { slug: "posts", name: "Posts", fields }), 201);
  const facts = { collection: "posts", title: "Lamp", status: "published", cover: before.id };
  answered(await admin.ask("POST", "/documents", facts), 201);
  await app.runner.drain();
  const listing = async () => await (await app.app.request("/posts")).text();
  assert((await listing()).includes(`src="${before.url}?w=480&amp;h=320"`), await listing());

  const { url } = await patch({ crops: { "3:2": { ...SOUTH_EAST, width: 0.42 } } });
  await app.runner.drain();

  const html = await listing();
  assert(html.includes(`src="${url}?w=160&amp;h=107"`), html);
  assert(!html.includes(before.url));
});
