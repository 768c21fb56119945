/**
 * Two services whose schemas change on both sides: a push makes the target what was pulled, or changes nothing, also
 * when a third change arrives at any moment; a revert brings back what was.
 */
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import { seededRandom } from "../../../support/harness/harness.ts";
import { seedCount } from "../../../support/harness/whole_run.ts";
import { type TestApp, testApp } from "../../../support/sites/app.ts";

type Files = Record<string, Json>;

const SEEDS = seedCount(6, 24);
const STEPS = 14;
const SLUGS = ["posts", "pages", "notes"];
const NAMES = ["body", "lead", "rank", "about"];
const TYPES = ["text", "number", "rich_text", "boolean"];

/** One of the two services. */
class Service {
  constructor(readonly test: TestApp, readonly random: () => number) {}

  one<T>(of: readonly T[]): T {
    return of[Math.floor(this.random() * of.length)]!;
  }

  async pull(): Promise<{ etag: string; files: Files }> {
    return (await this.test.admin("GET", "/schema")).json;
  }

  /** Changes something that is there, or adds something; what is refused changes nothing. */
  async change(): Promise<void> {
    const { admin } = this.test;
    const slug = this.one(SLUGS);
    const field = `/collections/${slug}/fields/${this.one(NAMES)}`;
    const steps: (() => Promise<unknown>)[] = [
      () => admin("POST", "/collections", { slug, name: slug, fields: [] }),
      () =>
        admin("POST", `/collections/${slug}/fields`, {
          name: this.one(NAMES),
          label: this.one(["One", "Two"]),
          type: this.one(TYPES),
        }),
      () => admin("PATCH", field, { label: this.one(["One", "Two", "Three"]) }),
      () => admin("PATCH", field, { name: this.one(NAMES) }),
      () => admin("PATCH", field, { type: this.one(TYPES) }),
      () => admin("DELETE", field),
      () => admin("PATCH", `/collections/${slug}`, { slug: this.one(SLUGS) }),
      () => admin("PATCH", `/collections/${slug}`, { description: this.one(["", "All"]) }),
      () => admin("DELETE", `/collections/${slug}`),
      () => admin("POST", "/blocks", { name: "quote", label: this.one(["Q", "R"]), fields: [] }),
      () => admin("DELETE", "/blocks/quote"),
      () => admin("POST", "/documents", { collection: slug, title: "Kept", body: "Not a number" }),
    ];
    await this.one(steps)();
    await this.settle();
  }

  /** Ends all jobs, those that wait for others too. */
  async settle(): Promise<void> {
    for (let n = 0; n < 4; n++) {
      await this.test.runner.drain();
      this.test.context.advance(1_000);
    }
  }

  async job(id: string): Promise<string> {
    return (await this.test.admin("GET", `/schema/jobs/${id}`)).json.state;
  }

  /** The values of all documents, which no refused push may touch. */
  async documents(): Promise<Json> {
    return (await this.test.admin("GET", "/documents?perPage=100")).json.meta.total;
  }
}

/** Pushes what was pulled from one service to the other; answers what became of it. */
async function push(from: Service, to: Service, late: boolean): Promise<string> {
  const { files } = await from.pull();
  const before = await to.pull();
  const documents = await to.documents();
  // A third change between the look at the target and the push.
  const isStale = to.random() < 0.2;
  if (isStale) await to.change();
  const seen = await to.pull();
  const body = {
    files,
    etag: before.etag,
    allowLoss: to.random() < 0.5,
    delete: to.random() < 0.6,
  };
  const pushed = await to.test.admin("POST", "/schema/push", body);
  if (pushed.status !== 202) {
    const unchanged = await to.pull();
    assertEquals(unchanged, seen, `a refused push: ${pushed.text}`);
    if (pushed.status === 200) assertEquals(unchanged.files, files, "nothing to do");
    else assert([409, 413, 422].includes(pushed.status), pushed.text);
    return pushed.status === 200 ? "same" : "refused";
  }
  assertEquals(seen.etag, before.etag, "a push that was accepted saw the present schema");
  if (late) await to.test.admin("POST", "/blocks", { name: "late", label: "L", fields: [] });
  const atOnce = await to.pull();
  await to.settle();
  const state = await to.job(pushed.json.jobId);
  const after = await to.pull();
  if (state === "failed") {
    assertEquals(after.files, atOnce.files, "a push that failed changed nothing");
    return "failed";
  }
  assertEquals(state, "done");
  assertEquals(after.files, files, "a push makes the target what was pulled");
  assert(!late || atOnce.etag === seen.etag, "a later change makes the push give up");
  if (to.random() < 0.5) return "pushed";
  const revert = await to.test.admin("POST", `/schema/pushes/${pushed.json.id}/revert`);
  if (revert.status === 202) await to.settle();
  const isReverted = revert.status === 202 && await to.job(revert.json.jobId) === "done";
  assertEquals((await to.pull()).files, isReverted ? seen.files : files, "a revert is whole");
  assertEquals(await to.documents(), documents, "no document is lost");
  return isReverted ? "reverted" : "pushed";
}

Deno.test("pushes between two services that change are whole or nothing", async () => {
  const counts: Record<string, number> = {};
  for (let seed = 1; seed <= SEEDS; seed++) {
    const random = seededRandom(seed);
    await using left = await testApp();
    await using right = await testApp();
    await left.setUp();
    await right.setUp();
    const [one, other] = [new Service(left, random), new Service(right, random)];
    for (let step = 0; step < STEPS; step++) {
      const [from, to] = random() < 0.7 ? [one, other] : [other, one];
      for (let n = 0; n < 3; n++) await (random() < 0.7 ? from : to).change();
      const outcome = await push(from, to, random() < 0.15);
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    }
  }
  for (const outcome of ["pushed", "refused", "failed", "reverted"]) {
    assert((counts[outcome] ?? 0) > 0, `${outcome} never came: ${JSON.stringify(counts)}`);
  }
});
