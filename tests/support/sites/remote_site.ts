/**
 * A site with documents, media and histories whose store can be moved away, and jobs that go through all of it.
 *
 * @module
 */
import { type Context, ulidSource } from "../../../kv/versioning/context.ts";
import { createDocument, patchDocument } from "../../../kv/documents/documents.ts";
import { requestSiteRestore } from "../../../kv/history/site_restore/request.ts";
import type { JobType } from "../../../kv/jobs/job_contracts.ts";
import { findJob } from "../../../kv/jobs/jobs.ts";
import { duePrefix } from "../../../kv/jobs/job_keys.ts";
import { SILENT } from "../../../kv/log.ts";
import { createMedia } from "../../../kv/media/media.ts";
import { storeUpload } from "../../../kv/media/upload.ts";
import { parseCollection } from "../../../kv/model/input/collection_input.ts";
import { type Json, UNATTENDED } from "../../../kv/model/entities/entity.ts";
import { MemoryObjects } from "../../../kv/objects/memory.ts";
import { exportPath, importPath } from "../../../kv/objects/paths.ts";
import { createCollection } from "../../../kv/schema/collections.ts";
import { patchField } from "../../../kv/schema/fields.ts";
import { makeUnique } from "../../../kv/schema/make_unique.ts";
import { DenoKvDriver, type Driver } from "../../../kv/store/driver.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { forEachConcurrent } from "../../../kv/store/concurrency.ts";
import { Store } from "../../../kv/store/store.ts";
import { DueNotifier } from "../../../jobs/runner/due_notifier.ts";
import { NotifyingDriver } from "../../../jobs/runner/notifying_driver.ts";
import { createApp } from "../../../routes/app.ts";
import { createDeps, createRunner } from "../../../routes/process/wiring.ts";
import { addAnyJob } from "../harness/any_job.ts";
import { ADA, callApp } from "./app.ts";
import { paddedPng } from "./images.ts";
import { streamOf } from "../stores/object_store_contract.ts";

const DAY_MS = 86_400_000;
const WRITERS = 64;
const POLL_INTERVAL_MS = 10;
const BODY = "Light over the harbour, and nobody to switch it off. ".repeat(20);

/** A job's name in tables, and how it is begun and waited for. */
export const REMOTE_WORKS = [
  "EXPORT",
  "unique field",
  "RESTORE",
  "RENDER_SITE",
  "MIGRATE",
  "PRUNE",
  "SWEEP_MEDIA",
  "IMPORT",
] as const;

/** Work that goes through a whole site. */
export type RemoteWork = typeof REMOTE_WORKS[number] | "COMPARE_SITE";

/** How much there is. */
export interface SiteSize {
  documents: number;
  media: number;
  /** One of so many documents is published, unless told every fourth; with 0 none. */
  publishedOf?: number;
}

/** A site over a driver that `distance` puts around the store; a quarter of its documents is published. */
export class RemoteSite {
  readonly size: SiteSize;
  readonly #near: DenoKvDriver;
  /** The same store without the distance, for what is not measured. */
  readonly #watching: Store;
  readonly #store: Store;
  readonly #context: Context;
  readonly #deps: ReturnType<typeof createDeps>;
  readonly #runner: ReturnType<typeof createRunner>;
  readonly #objects: MemoryObjects;
  /** The clock runs ahead of the machine's. */
  #offset = 0;
  #filledAt = 0;
  #exportId = "";
  #ids: string[] = [];

