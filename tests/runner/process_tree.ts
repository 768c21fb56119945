/**
 * Processes as the operating system knows them: killing a process with its descendants, and the time they used.
 *
 * @module
 */

/** Kernel ticks per second; fixed for user space on Linux. */
const TICKS_PER_SECOND = 100;
/** What a process uses after its last sample is lost, so samples are frequent. */
const METER_INTERVAL_MS = 500;

/** A process and all of its descendants. */
async function processTree(root: number): Promise<number[]> {
  const { stdout } = await new Deno.Command("ps", { args: ["-A", "-o", "pid=,ppid="] }).output();
  const rows = new TextDecoder().decode(stdout).trim().split("\n").map((row) =>
    row.trim().split(/\s+/).map(Number)
  );
  const tree = [root];
  for (const parent of tree) {
    tree.push(...rows.filter(([, ppid]) => ppid === parent).map(([pid]) => pid!));
  }
  return tree;
}

/** Kills a process and its descendants. */
export async function killTree(root: number): Promise<void> {
  const tree = await processTree(root).catch(() => [root]);
  for (const pid of tree) {
    try {
      Deno.kill(pid, "SIGKILL");
    } catch {
      // It has already ended.
    }
  }
}

/**
 * Adds up the processor time of this process's descendants while they run. Asking the kernel at the end is not enough:
 * it forgets processes that their parent did not wait for, as a browser's are.
 */
export class ProcessorMeter {
  readonly #ticks = new Map<number, number>();
  readonly #timer: ReturnType<typeof setInterval>;

  constructor() {
    this.#timer = setInterval(() => void this.#sample(), METER_INTERVAL_MS);
  }

  /** Seconds since the start, this process included; null on a system without `/proc`. */
  async stop(): Promise<number | null> {
    clearInterval(this.#timer);
    await this.#sample();
    const own = await readStat(Deno.pid);
    if (own === null) return null;
    const sampled = [...this.#ticks.values()].reduce((sum, ticks) => sum + ticks, 0);
    return (own.ownTicks + Math.max(sampled, own.waitedTicks)) / TICKS_PER_SECOND;
  }

  async #sample(): Promise<void> {
    const pids: number[] = [];
    try {
      for (const { name } of Deno.readDirSync("/proc")) {
        if (/^\d+$/.test(name)) pids.push(Number(name));
      }
    } catch {
      return;
    }
    const stats = await Promise.all(pids.map(readStat));
    const parents = new Map(pids.map((pid, index) => [pid, stats[index]?.parent]));
    const isDescendant = (pid: number): boolean => {
      const parent = parents.get(pid);
      return parent !== undefined && (parent === Deno.pid || isDescendant(parent));
    };
    for (const [index, pid] of pids.entries()) {
      const ticks = stats[index]?.ownTicks ?? 0;
      if (isDescendant(pid) || this.#ticks.has(pid)) this.#ticks.set(pid, ticks);
    }
  }
}

interface ProcessStat {
  parent: number;
  ownTicks: number;
  /** Of descendants that ended and were waited for. */
  waitedTicks: number;
}

async function readStat(pid: number): Promise<ProcessStat | null> {
  const stat = await Deno.readTextFile(`/proc/${pid}/stat`).catch(() => null);
  if (stat === null) return null;
  // The command's name, in parentheses, may hold spaces. After it: state, ppid, … utime, stime, cutime, cstime.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ").map(Number);
  const [user, system, waitedUser, waitedSystem] = fields.slice(11, 15) as number[];
  return {
    parent: fields[1]!,
    ownTicks: user! + system!,
    waitedTicks: waitedUser! + waitedSystem!,
  };
}
