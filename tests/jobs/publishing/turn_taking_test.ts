import { assert, assertEquals } from "@std/assert";
import { CombiningQueue } from "../../../jobs/publishing/combining_queue.ts";
import { TurnTaking } from "../../../jobs/publishing/turn_taking.ts";

const turn = () => new Promise<void>((done) => setTimeout(done, 0));

function compute(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

Deno.test("TurnTaking lets the event loop turn between pieces that wait together", async () => {
  const turns = new TurnTaking({ sleep: turn });
  const order: string[] = [];
  const timer = setInterval(() => order.push("others"), 0);

  await Promise.all([1, 2, 3, 4].map((n) =>
    turns.take(() => {
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

Deno.test("TurnTaking goes on after a piece that fails", async () => {
  const turns = new TurnTaking({ sleep: turn });
  const failing = turns.take(() => {
    throw new Error("no");
  });

  assertEquals(await turns.take(() => "next"), "next");
  assertEquals(await failing.catch(({ message }) => message), "no");
});

Deno.test("CombiningQueue serves together who asks meanwhile, and one piece at a time", async () => {
  const served: number[][] = [];
  let underWay = 0;
  const queue = new CombiningQueue<number, number>(async (requests) => {
    underWay += 1;
    assertEquals(underWay, 1);
    await turn();
    served.push(requests);
    underWay -= 1;
    return served.length;
  }, turn);

  const first = queue.ask(1);
  await turn();
  await turn();
  const others = Promise.all([
    queue.ask(2),
    queue.ask(3),
    queue.alone(() => Promise.resolve(underWay)),
  ]);

  assertEquals([await first, await others], [1, [2, 2, 0]]);
  assertEquals(served, [[1], [2, 3]]);
});
