import { assert, assertEquals } from "@std/assert";
import {
  ComputeQueue,
  REST_PER_OVERDUE_SLICE,
  REST_PER_SLICE,
  REST_PER_SLICE_ELSEWHERE,
} from "../../../jobs/publishing/compute_queue.ts";
import { REQUESTS_GIVEN_WAY_MAX, REST_MS_MAX } from "../../../jobs/limits.ts";
import { Traffic } from "../../../jobs/runner/traffic.ts";

const turn = () => new Promise<void>((done) => setTimeout(done, 0));

function compute(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

Deno.test("ComputeQueue lets the event loop turn between pieces that wait together", async () => {
  const turns = new ComputeQueue({ sleep: turn });
  const order: string[] = [];
  const timer = setInterval(() => order.push("others"), 0);

  await Promise.all([1, 2, 3, 4].map((n) =>
    turns.run(() => {
      compute(3);
      order.push(`piece ${n}`);
    })
  ));
  clearInterval(timer);

  assertEquals(order.filter((one) => one !== "others"), [
    "piece 1",
    "piece 2",
    "piece 3",
    "piece 4",
  ]);
  assert(order.indexOf("others") < order.indexOf("piece 4"));
});

Deno.test("ComputeQueue continues after a piece that fails", async () => {
  const turns = new ComputeQueue({ sleep: turn });
  const failing = turns.run(() => {
    throw new Error("no");
  });

  assertEquals(await turns.run(() => "next"), "next");
  assertEquals(await failing.catch(({ message }) => message), "no");
});

/** Turns beside a request that has been under way for long; rests do not end by themselves. */
function besideRequest(monotonic?: () => number) {
  let now = 0;
  const traffic = new Traffic(() => now);
  const { promise, resolve } = Promise.withResolvers<Response>();
  const answered = traffic.counted(() => promise)();
  now += LONG_MS;
  const rests: number[] = [];
  const turns = new ComputeQueue(
    {
      sleep: (ms) => {
        rests.push(ms);
        return ms === 0 ? turn() : new Promise(() => {});
      },
    },
    traffic,
    monotonic,
  );
  const answer = async () => {
    resolve(new Response());
    await answered;
    now += LONG_MS;
  };
  return { traffic, turns, rests, answer };
}

const LONG_MS = 1_000_000;

Deno.test("Traffic.load is the part of the last moments in which requests waited", async () => {
  let now = 0;
  const traffic = new Traffic(() => now);
  const loadAfter = async (pauseMs: number, requestMs: number) => {
    for (let n = 0; n < 100; n++) {
      now += pauseMs;
      await traffic.counted(() => {
        now += requestMs;
        return new Response();
      })();
    }
    return Math.round(traffic.load * 10) / 10;
  };

  assertEquals(traffic.load, 0);
  assertEquals(await loadAfter(0, 5), 1);
  assertEquals(await loadAfter(5, 5), 0.5);
  assertEquals(await loadAfter(9, 1), 0.1);
  now += LONG_MS;
  assertEquals([traffic.load, traffic.busy], [0, false]);
});

Deno.test("Traffic.depth is how many requests waited at a time in the last moments", async () => {
  let now = 0;
  const traffic = new Traffic(() => now);
  assertEquals(traffic.depth, 0);
  const { promise, resolve } = Promise.withResolvers<Response>();
  const answers = Array.from({ length: 4 }, () => traffic.counted(() => promise)());
  now += 70;
  assert(traffic.depth > 1.5 && traffic.depth < 2.5, `${traffic.depth}`);
  now += LONG_MS;
  assertEquals([traffic.depth, traffic.load], [4, 1]);
  resolve(new Response());
  await Promise.all(answers);
  assertEquals(Math.round(traffic.depth), 4);
  now += LONG_MS;
  assertEquals(traffic.depth, 0);
});

Deno.test("Traffic tells another thread what it tells its own", async () => {
  let now = 1_000;
  const own = new Traffic(() => now);
  const other = new Traffic(() => now, own.memory);
  assertEquals([other.busy, other.load], [false, 0]);

  const { promise, resolve } = Promise.withResolvers<Response>();
  const answered = own.counted(() => promise)();
  now += LONG_MS;
  assertEquals([other.busy, other.load], [true, 1]);
  // The other thread's clock may be read a moment before this one's.
  now -= LONG_MS + 1;
  assert(other.load <= 1);
  now += 1;
  resolve(new Response());
  await answered;
  assertEquals([own.isElsewhere, other.isElsewhere, other.busy], [false, true, false]);
});

for (
  const [requests, isOverdue, times] of [
    [1, false, REST_PER_SLICE_ELSEWHERE],
    [3, false, 3 * REST_PER_SLICE_ELSEWHERE],
    [64, false, REQUESTS_GIVEN_WAY_MAX * REST_PER_SLICE_ELSEWHERE],
    [64, true, REST_PER_OVERDUE_SLICE],
  ] as const
) {
  const what = `${requests} requests${isOverdue ? " that it must give way to" : ""}`;
  Deno.test(`ComputeQueue rests ${times} times a turn beside ${what} in another thread`, async () => {
    const { traffic, rests } = besideRequest();
    for (let n = 1; n < requests; n++) {
      void traffic.counted(() => new Promise<Response>(() => {}))();
    }
    const seen = new Traffic(() => 2 * LONG_MS, traffic.memory);
    seen.isOverdue = isOverdue;
    let now = 0;
    const turns = new ComputeQueue({ sleep: (ms) => (rests.push(ms), turn()) }, seen, () => now);
    for (const tookMs of [3, REST_MS_MAX]) void turns.run(() => now += tookMs);
    await turns.run(() => {});

    assertEquals(rests, [0, times * 3, 0, REST_MS_MAX]);
  });
}

Deno.test("ComputeQueue pauses during requests, in proportion to the length of a turn", async () => {
  for (const [isOverdue, ms] of [[false, 2], [true, 2], [false, REST_MS_MAX]] as const) {
    let now = 0;
    const { traffic, turns, rests } = besideRequest(() => now);
    traffic.isOverdue = isOverdue;
    void turns.run(() => now += ms);
    let isNext = false;
    void turns.run(() => isNext = true);
    await turn();
    await turn();

    assertEquals(isNext, false);
    const times = isOverdue ? REST_PER_OVERDUE_SLICE : REST_PER_SLICE;
    assertEquals(rests, [0, Math.min(REST_MS_MAX, times * ms)]);
  }
});

Deno.test("ComputeQueue does not rest where no request has been for a while", async () => {
  const { turns, rests, answer } = besideRequest();
  await answer();

  for (let n = 0; n < 3; n++) await turns.run(() => compute(3));

  assertEquals(rests, [0, 0]);
});

Deno.test("ComputeQueue runs urgent pieces first, and ends its rest for them", async () => {
  const { turns, rests } = besideRequest();
  const order: string[] = [];
  void turns.run(() => {
    compute(3);
    order.push("first");
  });
  for (const n of [1, 2]) void turns.run(() => order.push(`other ${n}`));
  await turn();
  await turn();
  assertEquals([order, rests.length], [["first"], 2]);

  await turns.urgent.run(() => {
    compute(3);
    order.push("urgent");
  });

  assertEquals(order, ["first", "urgent"]);
  await turn();
});

Deno.test("ComputeQueue hands over together what pieces that wait together have made", async () => {
  for (
    const [pieces, requests, together] of [
      [40, "none", [32, 8]],
      [5, "in this thread", [3, 2]],
      [10, "elsewhere", [8, 2]],
    ] as const
  ) {
    let now = 0;
    const traffic = new Traffic(() => now);
    if (requests !== "none") void traffic.counted(() => new Promise<Response>(() => {}))();
    now += LONG_MS;
    const seen = requests === "elsewhere" ? new Traffic(() => now, traffic.memory) : traffic;
    const turns = new ComputeQueue({ sleep: turn }, seen);
    const counts: number[] = [];
    let made = 0, handedOver = 0;
    const piece = () => {
      compute(2);
      made += 1;
    };

    await Promise.all(Array.from({ length: pieces }, async () => {
      await turns.run(piece);
      if (handedOver < made) counts.push(made - handedOver);
      handedOver = made;
    }));

    assertEquals(counts, [...together]);
  }
  await turn();
});
