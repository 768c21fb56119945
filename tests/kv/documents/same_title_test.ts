import { assert, assertEquals } from "@std/assert";
import { createCollection } from "../../../kv/schema/collections.ts";
import { createDocument } from "../../../kv/documents/documents.ts";
import { parseCollection } from "../../../kv/model/input/collection_input.ts";
import { UNATTENDED } from "../../../kv/model/entities/entity.ts";
import { DenoKvDriver } from "../../../kv/store/driver.ts";
import { Store } from "../../../kv/store/store.ts";
import { testContext } from "../../support/harness/context.ts";
import { Harness } from "../../support/harness/harness.ts";
import { HookedDriver } from "../../support/stores/hooked_driver.ts";
import { type KvCall, type KvFault, SimulatedKv } from "../../support/harness/simulated_kv.ts";
import { contentOf, Outside, simulatedSite } from "../../support/harness/simulated_site.ts";

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

/** The same at 200 ms for each call of the store, in simulated time, which deadlines go by. */
async function createFarAway(seed: number, counts: { processes: number; each: number }) {
  const [harness, kv, outside] = [new Harness(seed), new SimulatedKv(), new Outside()];
  let commits = 0;
  const plan = ({ method }: KvCall): KvFault => {
    if (method === "commit") commits += 1;
    return "slow";
  };
  const sites = Array.from(
    { length: counts.processes },
    () => simulatedSite(harness, kv, outside, { plan }),
  );
  const posts = parseCollection({ slug: "posts", name: "Posts" });
  await harness.run(createCollection(sites[0]!.content, UNATTENDED, posts));
  commits = 0;
  const made = sites.flatMap(({ content }) =>
    Array.from(
      { length: counts.each },
      () => createDocument(content, UNATTENDED, "posts", { title: "Untitled" }),
    )
  );
  const slugs = (await harness.run(Promise.all(made))).map(({ state }) => state.slug);
  return { slugs, commits };
}

function delay(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

Deno.test("createDocument() gives 200 documents with one title slugs of their own, without a gap", async () => {
  const slugs = await createAtOnce({ processes: 1, each: 200, delayMs: 0 });

  const wanted = Array.from({ length: 200 }, (_, n) => n === 0 ? "untitled" : `untitled-${n + 1}`);
  assertEquals(slugs.toSorted(), wanted.toSorted());
});

Deno.test("createDocument() in four processes over a distant store refuses none of one title", async () => {
  const slugs = await createAtOnce({ processes: 4, each: 15, delayMs: 5 });

  assertEquals(new Set(slugs).size, 60);
  assert(slugs.every((slug) => /^untitled(-\d+)?$/.test(slug)));
});

Deno.test("createDocument() in four processes at 200 ms refuses none of one title, however long it takes", async () => {
  for (const seed of [1, 2, 3]) {
    const { slugs } = await createFarAway(seed, { processes: 4, each: 15 });

    assertEquals(new Set(slugs).size, 60);
  }
});

Deno.test("createDocument() in one process at 200 ms loses no slug to another create of the process", async () => {
  const { slugs, commits } = await createFarAway(1, { processes: 1, each: 200 });

  assertEquals(new Set(slugs).size, 200);
  // Creates that want different slugs share commits.
  assert(commits <= 200, `${commits} commits`);
});

Deno.test("createDocument() in twelve processes at 200 ms leaves out slugs that others want", async () => {
  for (const seed of [1, 2, 3]) {
    const { slugs, commits } = await createFarAway(seed, { processes: 12, each: 20 });

    assertEquals(new Set(slugs).size, 240);
    // 600, and 1,400 when all want the next one.
    assert(commits <= 960, `${commits} commits for 240 creates`);
  }
});
