/** Uploads that mean harm: they fail, or their rows do, and nothing is half done. */
import { gzipSync } from "node:zlib";
import { answered } from "../../../support/sites/admin_answers.ts";
import { transferSite } from "../../../support/transfers/transfer_site.ts";
import { tarballOf, zipOf } from "../../../support/transfers/archives.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import { htmlToBlocks } from "../../../../jobs/transfers/text/html.ts";

Deno.test("archives cannot lead out of themselves, expand without end, or be cut off", async () => {
  await using site = await transferSite();
  const bomb = gzipSync(new Uint8Array(20_000_000));
  const whole = await tarballOf({ "a.csv": "a\n1\n" });
  const cases: [string, string, Uint8Array, RegExp][] = [
    ["zip slip", "a.zip", await zipOf({ "../evil.csv": "a\n1\n" }), /forbidden name/],
    ["absolute", "a.zip", await zipOf({ "/etc/evil.csv": "a\n1\n" }), /forbidden name/],
    ["gzip bomb", "a.csv.gz", bomb, /more than 100 times/],
    ["zip bomb", "b.zip", await zipOf({ "a.csv": "a".repeat(20_000_000) }), /more than 100 times/],
    ["cut off", "a.tar.gz", whole.subarray(0, whole.byteLength - 20), /damaged|cut off/],
    ["no zip", "a.zip", new TextEncoder().encode("PK\x03\x04 nothing"), /damaged|cut off/],
    ["empty", "a.zip", await zipOf({}), /no files|damaged/],
  ];
  for (const [what, name, bytes, error] of cases) {
    const { state, error: found = "" } = await site.analysed([[name, bytes]]);
    assertEquals(state, "failed", what);
    assert(error.test(found), `${what}: ${found}`);
  }
});

Deno.test("rows beyond the bounds fail alone; broken files fail with a reason", async () => {
  await using site = await transferSite();
  const deep = "[".repeat(70) + "]".repeat(70);
  const rows = [
    `{"id":"a","title":"A","v":"${"x".repeat(5_000_001)}"}`,
    `{"id":"b","title":"B","v":${deep}}`,
    '{"id":"c","title":"C","__proto__":{"evil":1},"v":"ok"}',
  ];
  const planned = await site.analysed([["rows.ndjson", rows.join("\n")]]);
  const done = await site.run(planned.id);
  assertEquals([done.report.created, done.report.failed], [1, 2]);
  const failed = await site.report(planned.id, "?level=failed");
  assertEquals(failed.map(({ problems }) => problems[0].code), ["TOO_LONG", "TOO_LARGE"]);
  for (const [name, text] of [["a.json", '[{"a":1},'], ["b.json", '{"a": nope}']] as const) {
    const { state, error } = await site.analysed([[name, text]]);
    assertEquals(state, "failed");
    assert(/no valid JSON/.test(error), error);
  }
});

Deno.test("addresses are fetched only from public hosts that the plan names", async () => {
  await using site = await transferSite();
  const pictures = [
    "http://127.0.0.1/a.png",
    "http://169.254.169.254/b.png",
    "https://other.example/c.png",
  ];
  const text = JSON.stringify(pictures.map((picture, n) => ({ id: n, title: `T${n}`, picture })));
  const planned = await site.analysed([["rows.json", text]]);
  const { plan, id } = planned;
  assertEquals(plan.media.hosts.sort(), ["127.0.0.1", "169.254.169.254", "other.example"]);
  plan.collections[0].fields[0].type = "media";
  plan.media.hosts = ["127.0.0.1", "169.254.169.254"];
  answered(await site.admin("PATCH", `/transfers/${id}`, { plan }), 200);
  const done = await site.run(id);
  assertEquals([done.report.created, done.report.warnings], [3, 3]);
  const media = (await site.report(id)).filter(({ source }) => source === "media");
  assertEquals(media.map(({ status, problems }) => [status, problems[0].message]), [
    ["failed", "The address is not public"],
    ["failed", "The address is not public"],
    ["failed", "The plan does not fetch files from other.example"],
  ]);
  plan.media.skipMissing = false;
  answered(await site.admin("PATCH", `/transfers/${id}`, { plan }), 200);
  const strict = await site.run(id);
  assertEquals(strict.report.failed, 3);
  const remote = answered(
    await site.admin("POST", "/transfers", { url: "http://127.0.0.1/rows.csv" }),
    202,
  );
  await site.runner.drain();
  assertEquals((await site.transfer(remote.id)).state, "failed");
});

Deno.test("a run is paused, resumed and cancelled, and another one repeats it", async () => {
  await using site = await transferSite();
  const rows = Array.from({ length: 450 }, (_, n) => ({ id: n, title: `T${n}` }));
  const { id } = await site.analysed([["rows.json", JSON.stringify(rows)]]);
  answered(await site.admin("POST", `/transfers/${id}/run`), 202);
  assertEquals((await site.admin("POST", `/transfers/${id}/run`)).status, 409);
  assertEquals(answered(await site.admin("POST", `/transfers/${id}/pause`), 200).state, "paused");
  await site.runner.drain();
  assertEquals((await site.admin("GET", "/collections/rows")).status, 200);
  assertEquals((await site.documents("rows")).length, 0);
  assertEquals(answered(await site.admin("POST", `/transfers/${id}/resume`), 200).state, "running");
  site.context.advance(5_000);
  await site.runner.drain();
  const done = await site.transfer(id);
  assertEquals([done.state, done.report.created, done.progress.done], ["done", 450, 450]);
  assertEquals((await site.admin("POST", `/transfers/${id}/cancel`)).status, 409);

  answered(await site.admin("POST", `/transfers/${id}/run`), 202);
  assertEquals(
    answered(await site.admin("POST", `/transfers/${id}/cancel`), 200).state,
    "cancelled",
  );
  await site.runner.drain();
  assertEquals((await site.transfer(id)).state, "cancelled");
  assertEquals((await site.run(id)).report.unchanged, 450);
});

Deno.test("htmlToBlocks() takes nothing along that runs, whatever it is nested in", () => {
  const html = '<div onclick="x()"><script>alert(1)</script><a href="javascript:x()">a</a>' +
    '<a href=" java\nscript:x()">b</a><iframe src="javascript:x()"></iframe><svg><script>x</script></svg>' +
    "<img src=x onerror=x()><style>x</style><object data=x></object>" + "<div>".repeat(20_000) +
    "deep";
  const { blocks } = htmlToBlocks(html);
  const text = JSON.stringify(blocks);
  assertEquals(/script|alert|onclick|onerror|<svg|data=/.test(text), false, text.slice(0, 500));
  assert(text.includes("deep"));
});
