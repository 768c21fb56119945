import { assertEquals } from "@std/assert";
import { HistorySite } from "../support/harness/history_site.ts";

Deno.test("GET /api/admin/jobs/{id}/lost pages through every value that a migration could not convert", async () => {
  await using site = await HistorySite.open();
  const fields = [{ name: "size", label: "Size", type: "text" }];
  await site.want(201, "POST", "/collections", { slug: "posts", name: "Posts", fields });
  const ids: string[] = [];
  for (let n = 0; n < 60; n++) {
    const size = n % 2 === 0 ? `${n}` : `large ${n}`;
    const body = { collection: "posts", title: `T${n}`, size };
    const { id } = await site.want(201, "POST", "/documents", body);
    if (n % 2 === 1) ids.push(id);
  }

  const { jobId } = await site.want(202, "PATCH", "/collections/posts/fields/size", {
    type: "number",
  });
  await site.app.runner.drain();

  const job = await site.want(200, "GET", `/jobs/${jobId}`);
  const { failed, lost, lostUrl } = job.result.documents;
  assertEquals([job.state, failed, lost.length], ["done", 30, 20]);
  assertEquals(lostUrl, `/api/admin/jobs/${jobId}/lost`, "the result says where the rest is");
  const one = await site.want(200, "GET", `${lostUrl.slice("/api/admin".length)}?perPage=20`);
  const two = await site.want(200, "GET", `/jobs/${jobId}/lost?perPage=20&page=2`);
  assertEquals(one.meta, { page: 1, perPage: 20, total: 30 });
  const found = [...one.data, ...two.data];
  assertEquals(found.map(({ id }: { id: string }) => id), ids.toSorted());
  assertEquals([found[0].title, found[0].value], ["T1", "large 1"]);
  assertEquals(await site.refusal("GET", `/jobs/${ids[0]}/lost`), [404, "NOT_FOUND"]);
});
