import { assert, assertEquals } from "@std/assert";
import { createCollection } from "../../../kv/schema/collections.ts";
import { createDocument } from "../../../kv/documents/documents.ts";
import { parseCollection } from "../../../kv/model/collection_input.ts";
import { UNATTENDED } from "../../../kv/model/entity.ts";
import { DenoKvDriver } from "../../../kv/store/driver.ts";
import { Store } from "../../../kv/store/store.ts";
import { testContext } from "../../support/context.ts";
import { HookedDriver } from "../../support/hooked_driver.ts";
import { contentOf } from "../../support/simulated_site.ts";

/** Creates documents with one title at once, in several processes over one store; answers their slugs. */
async function createAtOnce(counts: { processes: number; each: number; delayMs: number }) {
  await using context = await testContext();
  const driver = new DenoKvDriver(await Deno.openKv(":memory:"));
  const contents = Array.from({ length: counts.processes }, () => {
    const hooked = new HookedDriver(driver);
    hooked.hook = async (_n, when) => {
      if (when === "before" && counts.delayMs > 0) await delay(counts.delayMs);
    };
    return contentOf({ ...context, store: new Store(hooked) });
  });
  const posts = parseCollection({ slug: "posts", name: "Posts" });
  await createCollection(contents[0]!, UNATTENDED, posts);
  const body = { title: "Untitled" };
  const made = await Promise.all(contents.flatMap((content) =>
    Array.from(
      { length: counts.each },
      () => createDocument(content, UNATTENDED, "posts", body),
    )
  ));
  driver.close();
  return made.map(({ state }) => state.slug);
}

function delay(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

Deno.test("createDocument() gives 200 documents with one title slugs of their own, without a gap", async () => {
  const slugs = await createAtOnce({ processes: 1, each: 200, delayMs: 0 });

  const wanted = Array.from({ length: 200 }, (_, n) => n === 0 ? "untitled" : `untitled-${n + 1}`);
  assertEquals(slugs.toSorted(), wanted.toSorted());
});

Deno.test("createDocument() in four processes at 200 ms refuses none of one title", async () => {
  const slugs = await createAtOnce({ processes: 4, each: 5, delayMs: 200 });

  assertEquals(new Set(slugs).size, 20);
});

Deno.test("createDocument() in four processes over a distant store refuses none of one title", async () => {
  const slugs = await createAtOnce({ processes: 4, each: 15, delayMs: 5 });

  assertEquals(new Set(slugs).size, 60);
  assert(slugs.every((slug) => /^untitled(-\d+)?$/.test(slug)));
});
