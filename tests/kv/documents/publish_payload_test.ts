import { assertEquals } from "@std/assert";
import { createDocument } from "../../../kv/documents/documents.ts";
import { publishDocument } from "../../../kv/documents/status.ts";
import { jobRequestKey } from "../../../kv/jobs/job_keys.ts";
import { findJob } from "../../../kv/jobs/jobs.ts";
import type { Publication } from "../../../kv/jobs/payloads.ts";
import { UNATTENDED } from "../../../kv/model/entities/entity.ts";
import { parseCollection } from "../../../kv/model/input/collection_input.ts";
import { SITE_JOB } from "../../../kv/pages/rendering_requests.ts";
import { createCollection } from "../../../kv/schema/collections.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { CHANGED_TAGS_MAX } from "../../../kv/tuning.ts";
import { testContext } from "../../support/harness/context.ts";
import { contentOf } from "../../support/harness/simulated_site.ts";

/** What publishing a document asks for: at first, and again without a change. */
async function publications(tags: number) {
  await using context = await testContext();
  const content = contentOf(context);
  const choices = Array.from({ length: tags }, (_, n) => `Tag ${n}`);
  await createCollection(
    content,
    UNATTENDED,
    parseCollection({
      slug: "posts",
      name: "Posts",
      fields: [{ name: "tags", type: "multi_select", indexed: true, options: { choices } }],
    }),
  );
  const site = jobRequestKey(SITE_JOB);
  const asked = async (jobId: string | null) => {
    const { payload } = (await findJob(context.store, jobId!))!;
    const { n: _n, isNew: _isNew, ...same } = payload as Publication;
    const rendersSite = (await context.store.get(site)).value !== null;
    await context.store.commit(new Operation().delete(site));
    return { tags: same.tags?.map(([id]) => id), places: same.places, rendersSite };
  };
  const body = { title: "Post", status: "published", tags: choices };
  await context.store.commit(new Operation().delete(site));
  const { state, jobId } = await createDocument(content, UNATTENDED, "posts", body);
  const first = await asked(jobId);
  const again = await asked((await publishDocument(content, UNATTENDED, state.id)).jobId);
  return { first, again };
}

Deno.test("a document that is published again names the same tags as when it was published first", async () => {
  const { first, again } = await publications(CHANGED_TAGS_MAX);

  assertEquals(again, first);
  assertEquals([first.tags?.length, first.rendersSite], [CHANGED_TAGS_MAX, false]);
});

Deno.test("a document of more tags than a job names has the whole site rendered, also when it is published again", async () => {
  const { first, again } = await publications(CHANGED_TAGS_MAX + 1);

  assertEquals(again, first);
  assertEquals([first.tags, first.rendersSite], [undefined, true]);
});
