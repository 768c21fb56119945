/**
 * How long an event loop was held up: a timer that should fire every millisecond, and beside it the same
 * in a process that does nothing else, which tells what of it is the machine.
 *
 * @module
 */

/** How late the timer was, milliseconds. */
export interface Lag {
  p99Ms: number;
  longestMs: number;
}

/** The lag of this loop and of an idle one, over the same time. */
export interface Lags {
  own: Lag;
  idle: Lag;
}

/** Starts to look; the answer stops it and tells. */
function startProbe(): () => Lag {
  const lags: number[] = [];
  let last = performance.now();
  const look = () => {
    const now = performance.now();
    lags.push(Math.max(0, now - last - 1));
    last = now;
  };
  const timer = setInterval(look, 1);
  return () => {
    look();
    clearInterval(timer);
    lags.sort((a, b) => a - b);
    return { p99Ms: lags[Math.floor(lags.length * 0.99)]!, longestMs: lags.at(-1)! };
  };
}

/** Measures both loops during `work`. */
export async function lagsDuring(work: () => Promise<unknown>): Promise<Lags> {
  const idle = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-lock", "--no-check", import.meta.url],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const answers = idle.stdout.pipeThrough(new TextDecoderStream()).getReader();
  await answers.read();
  const stop = startProbe();
  const orders = idle.stdin.getWriter();
  await orders.write(new Uint8Array(1));
  await work();
  const own = stop();
  await orders.close();
  const { value } = await answers.read();
  await idle.status;
  return { own, idle: JSON.parse(value!) };
}

/** The idle process: says that it is there, begins at the first byte, and tells at the end. */
if (import.meta.main) {
  console.log("ready");
  const orders = Deno.stdin.readable.getReader();
  await orders.read();
  const stop = startProbe();
  await orders.read();
  console.log(JSON.stringify(stop()));
}
