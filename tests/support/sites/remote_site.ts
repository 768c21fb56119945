/**
 * A site with documents, media and histories whose store can be moved away, and jobs that go through all of it.
 *
 * @module
 */
import { type Context, ulidSource } from "../../../kv/context.ts";
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
import { type RunnerClock, systemClock } from "../../../jobs/runner/runner_clock.ts";
import { addAnyJob } from "../harness/any_job.ts";
import { DirectDriver, SimulatedKv } from "../harness/simulated_kv.ts";
import { TurnDriver, TurnTime } from "../harness/turn_driver.ts";
import { seededRandom, seededUlids } from "../seeded_random.ts";
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
  /** One of this many documents is published, every fourth by default; with 0 none. */
  publishedOf?: number;
}

/** What a site needs of its surroundings. */
interface Surroundings {
  near: Driver;
  far: Driver;
  clock: RunnerClock;
  now: () => number;
  /** Moves the clock of {@linkcode Surroundings.now}, milliseconds. */
  advance: (ms: number) => void;
  sleep?: (ms: number) => Promise<void>;
  newId: (ms: number) => string;
  /** Does work while time passes. */
  run: <T>(work: Promise<T>) => Promise<T>;
}

/** A site whose store can be moved away; a quarter of its documents is published. */
export class RemoteSite {
  readonly size: SiteSize;
  readonly #surroundings: Surroundings;
  /** The same store without the distance, for what is not measured. */
  readonly #watching: Store;
  readonly #store: Store;
  readonly #context: Context;
  readonly #deps: ReturnType<typeof createDeps>;
  readonly #runner: ReturnType<typeof createRunner>;
  readonly #objects: MemoryObjects;
  #filledAt = 0;
  #exportId = "";
  #ids: string[] = [];

  private constructor(surroundings: Surroundings, size: SiteSize) {
    this.size = size;
    this.#surroundings = surroundings;
    const { near, far, clock, now, sleep, newId } = surroundings;
    const { random, monotonic } = clock;
    const options = { random, monotonic, ...(sleep && { sleep }) };
    this.#watching = new Store(near, options);
    const notifier = new DueNotifier();
    this.#store = new Store(new NotifyingDriver(far, notifier), options);
    this.#objects = new MemoryObjects({ now });
    this.#context = { store: this.#store, objects: this.#objects, now, newId, log: SILENT };
    this.#deps = createDeps(this.#context, { trustProxy: 0, setupCode: "code", monotonic });
    this.#runner = createRunner(this.#deps, { clock });
    notifier.listen((dueAt, lane) => this.#runner.notify(dueAt, lane));
  }

  /** Opens and fills a site over a driver that `distance` puts around the store; each document has three versions. */
  static async open(distance: (near: Driver) => Driver, size: SiteSize): Promise<RemoteSite> {
    const near = new DenoKvDriver(await Deno.openKv(":memory:"));
    let offset = 0;
    return await RemoteSite.#filled({
      near,
      far: distance(near),
      clock: systemClock(Math.random),
      now: () => Date.now() + offset,
      advance: (ms) => void (offset += ms),
      newId: ulidSource(),
      run: (work) => work,
    }, size);
  }

  /** The same in simulated time, over a store that answers in turns when it is not near. */
  static async openInTurns(
    size: SiteSize,
  ): Promise<{ site: RemoteSite; driver: TurnDriver; time: TurnTime }> {
    const near = new DirectDriver(new SimulatedKv());
    const time = new TurnTime();
    const driver = new TurnDriver(near, time);
    driver.isNear = true;
    const random = seededRandom(1);
    const { setTimer, monotonic, now, sleep } = time;
    const site = await RemoteSite.#filled({
      near,
      far: driver,
      clock: { setTimer, monotonic, random },
      now,
      advance: time.advance.bind(time),
      sleep,
      newId: seededUlids(random),
      run: time.run.bind(time),
    }, size);
    return { site, driver, time };
  }

  static async #filled(surroundings: Surroundings, size: SiteSize): Promise<RemoteSite> {
    const site = new RemoteSite(surroundings, size);
    await site.#setUp();
    site.#runner.start();
    await surroundings.run(site.#fill());
    return site;
  }

  async #setUp(): Promise<void> {
    const body = { code: "code", siteTitle: "Far away", ...ADA };
    const setUp = await callApp(createApp(this.#deps), "POST", "/api/admin/setup", { body });
    if (setUp.status !== 201) throw new Error(setUp.text);
  }

  async #fill(): Promise<void> {
    const { content } = this.#deps;
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
    this.#surroundings.advance(2_000);
    this.#filledAt = Math.floor(this.#context.now() / 1000);
    this.#surroundings.advance(2_000);
    this.#ids = ids;
    await forEachConcurrent(ids, WRITERS, async (id) => {
      await patchDocument(content, UNATTENDED, id, { rating: 3 });
    });
    await this.#settle();
  }

  /** Writes a new version of the first documents. */
  async edit(documents: number): Promise<void> {
    await this.#surroundings.run(this.#edit(documents));
  }

  async #edit(documents: number): Promise<void> {
    const { content } = this.#deps;
    await forEachConcurrent(this.#ids.slice(0, documents), WRITERS, async (id) => {
      await patchDocument(content, UNATTENDED, id, { rating: 4 });
    });
    await this.#settle();
  }

  /** Does all that is due, and what comes of it. */
  async settle(): Promise<void> {
    await this.#surroundings.run(this.#settle());
  }

  async #settle(): Promise<void> {
    for (;;) {
      this.#runner.poll();
      const due = await this.#watching.listAll({ prefix: duePrefix }, { limit: 1 });
      if (this.#runner.running === 0 && due.length === 0) return;
      this.#surroundings.advance(200);
      await this.#watching.sleep(2 * POLL_INTERVAL_MS);
    }
  }

  /** Does some work to its end; an IMPORT needs an EXPORT before it. */
  async run(work: RemoteWork): Promise<void> {
    await this.#surroundings.run(this.#run(work));
  }

  async #run(work: RemoteWork): Promise<void> {
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
        this.#surroundings.advance(3 * DAY_MS);
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
    await this.#surroundings.run(this.#runner.stop(5_000));
    this.#store.close();
  }
}
