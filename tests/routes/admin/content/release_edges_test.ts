/** Releases at their edges: without documents, at their number, and when their time moves. */
import { assertEquals, assertMatch } from "../../../support/harness/assert.ts";
import { RELEASES_OPEN_MAX } from "../../../../kv/limits/content.ts";
import { releaseSite } from "../../../support/sites/release_site.ts";

Deno.test("a release that is made with a time waits for it; without documents it says so", async () => {
  await using site = await releaseSite();
  const { context, runner } = site.test;
  const at = Math.floor(context.now() / 1000) + 600;
  const made = await site.want(201, "POST", "/releases", { name: "Empty", publishAt: at });
  assertEquals([made.state, made.publishAt], ["scheduled", at]);
  context.advance(700_000);
  await runner.drain();
  const { state, reason } = await site.want(200, "GET", `/releases/${made.id}`);
  assertEquals([state, reason], ["open", "It has no documents"]);
});

Deno.test("a time that moves leaves one job that waits", async () => {
  await using site = await releaseSite();
  const at = Math.floor(site.test.context.now() / 1000) + 600;
  const jobs = async () => {
    const { data } = await site.want(200, "GET", "/jobs?type=RELEASE");
    return data.filter(({ state }: { state: string }) => state === "queued" || state === "waiting");
  };
  const { id } = await site.want(201, "POST", "/releases", { name: "Spring", publishAt: at });
  await site.want(200, "PATCH", `/releases/${id}`, { publishAt: at + 60 });
  assertEquals((await jobs()).length, 1);
  await site.want(200, "PATCH", `/releases/${id}`, { publishAt: null });
  assertEquals((await jobs()).length, 0);
});

Deno.test("what a release takes back may be in the trash, what it publishes may not", async () => {
  await using site = await releaseSite();
  const [out, away] = [
    await site.post("Out", { body: "x", status: "published" }),
    await site.post("Away", { body: "x", status: "published" }),
  ];
  const id = await site.release("Spring", { [out]: "publish", [away]: "unpublish" });
  await site.want(204, "DELETE", `/documents/${out}`);
  await site.want(204, "DELETE", `/documents/${away}`);
  const { documents } = await site.want(200, "GET", `/releases/${id}/check`);
  const codes = documents.map(({ errors }: { errors: { code: string }[] }) =>
    errors.map(({ code }) => code)
  );
  assertEquals(codes, [["CONFLICT"], []]);
});

Deno.test("a site has at most 100 open releases", async () => {
  await using site = await releaseSite();
  const ids: string[] = [];
  for (let n = 0; n < RELEASES_OPEN_MAX; n++) ids.push(await site.release(`Release ${n}`, {}));
  const refused = await site.want(409, "POST", "/releases", { name: "One more" });
  assertMatch(refused.error.message, /at most 100 open releases/);
  await site.want(204, "DELETE", `/releases/${ids[0]}`);
  await site.release("One more", {});
});
