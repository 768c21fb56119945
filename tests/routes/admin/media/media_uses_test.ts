import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { mediaTag } from "../../../../kv/model/entities/media.ts";
import { answered, assertRefusal } from "../../../support/sites/admin_answers.ts";
import { type TestApp, testApp } from "../../../support/sites/app.ts";
import { IMAGES } from "../../../support/sites/images.ts";
import { formOf } from "../../../support/sites/media_app.ts";

const FIELDS = [
  { name: "hero", type: "media" },
  { name: "body", type: "rich_text" },
  { name: "gallery", type: "repeater", options: { fields: [{ name: "image", type: "media" }] } },
];

async function uploaded(test: TestApp, bytes: Uint8Array, filename = "hero.png") {
  const answer = await test.admin("POST", "/media", undefined, { raw: formOf(bytes, filename) });
  return answered(answer, 201);
}

function replaced(test: TestApp, id: string, bytes: Uint8Array, filename = "new.png") {
  return test.admin("PUT", `/media/${id}/file`, undefined, { raw: formOf(bytes, filename) });
}

async function site(): Promise<TestApp & { purged: string[] }> {
  const purged: string[] = [];
  const test = await testApp({
    purge: (tags) => {
      purged.push(...tags);
      return Promise.resolve({ tags, sentTo: null });
    },
  });
  await test.setUp();
  await test.collection({ slug: "posts", name: "Posts", fields: FIELDS });
  return Object.assign(test, { purged });
}

async function runJobs(test: TestApp): Promise<void> {
  for (let round = 0; round < 12; round++) {
    await test.runner.drain();
    test.context.advance(3_000);
  }
}

/** Another picture than the one of the type: PNG knows nothing of what comes behind its end. */
function other(): Uint8Array {
  return IMAGES["image/jpeg"];
}

Deno.test("GET /api/admin/media/{id}/uses names drafts, published and nested uses", async () => {
  await using test = await site();
  const { id } = await uploaded(test, IMAGES["image/png"]);
  const image = { _type: "image", _key: "a", media: id };
  const bodies = [
    { title: "Draft", hero: id },
    { title: "Rich", body: [image] },
    { title: "Nested", gallery: [{ image: id }], hero: id },
    { title: "None" },
  ];
  const made: string[] = [];
  for (const body of bodies) {
    made.push(
      answered(await test.admin("POST", "/documents", { collection: "posts", ...body }), 201).id,
    );
  }

  const { data, meta } = answered(await test.admin("GET", `/media/${id}/uses`), 200);

  assertEquals(meta, { page: 1, perPage: 20, total: 3 });
  assertEquals(
    data.map(({ title, fields, status, collection }: Record<string, unknown>) => [
      title,
      fields,
      status,
      collection,
    ]),
    [
      ["Draft", ["hero"], "draft", "posts"],
      ["Rich", ["body"], "draft", "posts"],
      ["Nested", ["hero", "gallery"], "draft", "posts"],
    ],
  );
  await test.admin("PATCH", `/documents/${made[0]}`, { hero: null });
  const second = answered(await test.admin("GET", `/media/${id}/uses?perPage=1&page=2`), 200);
  assertEquals([second.meta.total, second.data[0].title], [2, "Nested"]);
  assertRefusal(
    await test.admin("GET", `/media/01ARZ3NDEKTSV4RRFFQ69G5FAV/uses`),
    404,
    "NOT_FOUND",
  );
});

Deno.test("GET /api/admin/media?unused=true lists what no document references, at once", async () => {
  await using test = await site();
  const first = await uploaded(test, IMAGES["image/png"], "a.png");
  const second = await uploaded(test, other(), "b.jpg");
  const unused = async (value = "true") => {
    const { data, meta } = answered(await test.admin("GET", `/media?unused=${value}`), 200);
    assertEquals(meta.total, data.length);
    return data.map(({ filename }: { filename: string }) => filename);
  };
  assertEquals(await unused(), ["b.jpg", "a.png"]);
  const made = answered(
    await test.admin("POST", "/documents", { collection: "posts", title: "T", hero: first.id }),
    201,
  );
  assertEquals([await unused(), await unused("false")], [["b.jpg"], ["a.png"]]);
  await test.admin("PATCH", `/documents/${made.id}`, { hero: second.id });
  assertEquals([await unused(), await unused("false")], [["a.png"], ["b.jpg"]]);
  assertRefusal(await test.admin("GET", "/media?unused=maybe"), 422, "VALIDATION_FAILED");
  assertRefusal(await test.admin("GET", "/media?sort=color"), 400, "SORT_FIELD_INVALID");
});

