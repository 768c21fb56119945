/**
 * A site with a collection, and what tests of releases do with it.
 *
 * @module
 */
import { jobKinds } from "../../../jobs/kinds.ts";
import { Runner } from "../../../jobs/runner/runner.ts";
import { ulidSource } from "../../../kv/context.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { Store } from "../../../kv/store/store.ts";
import { assertEquals } from "../harness/assert.ts";
import { secondApp, type TestApp, testApp } from "./app.ts";
import { HookedDriver } from "../stores/hooked_driver.ts";

/** See {@linkcode releaseSite}. */
export class ReleaseSite {
  readonly test: TestApp;

  constructor(test: TestApp) {
    this.test = test;
  }

  [Symbol.asyncDispose]() {
    return this.test[Symbol.asyncDispose]();
  }

  /** Calls the admin API and asks for a status. */
  async want(status: number, method: string, path: string, body?: Json) {
    const answer = await this.test.admin(method, path, body);
    assertEquals([method, path, answer.status], [method, path, status], answer.text);
    return answer.json;
  }

  /** Makes a document; answers its id. */
  async post(title: string, input: Record<string, Json> = {}): Promise<string> {
    return (await this.want(201, "POST", "/documents", { collection: "posts", title, ...input }))
      .id;
  }

  /** Makes a published document with changes that are not public. */
  async changed(title: string, changes: Record<string, Json>): Promise<string> {
    const id = await this.post(title, { status: "published", body: "public" });
    await this.want(200, "PATCH", `/documents/${id}/working-copy`, changes);
    return id;
  }

  /** Makes a release of documents; answers its id. */
  async release(name: string, actions: Record<string, "publish" | "unpublish">): Promise<string> {
    const { id } = await this.want(201, "POST", "/releases", { name });
    for (const [documentId, action] of Object.entries(actions)) {
      await this.want(200, "PUT", `/releases/${id}/documents/${documentId}`, { action });
    }
    return id;
  }

  /** Publishes or reverts a release; answers the job once it is done. */
  async run(id: string, action: "publish" | "revert") {
    const { jobId } = await this.want(202, "POST", `/releases/${id}/${action}`);
    await this.test.runner.drain();
    return await this.want(200, "GET", `/jobs/${jobId}`);
  }

  /** The status, title and body of a document, and whether it has a working copy. */
  async seen(id: string): Promise<Json[]> {
    const { status, title, body, hasWorkingCopy } = await this.want(200, "GET", `/documents/${id}`);
    return [status, title, body, hasWorkingCopy];
  }
}

/** A new site with the collection `posts`. */
export async function releaseSite(options?: Parameters<typeof testApp>[0]): Promise<ReleaseSite> {
  const site = new ReleaseSite(await testApp(options));
  await site.test.setUp();
  await site.want(201, "POST", "/collections", {
    slug: "posts",
    name: "Posts",
    exposed: true,
    fields: [
      { name: "body", type: "text", required: true },
      { name: "sku", type: "text", unique: true },
      { name: "other", type: "reference", options: { collection: "posts" }, indexed: true },
    ],
  });
  return site;
}

/** A process over the site's store that only does jobs; its leases last as the site's clock says. */
export function runnerOf(
  { test }: ReleaseSite,
  driver = new HookedDriver(test.context.store.driver),
): Runner {
  const store = new Store(driver, { sleep: () => Promise.resolve() });
  const { deps } = secondApp({ ...test.context, store, newId: ulidSource() });
  const setTimer = (ms: number, work: () => void) => {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  };
  const clock = { monotonic: test.context.now, random: () => 0.5, setTimer };
  const { publishing, packages } = deps;
  return new Runner(deps.content.context, { kinds: jobKinds({ publishing, packages }), clock });
}
