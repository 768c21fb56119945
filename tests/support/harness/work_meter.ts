/**
 * Work by count instead of by clock: how often blocks of the service's own code run between two rounds of the event
 * loop, as V8's coverage counts them. It is the same on every machine, however busy. What runs inside of V8 (sorting
 * without a comparison, parsing) is not counted.
 *
 * @module
 */
import { Session } from "node:inspector";
import { eventLoopTurn } from "../../../kv/store/event_loop_turn.ts";

/** What ran between two rounds of the event loop. */
export interface WorkSlice {
  /** Blocks of code, each as often as it ran. */
  blocks: number;
  /** The functions with the most of them. */
  where: string;
}

interface Coverage {
  result: {
    url: string;
    functions: { functionName: string; ranges: { startOffset: number; count: number }[] }[];
  }[];
}

/** Functions that are named. */
const NAMED = 4;
const OWN_CODE = new URL("../../../kv/", import.meta.url).href;

/** Counts the work of this process. Functions that ran before are counted as a whole, not by their blocks. */
export class WorkMeter implements AsyncDisposable {
  readonly #session: Session;

  private constructor(session: Session) {
    this.#session = session;
  }

  /** Begins to count. */
  static async start(): Promise<WorkMeter> {
    const session = new Session();
    session.connect();
    const meter = new WorkMeter(session);
    await meter.#post("Profiler.enable");
    await meter.#post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
    return meter;
  }

  /**
   * The turn of `work` with the most blocks. While it runs every look at the clock finds that it is time to pause, so
   * that what is between two pauses is all that cannot be cut.
   */
  async longestTurn(work: () => Promise<unknown>): Promise<WorkSlice> {
    let isOver = false;
    let longest: WorkSlice = { blocks: 0, where: "" };
    await this.#take();
    const now = performance.now;
    let at = 0;
    performance.now = () => at += 1_000;
    const done = work().finally(() => {
      performance.now = now;
      isOver = true;
    });
    while (!isOver) {
      await Promise.race([eventLoopTurn(), done]);
      const turn = await this.#take();
      if (turn.blocks > longest.blocks) longest = turn;
    }
    await done;
    return longest;
  }

  async #take(): Promise<WorkSlice> {
    const { result } = await this.#post("Profiler.takePreciseCoverage") as Coverage;
    const counts: [string, number][] = result.filter(({ url }) => url.startsWith(OWN_CODE))
      .flatMap(({ url, functions }) =>
        functions.map(({ functionName, ranges }): [string, number] => [
          `${functionName} of ${url.slice(OWN_CODE.length)}:${ranges[0]!.startOffset}`,
          ranges.reduce((sum, { count }) => sum + count, 0),
        ])
      )
      .sort(([, a], [, b]) => b - a);
    return {
      blocks: counts.reduce((sum, [, count]) => sum + count, 0),
      where: counts.slice(0, NAMED).map(([name, count]) => `${name} (${count})`).join(", "),
    };
  }

  #post(method: string, parameters: object = {}): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#session.post(
        method,
        parameters,
        (error: Error | null, result: unknown) => error === null ? resolve(result) : reject(error),
      );
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#post("Profiler.stopPreciseCoverage");
    await this.#post("Profiler.disable");
    this.#session.disconnect();
  }
}
