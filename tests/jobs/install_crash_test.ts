import { assert, assertEquals } from "@std/assert";
import { jobKinds } from "../../jobs/kinds.ts";
import { Runner } from "../../jobs/runner/runner.ts";
import { listDeliveries } from "../../kv/deliveries/deliveries.ts";
import { getJob } from "../../kv/jobs/jobs.ts";
import { versionPrefix } from "../../kv/keys.ts";
import { type Context, ulidSource } from "../../kv/context.ts";
import { packageUploadPath } from "../../kv/objects/paths.ts";
import { listPackages } from "../../kv/packages/packages.ts";
import { DenoKvDriver } from "../../kv/store/driver.ts";
import { Operation } from "../../kv/store/operation.ts";
import { Store } from "../../kv/store/store.ts";
import { createDeps } from "../../routes/process/wiring.ts";
import { NOON } from "../support/harness/context.ts";
import { HookedDriver, Killed } from "../support/stores/hooked_driver.ts";
import { MemoryObjects } from "../../kv/objects/memory.ts";
import { SILENT } from "../../kv/log.ts";
import { type Json, UNATTENDED } from "../../kv/model/entities/entity.ts";
import { packageOf, publisher } from "../support/sites/packages.ts";
import { addAnyJob } from "../support/harness/any_job.ts";

/** Time for which a lost lease is respected, and the delay of a failed step, passed at one stroke. */
const LATER_MS = 1_000_000;

/** Two processes over one store: the first may die at any call of it. */
class Site implements AsyncDisposable {
  #now = NOON;
  readonly #kv: Deno.Kv;
  readonly objects = new MemoryObjects({ now: () => this.#now });
  readonly driver: HookedDriver;

  constructor(kv: Deno.Kv) {
    this.#kv = kv;
    this.driver = new HookedDriver(new DenoKvDriver(kv));
  }

  process(driver: HookedDriver): { context: Context; runner: Runner } {
    const now = () => this.#now;
    const store = new Store(driver, { sleep: () => Promise.resolve() });
    const context = { store, objects: this.objects, now, newId: ulidSource(), log: SILENT };
    const deps = createDeps(context, { trustProxy: 0, setupCode: "x" });
    const clock = {
      monotonic: now,
      random: () => 0.5,
      setTimer: (ms: number, work: () => void) => {
        const timer = setTimeout(work, ms);
        return () => clearTimeout(timer);
      },
    };
    const { publishing, packages } = deps;
    return {
      context,
      runner: new Runner(context, { kinds: jobKinds({ publishing, packages }), clock }),
    };
  }

  survivor(): { context: Context; runner: Runner } {
    return this.process(new HookedDriver(new DenoKvDriver(this.#kv)));
  }

  later(): void {
    this.#now += LATER_MS;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.resolve();
    this.#kv.close();
  }
}

/** Installs a plugin in a process that dies at call `n` of the store; whether it came so far. */
async function installDyingAt(n: number, when: "before" | "after"): Promise<boolean> {
  await using site = new Site(await Deno.openKv(":memory:"));
  const { context, runner } = site.survivor();
  const deps = createDeps(context, { trustProxy: 0, setupCode: "x" });
  const publishers = [publisher()] as unknown as Json;
  await deps.settings.patch(UNATTENDED, { "packages.publishers": publishers });
  await site.objects.put(packageUploadPath("U"), await packageOf({ files: { "plugin.js": "1" } }));
  const request = { url: null, accept: [], downgrade: false, userId: null };
  const payload = { kind: "plugin", upload: "U", ...request };
  const operation = new Operation();
  const jobId = addAnyJob(operation, context, { type: "INSTALL", payload });
  await context.store.commit(operation);

  const dying = site.process(site.driver);
  let died = false;
  site.driver.hook = (call, moment) => {
    if (died || (call === n && moment === when)) {
      died = true;
      throw new Killed();
    }
  };
  await dying.runner.drain().catch((error) => assert(died, String(error)));
  for (let round = 0; round < 3; round++) {
    await runner.drain();
    site.later();
  }

  const job = await getJob(context.store, jobId);
  assertEquals([job.state, job.error], ["done", null], `${n} ${when}`);
  const [plugin, ...more] = await listPackages(context, "plugin");
  assertEquals([plugin!.version, more.length], ["1.0.0", 0]);
  const versions = await context.store.listAll({ prefix: versionPrefix("plugin", plugin!.id) });
  assertEquals(versions.length, 1, `${n} ${when}`);
  assertEquals(await Array.fromAsync(site.objects.list("package-uploads/")), []);
  assertEquals(await listDeliveries(context, plugin!.id), []);
  return died;
}

Deno.test("INSTALL survives the end of its process between any two calls of the store", async () => {
  let n = 1;
  while (await installDyingAt(n, "before") && await installDyingAt(n, "after")) n += 1;
  assert(n > 15, `only ${n} places to die were found`);
});
