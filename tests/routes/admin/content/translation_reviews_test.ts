/** Reviews of translations: requested, returned, withdrawn and ended by publishing, language by language. */
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { assertEquals } from "../../../support/harness/assert.ts";
import { answered } from "../../../support/sites/admin_answers.ts";
import { multilingual, paragraph, signedIn } from "../../../support/sites/multilingual.ts";
import type { JobRecord } from "../../../../kv/jobs/job.ts";
import { jobPrefix } from "../../../../kv/jobs/job_keys.ts";

const TEXT = { body: paragraph("Text") };

async function reviewed() {
  const test = await multilingual();
  const { id } = await test.post({ title: "Apple", ...TEXT, status: "published" });
  answered(await test.translate(id, "fr", { title: "Pomme", ...TEXT }), 201);
  answered(await test.translate(id, "de", { title: "Apfel", ...TEXT }), 201);
  const author = await signedIn(test, "author", ["author"]);
  const path = `/documents/${id}/translations`;
  return {
    test,
    author,
    path,
    review: async (code: string) =>
      answered(await test.admin("GET", `${path}/${code}`), 200)._review?.state ?? null,
    mails: async () => {
      const jobs = await test.context.store.listAll<JobRecord>({ prefix: jobPrefix });
      const mails = jobs.map(({ value }) => value?.payload as Record<string, Json>)
        .filter((payload) => payload?.kind === "editorial");
      return mails.map(({ event, title }) => `${event} ${title}`);
    },
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

Deno.test("a review is about one language, and publishing that language ends it", async () => {
  await using site = await reviewed();
  const { test, author, path } = site;
  const asked = await author("POST", `${path}/fr/review`, { note: "Please look." });
  assertEquals([asked.status, asked.json._review.note], [200, "Please look."], asked.text);
  assertEquals([await site.review("fr"), await site.review("de")], ["asked", null]);
  assertEquals((await author("POST", `${path}/fr/review/return`, { note: "No" })).status, 403);
  const returned = await test.admin("POST", `${path}/fr/review/return`, { note: "Shorter" });
  assertEquals([returned.status, returned.json._review.answer], [200, "Shorter"]);
  answered(await author("POST", `${path}/fr/review`), 200);
  answered(await test.admin("POST", `${path}/de/publish`), 202);
  assertEquals(await site.review("fr"), "asked", "of another language");
  answered(await test.admin("POST", `${path}/fr/publish`), 202);
  assertEquals(await site.review("fr"), null);
  assertEquals(await site.mails(), [
    "review_asked Pomme",
    "review_returned Pomme",
    "review_asked Pomme",
    "review_published Pomme",
  ]);
});

Deno.test("a review of a translation is withdrawn, and is of what is not public yet", async () => {
  await using site = await reviewed();
  const { test, author, path } = site;
  assertEquals((await author("DELETE", `${path}/fr/review`)).status, 404);
  answered(await author("POST", `${path}/fr/review`), 200);
  assertEquals((await author("DELETE", `${path}/fr/review`)).status, 204);
  assertEquals(await site.review("fr"), null);
  answered(await test.admin("POST", `${path}/fr/publish`), 202);
  assertEquals((await author("POST", `${path}/fr/review`)).status, 409);
  answered(await author("PATCH", `${path}/fr/working-copy`, { title: "La pomme" }), 200);
  answered(await author("POST", `${path}/fr/review`), 200);
  assertEquals((await author("DELETE", `${path}/fr/working-copy`)).status, 204);
  assertEquals(await site.review("fr"), null, "nothing is left to review");
  assertEquals((await author("POST", `${path}/ar/review`)).status, 404);
  assertEquals((await author("POST", `${path}/it/review`)).status, 404);
  const versions = (await test.admin("GET", path.replace("/translations", ""))).json;
  assertEquals(versions._review, undefined, "the original has none");
});
