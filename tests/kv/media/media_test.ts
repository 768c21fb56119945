import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  createMedia,
  deleteMedia,
  patchMedia,
  removeMedia,
  undeleteMedia,
} from "../../../kv/media/media.ts";
import { MediaList } from "../../../kv/media/media_list.ts";
import { storeUpload } from "../../../kv/media/upload.ts";
import { UNATTENDED } from "../../../kv/model/entities/entity.ts";
import { mediaPath } from "../../../kv/objects/paths.ts";
import { Refusal } from "../../../kv/refusals.ts";
import { listVersions } from "../../../kv/versioning/versions.ts";
import { testContext } from "../../support/harness/context.ts";
import { FaultyObjects } from "../../support/stores/faulty_objects.ts";
import { IMAGES } from "../../support/sites/images.ts";
import { objectKeys } from "../../support/sites/media_app.ts";
import { streamOf } from "../../support/stores/object_store_contract.ts";

const PNG = IMAGES["image/png"];
const FACTS = { filename: "a.png", alt: "" };

Deno.test("storeUpload() stores nothing when the sender breaks off", async () => {
  await using context = await testContext();
  for (const failAfter of [0, 1, 5]) {
    const broken = streamOf(PNG, { pieceBytes: 20, failAfter });

    await assertRejects(() => storeUpload(context, broken), Error, "stream broke");

    assertEquals(await objectKeys(context, ""), []);
  }
});

Deno.test("createMedia() of equal bytes at the same time keeps one object", async () => {
  await using context = await testContext();
  const uploads = await Promise.all(
    Array.from({ length: 8 }, () => storeUpload(context, streamOf(PNG))),
  );

  const media = await Promise.all(
    uploads.map((upload) => createMedia(context, UNATTENDED, upload, FACTS)),
  );

  assertEquals(new Set(media.map(({ id }) => id)).size, 8);
  assertEquals(new Set(media.map(({ object }) => object)).size, 1);
  assertEquals(await objectKeys(context, ""), [mediaPath(media[0]!.object)]);
});

Deno.test("createMedia() unlessAmong() of equal bytes at the same time makes one medium", async () => {
  await using context = await testContext();
  const mediaList = new MediaList(context);
  const uploads = await Promise.all(
    Array.from({ length: 4 }, () => storeUpload(context, streamOf(PNG))),
  );

  const made = await Promise.all(
    uploads.map((upload) =>
      createMedia(context, UNATTENDED, upload, FACTS, { unlessAmong: mediaList })
    ),
  );

  assertEquals(new Set(made.map(({ id }) => id)).size, 1);
  assertEquals((await mediaList.find(() => true)).length, 1);
});

Deno.test("createMedia() makes the medium though its surplus bytes cannot be removed", async () => {
  await using context = await testContext();
  const objects = new FaultyObjects(
    context.objects,
    ({ method }) => method === "delete" ? "before" : "none",
  );
  const faulty = { ...context, objects };
  const first = await createMedia(
    faulty,
    UNATTENDED,
    await storeUpload(faulty, streamOf(PNG)),
    FACTS,
  );

  const second = await createMedia(
    faulty,
    UNATTENDED,
    await storeUpload(faulty, streamOf(PNG)),
    FACTS,
  );

  assertEquals(second.object, first.object);
  assertEquals((await objectKeys(context, "")).length, 2);
});

Deno.test("media are versioned: every change is a version, a repeated one is none", async () => {
  await using context = await testContext();
  const upload = await storeUpload(context, streamOf(PNG));
  const { id } = await createMedia(context, { userId: "U" }, upload, FACTS);
  for (let round = 0; round < 2; round++) {
    await patchMedia(context, { userId: "U" }, id, { alt: "A" });
    await deleteMedia(context, { userId: "U" }, id);
    await deleteMedia(context, { userId: "U" }, id);
    await undeleteMedia(context, { userId: "U" }, id);
    await undeleteMedia(context, { userId: "U" }, id);
  }

  const { versions } = await listVersions(context, "media_metadata", id, { skip: 0, limit: 50 });

  assertEquals(versions.map(({ change_summary }) => change_summary).reverse(), [
    null,
    null,
    "deleted",
    "undeleted",
    "deleted",
    "undeleted",
  ]);
  assert(versions.every(({ changed_by }) => changed_by === "U"));
});

Deno.test("removeMedia() refuses to touch what can still be brought back", async () => {
  await using context = await testContext();
  const upload = await storeUpload(context, streamOf(PNG));
  const { id } = await createMedia(context, UNATTENDED, upload, FACTS);

  assertEquals(await removeMedia(context, id), false);
  await deleteMedia(context, UNATTENDED, id);
  context.advance(30 * 86_400_000);
  assertEquals(await removeMedia(context, id), false);

  assertEquals((await undeleteMedia(context, UNATTENDED, id)).deletedAt, null);
});

Deno.test("a removed medium is visible to no one", async () => {
  await using context = await testContext();
  const upload = await storeUpload(context, streamOf(PNG));
  const { id } = await createMedia(context, UNATTENDED, upload, FACTS);
  await deleteMedia(context, UNATTENDED, id);
  context.advance(31 * 86_400_000);

  assertEquals(await removeMedia(context, id), true);

  assertEquals(await removeMedia(context, id), false);
  for (
    const call of [
      () => patchMedia(context, UNATTENDED, id, { alt: "A" }),
      () => deleteMedia(context, UNATTENDED, id),
      () => undeleteMedia(context, UNATTENDED, id),
    ]
  ) {
    assertEquals((await assertRejects(call, Refusal)).code, "NOT_FOUND");
  }
});
