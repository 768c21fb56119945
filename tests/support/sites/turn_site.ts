/**
 * A site for publishing in simulated time, over an embedded store whose calls in sequence are counted.
 *
 * @module
 */
import { duePrefix } from "../../../kv/jobs/job_keys.ts";
import { EMBEDDED_CHECKS_MAX } from "../../../kv/tuning.ts";
import { type BenchSite, openSiteIn } from "../../bench/publish_site.ts";
import { DirectDriver, SimulatedKv } from "../harness/simulated_kv.ts";
import { TurnDriver, TurnTime } from "../harness/turn_driver.ts";
import { seededRandom, seededUlids } from "../seeded_random.ts";

/** A site whose time passes only when a test lets it: equal calls, equal runs. */
export interface TurnSite extends BenchSite {
  /** Runs what is due. */
  drain(): Promise<void>;
  /** Runs what is due; answers the longest chain of calls that wait for one another, without polls for due jobs. */
  drainInTurns(): Promise<number>;
  /** Does work while time passes. */
  run<T>(work: Promise<T>): Promise<T>;
  /** Lets so many milliseconds pass. */
  pass(ms: number): Promise<void>;
}

/** Opens a site. */
export async function openTurnSite(): Promise<TurnSite> {
  const time = new TurnTime();
  const driver = new TurnDriver(new DirectDriver(new SimulatedKv()), time, {
    inFlightMax: 1,
    groupChecksMax: EMBEDDED_CHECKS_MAX,
  });
  driver.isNear = true;
  const random = seededRandom(1);
  const { setTimer, monotonic, now, sleep } = time;
  const site = await openSiteIn({
    driver,
    // No write asks for upkeep by chance.
    clock: { setTimer, monotonic, random: () => 0.5 + random() / 2 },
    sleep,
    now,
    newId: seededUlids(random),
    close: () => Promise.resolve(),
  });
  const drain = () => time.run(site.runner.drain());
  return {
    ...site,
    settle: () => time.run(site.settle()),
    run: time.run.bind(time),
    drain,
    drainInTurns: async () => {
      time.turns = [];
      driver.isNear = false;
      await drain();
      driver.isNear = true;
      const isPoll = (call: string) => call === `list ${duePrefix[0]}`;
      return time.turns.filter((calls) => !calls.every(isPoll)).length;
    },
    pass: (ms) => time.run(time.sleep(ms)),
    [Symbol.asyncDispose]: async () => await time.run(Promise.resolve(site[Symbol.asyncDispose]())),
  };
}
