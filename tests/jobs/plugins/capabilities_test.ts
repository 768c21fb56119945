import { PIECE_BYTES_MAX } from "../../../jobs/limits.ts";
import { assertEquals, assertMatch } from "@std/assert";
import { crons } from "../../../jobs/crons.ts";

import { type Delivery, listDeliveries } from "../../../kv/deliveries/deliveries.ts";
import { createMedia, deleteMedia } from "../../../kv/media/media.ts";
import { storeUpload } from "../../../kv/media/upload.ts";
import { UNATTENDED } from "../../../kv/model/entities/entity.ts";
import { secondApp, type TestApp, testApp } from "../../support/sites/app.ts";
import { paddedPng } from "../../support/sites/images.ts";
import { streamOf } from "../../support/stores/object_store_contract.ts";
import { install, packageOf, type Parts, trusting } from "../../support/sites/packages.ts";

const HOUR_MS = 3_600_000;

async function enabled(test: TestApp, parts: Parts, accept: string[] = []): Promise<string> {
  const job = await install(test, "plugins", await packageOf(parts), { accept });
  assertEquals(job.error, null);
  const { id } = job.result.install;
  await test.admin("POST", `/plugins/${id}/enable`);
  return id;
}

/** What a plugin's code answers when a document is published. */
async function answerOf(test: TestApp, body: string, capabilities: string[]) {
  const files = {
    "plugin.js": `export default { async "document.published"(event, cms) { ${body} } };`,
  };
  const facts = { hooks: [{ event: "document.published" }], capabilities };
  const id = await enabled(test, { files, facts }, capabilities);
  await test.admin("POST", "/documents", { collection: "posts", title: "x", status: "published" });
  await test.runner.drain();
  const [{ response, attempts }] = await listDeliveries(test.context, id) as [Delivery];
  return response === null ? attempts[0]!.error : JSON.parse(response);
}

async function medium({ context }: TestApp, bytes: number) {
  const upload = await storeUpload(context, streamOf(paddedPng(bytes)));
  return await createMedia(context, UNATTENDED, upload, { filename: "lamp.png", alt: "A lamp" });
}

const refused = "The capability media:read was not granted";

Deno.test("media:read lets code read the facts of media, and their bytes piece by piece", async () => {
  await using test = await trusting(await testApp());
  await test.collection({ slug: "posts", name: "Posts" });
  const { id, bytes } = await medium(test, PIECE_BYTES_MAX + 100);
  const gone = await medium(test, 500);
  await deleteMedia(test.context, UNATTENDED, gone.id);
  const body = `
    const { data, meta } = await cms.media.list({ perPage: 5 });
    const { filename, alt } = await cms.media.get("${id}");
    const first = await cms.media.bytes("${id}");
    const rest = await cms.media.bytes("${id}", { offset: ${PIECE_BYTES_MAX} });
    const few = await cms.media.bytes("${id}", { offset: 1, length: 3 });
    const wrong = await cms.media.bytes("${id}", { length: 1e9 }).catch((e) => e.message);
    const absent = [await cms.media.get("${gone.id}"), await cms.media.bytes("${gone.id}")];
    return [data.length, meta.total, filename, alt, first.base64.length, first.total,
      rest.base64.length > 0, few.base64, wrong, absent, "object" in data[0]];`;

  const answer = await answerOf(test, body, ["media:read"]) as unknown[];

  assertEquals([...answer.slice(0, 8), ...answer.slice(9)], [
    1,
    1,
    "lamp.png",
    "A lamp",
    PIECE_BYTES_MAX / 3 * 4,
    bytes,
    true,
    btoa("PNG"),
    [null, null],
    false,
  ]);
  assertMatch(String(answer[8]), /^Wrong argument: length/);
});

Deno.test("without media:read code reads no media", async () => {
  await using test = await trusting(await testApp());
  await test.collection({ slug: "posts", name: "Posts" });
  const { id } = await medium(test, 500);
  const body = `
    const asked = [cms.media.list(), cms.media.get("${id}"), cms.media.bytes("${id}")];
    return (await Promise.allSettled(asked)).map((it) => it.reason.message);`;
  assertEquals(await answerOf(test, body, []), [refused, refused, refused]);
});

/** One plugin that is called once an hour, and once a day. */
const CLOCK: Parts = {
  files: { "plugin.js": `export default (event) => event.type + " " + event.timestamp;` },
  facts: {
    capabilities: ["schedule"],
    hooks: [{ event: "schedule.hourly" }, { event: "schedule.daily" }],
  },
};

Deno.test("schedule has code called once an hour and once a day, however many processes look", async () => {
  await using test = await trusting(await testApp());
  const other = secondApp(test.context);
  const minute = async () => {
    for (const { deps, runner } of [test, other]) {
      await crons(deps.content, runner, deps.purges).find(({ name }) => name === "due jobs")!.run();
    }
    await test.runner.drain();
  };
  const id = await enabled(test, CLOCK, ["schedule"]);
  const calls = async () => {
    const deliveries = await listDeliveries(test.context, id);
    return deliveries.map(({ event, state }) => `${event} ${state}`).sort();
  };

  await minute();
  await minute();
  assertEquals(await calls(), ["schedule.daily delivered", "schedule.hourly delivered"]);
  test.context.advance(3 * HOUR_MS);
  await minute();
  await minute();
  assertEquals((await calls()).length, 3);
  await test.admin("POST", `/plugins/${id}/disable`);
  test.context.advance(HOUR_MS);
  await minute();
  assertEquals((await calls()).length, 3);
});

Deno.test("INSTALL refuses what would have no effect: panels, hours without the capability, unknown times", async () => {
  await using test = await trusting(await testApp());
  const reasonOf = async (facts: Record<string, unknown>, accept: string[] = []) =>
    (await install(test, "plugins", await packageOf({ ...CLOCK, facts }), { accept })).error;

  const panel = await reasonOf({ capabilities: ["admin:panel"] }, ["admin:panel"]);
  const ungranted = await reasonOf({ hooks: [{ event: "schedule.hourly" }] });
  const never = await reasonOf({
    capabilities: ["schedule"],
    hooks: [{ event: "schedule.weekly" }],
  }, ["schedule"]);

  assertMatch(panel, /admin:panel is not offered/);
  assertMatch(ungranted, /schedule\.hourly needs the capability schedule/);
  assertMatch(
    never,
    /schedule\.weekly never comes: there are schedule\.hourly and schedule\.daily/,
  );
});