Deno.test("PUT /api/admin/media/{id}/file replaces the bytes, and no address ever changes its own", async () => {
  await using test = await site();
  const before = await uploaded(test, IMAGES["image/png"]);
  const { id } = before;
  const document = answered(
    await test.admin("POST", "/documents", { collection: "posts", title: "T", hero: id }),
    201,
  );
  await test.admin("POST", `/documents/${document.id}/publish`);
  await runJobs(test);
  test.purged.length = 0;
  const pageBefore = await test.call("GET", "/posts/t");
  assert(pageBefore.text.includes(before.url));

  const after = answered(await replaced(test, id, other()), 200);

  assertEquals([after.id, after.mime, after.filename], [id, "image/jpeg", "hero.jpg"]);
  assertNotEquals(after.url, before.url);
  const served = await test.app.request(after.url);
  assertEquals(served.headers.get("content-type"), "image/jpeg");
  assertEquals(served.headers.get("cache-control"), "public, max-age=31536000, immutable");
  await served.body?.cancel();
  const old = await test.app.request(before.url);
  assertEquals([old.status, old.headers.get("location")], [301, after.url]);
  assertEquals(old.headers.get("deno-cache-tag"), mediaTag(id));
  await runJobs(test);
  assert(test.purged.includes(mediaTag(id)), String(test.purged));
  const page = await test.call("GET", "/posts/t");
  assert(page.text.includes(after.url) && !page.text.includes(before.url));

  const versions = answered(await test.admin("GET", `/versions/media_metadata/${id}`), 200).data;
  assertEquals(versions[0].change_summary, "replaced");
  answered(await test.admin("POST", `/versions/${versions[1].id}/restore`), 200);
  const restored = answered(await test.admin("GET", `/media/${id}`), 200);
  assertEquals([restored.url, restored.mime], [before.url, "image/png"]);
  const back = await test.app.request(before.url);
  assertEquals(new Uint8Array(await back.arrayBuffer()), IMAGES["image/png"]);
});

Deno.test("PUT /api/admin/media/{id}/file with the same bytes changes nothing, with bad ones neither", async () => {
  await using test = await site();
  const before = await uploaded(test, IMAGES["image/png"]);
  const objects = async () =>
    (await Array.fromAsync(test.context.objects.list("media/"))).map(({ key }) => key);
  const kept = await objects();

  assertEquals(answered(await replaced(test, before.id, IMAGES["image/png"]), 200), before);
  assertRefusal(
    await replaced(test, before.id, new Uint8Array(100)),
    415,
    "UNSUPPORTED_MEDIA_TYPE",
  );
  assertRefusal(await replaced(test, before.id, other(), "a.html"), 415, "UNSUPPORTED_MEDIA_TYPE");
  assertRefusal(
    await replaced(test, "01ARZ3NDEKTSV4RRFFQ69G5FAV", other()),
    404,
    "NOT_FOUND",
  );

  assertEquals(await objects(), kept);
  const { data } = answered(await test.admin("GET", `/versions/media_metadata/${before.id}`), 200);
  assertEquals(data.length, 1);
});

Deno.test("PATCH /api/admin/media/{id} keeps a title and a focal point, which moves the address", async () => {
  await using test = await site();
  const before = await uploaded(test, IMAGES["image/png"]);
  const patch = async (body: Record<string, never> | object) =>
    answered(await test.admin("PATCH", `/media/${before.id}`, body as never), 200);

  const focused = await patch({ focus: { x: 0.25, y: 1 }, title: "The lamp" });

  assertEquals([focused.focus, focused.title], [{ x: 0.25, y: 1 }, "The lamp"]);
  assertNotEquals(focused.url, before.url);
  assertEquals((await test.app.request(before.url)).status, 301);
  assertEquals(await patch({ focus: null, title: "" }), before);
  const found = await test.admin("GET", "/media?q=LAMP");
  assertEquals(found.json.meta.total, 0);
  for (const focus of [{ x: 2, y: 0 }, { x: 0.5 }, [0, 0], "middle", { x: 0, y: 0, z: 0 }]) {
    assertRefusal(
      await test.admin("PATCH", `/media/${before.id}`, { focus } as never),
      422,
      "VALIDATION_FAILED",
    );
  }
});

Deno.test("DELETE and undelete of a medium purge what caches keep of it", async () => {
  await using test = await site();
  const { id } = await uploaded(test, IMAGES["image/png"]);
  for (const call of ["DELETE /media/:id", "POST /media/:id/undelete"]) {
    const [method, path] = call.replace(":id", id).split(" ");
    test.purged.length = 0;
    await test.admin(method!, path!);
    await runJobs(test);
    assertEquals(test.purged.filter((tag) => tag.startsWith("media-")), [mediaTag(id)]);
  }
});