  private constructor(kv: Deno.Kv, distance: (near: Driver) => Driver, size: SiteSize) {
    this.size = size;
    const now = () => Date.now() + this.#offset;
    this.#near = new DenoKvDriver(kv);
    this.#watching = new Store(this.#near);
    const notifier = new DueNotifier();
    this.#store = new Store(new NotifyingDriver(distance(this.#near), notifier));
    this.#objects = new MemoryObjects({ now });
    const newId = ulidSource();
    this.#context = { store: this.#store, objects: this.#objects, now, newId, log: SILENT };
    this.#deps = createDeps(this.#context, { trustProxy: 0, setupCode: "code" });
    this.#runner = createRunner(this.#deps);
    notifier.listen((dueAt, lane) => this.#runner.notify(dueAt, lane));
    this.#runner.start();
  }

  /** Opens and fills a site; each document has three versions. */
  static async open(distance: (near: Driver) => Driver, size: SiteSize): Promise<RemoteSite> {
    const site = new RemoteSite(await Deno.openKv(":memory:"), distance, size);
    await site.#fill();
    return site;
  }

  async #fill(): Promise<void> {
    const { content } = this.#deps;
    const body = { code: "code", siteTitle: "Far away", ...ADA };
    const setUp = await callApp(createApp(this.#deps), "POST", "/api/admin/setup", { body });
    if (setUp.status !== 201) throw new Error(setUp.text);
    const fields = [
      { name: "size", label: "Size", type: "text" },
      { name: "code", label: "Code", type: "text" },
      { name: "body", label: "Body", type: "text", options: { multiline: true } },
      { name: "rating", label: "Rating", type: "number", indexed: true, sortable: true },
    ];
    const input = parseCollection({ slug: "posts", name: "Posts", fields });
    await createCollection(content, UNATTENDED, input);
    const ids: string[] = [];
    await forEachConcurrent(Array(this.size.documents).keys(), WRITERS, async (n) => {
      const values = { size: `${n}`, code: `c${n}`, body: BODY };
      const status = n % (this.size.publishedOf ?? 4) === 0 ? "published" : "draft";
      const document = { title: `Document ${n}`, slug: `d-${n}`, status, ...values };
      const { state: { id } } = await createDocument(content, UNATTENDED, "posts", document);
      ids.push(id);
      await patchDocument(content, UNATTENDED, id, { rating: 2 });
    });
    await forEachConcurrent(Array(this.size.media).keys(), WRITERS, async (n) => {
      const upload = await storeUpload(this.#context, streamOf(paddedPng(400 + n)));
      await createMedia(this.#context, UNATTENDED, upload, { filename: `${n}.png`, alt: "" });
    });
    this.#offset += 2_000;
    this.#filledAt = Math.floor(this.#context.now() / 1000);
    this.#offset += 2_000;
    this.#ids = ids;
    await forEachConcurrent(ids, WRITERS, async (id) => {
      await patchDocument(content, UNATTENDED, id, { rating: 3 });
    });
    await this.settle();
  }

  /** Writes a new version of the first documents. */
  async edit(documents: number): Promise<void> {
    const { content } = this.#deps;
    await forEachConcurrent(this.#ids.slice(0, documents), WRITERS, async (id) => {
      await patchDocument(content, UNATTENDED, id, { rating: 4 });
    });
    await this.settle();
  }

  /** Does all that is due, and what comes of it. */
  async settle(): Promise<void> {
    for (;;) {
      this.#runner.poll();
      const due = await this.#watching.listAll({ prefix: duePrefix }, { limit: 1 });
      if (this.#runner.running === 0 && due.length === 0) return;
      this.#offset += 200;
      await this.#watching.sleep(2 * POLL_INTERVAL_MS);
    }
  }

  /** Does some work to its end; an IMPORT needs an EXPORT before it. */
  async run(work: RemoteWork): Promise<void> {
    const { content } = this.#deps;
    switch (work) {
      case "unique field":
        return void await makeUnique(content, UNATTENDED, "posts", "code");
      case "EXPORT":
        this.#exportId = await this.#job("EXPORT", { reason: "manual" });
        return;
      case "RESTORE":
        return await this.#ended(
          await requestSiteRestore(this.#context, UNATTENDED, { timestamp: this.#filledAt! }),
        );
      case "MIGRATE": {
        const change = { type: "number" };
        const patched = await patchField(content, UNATTENDED, "posts", "size", change);
        return await this.#ended((patched as { jobId: string }).jobId);
      }
      case "IMPORT": {
        const importId = this.#context.newId(this.#context.now());
        const file = (await this.#objects.getStream(exportPath(this.#exportId)))!;
        await this.#objects.putStream(importPath(importId), file);
        return void await this.#job("IMPORT", { importId, userId: importId });
      }
      case "PRUNE":
        this.#offset += 3 * DAY_MS;
        return void await this.#job("PRUNE", {});
      default:
        return void await this.#job(work, {});
    }
  }

  async #job(type: JobType, payload: Json): Promise<string> {
    const operation = new Operation();
    const id = addAnyJob(operation, this.#context, { type, payload });
    await this.#watching.commit(operation);
    this.#runner.poll();
    await this.#ended(id);
    return id;
  }

  async #ended(jobId: string): Promise<void> {
    for (;;) {
      const job = await findJob(this.#watching, jobId);
      if (job?.state === "failed") throw new Error(`${job.type}: ${job.error}`);
      if (job?.state === "done") return;
      await this.#watching.sleep(POLL_INTERVAL_MS);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#runner.stop(5_000);
    this.#store.close();
  }
}
