import { StoreUnavailable } from "../../../../kv/unavailable.ts";
import { assertEquals, assertRejects } from "@std/assert";
import { CommitPort, serveCommits } from "../../../../kv/store/commits/commit_port.ts";
import { type CommitResult, StoreLocked } from "../../../../kv/store/driver.ts";
import { Operation } from "../../../../kv/store/operation.ts";

/** Both ends of a port over something that commits. */
function ends(commit: (operation: Operation) => Promise<CommitResult>) {
  const { port1, port2 } = new MessageChannel();
  const told: Operation[] = [];
  serveCommits(port1, { commit }, (operation) => told.push(operation));
  const port = new CommitPort(port2);
  return {
    port,
    told,
    [Symbol.dispose]() {
      port.close();
      port1.close();
    },
  };
}

const OK: CommitResult = { ok: true, versionstamp: "7" };

Deno.test("CommitPort hands a commit over whole, and answers what came of it", async () => {
  const seen: Operation[] = [];
  using both = ends((operation) => Promise.resolve((seen.push(operation), OK)));
  const operation = new Operation()
    .check({ key: ["a"], value: 1, versionstamp: "1" } as never)
    .set(["b"], { n: 1, bytes: new Uint8Array([1, 2]) }, { expireIn: 5 })
    .delete(["c"]).touch(["d"]);

  assertEquals(await both.port.commit(operation), OK);

  const [{ checks, sets, deletes, touches }] = seen as [Operation];
  assertEquals({ checks, sets, deletes, touches }, {
    checks: [{ key: ["a"], versionstamp: "1" }],
    sets: [{ key: ["b"], value: { n: 1, bytes: new Uint8Array([1, 2]) }, expireIn: 5 }],
    deletes: [["c"]],
    touches: [["d"]],
  });
  assertEquals(both.told.length, 1);
});

Deno.test("CommitPort answers each of several commits by its own result", async () => {
  const waiting: (() => void)[] = [];
  using both = ends(({ sets }) =>
    new Promise((done) => waiting.push(() => done({ ok: true, versionstamp: `${sets[0]!.value}` })))
  );
  const answers = [1, 2, 3].map((n) => both.port.commit(new Operation().set(["k"], n)));
  while (waiting.length < 3) await new Promise((done) => setTimeout(done, 1));
  for (const answer of waiting.toReversed()) answer();

  assertEquals(
    (await Promise.all(answers)).map((result) => result.ok && result.versionstamp),
    ["1", "2", "3"],
  );
});

Deno.test("CommitPort keeps apart a failed check, a lock, and a store that does not answer", async () => {
  const answers: (() => Promise<CommitResult>)[] = [
    () => Promise.resolve({ ok: false }),
    () => Promise.reject(new StoreLocked("locked")),
    () => Promise.reject(new StoreUnavailable("late")),
    () => Promise.reject(new TypeError("Value too large (max 65536 bytes)")),
  ];
  using both = ends(() => answers.shift()!());
  const commit = () => both.port.commit(new Operation().set(["k"], 1));

  assertEquals(await commit(), { ok: false });
  await assertRejects(commit, StoreLocked);
  await assertRejects(commit, StoreUnavailable);
  await assertRejects(commit, TypeError, "too large");
  assertEquals(both.told.length, 0);
});

Deno.test("CommitPort sends of a view what it shows, not its buffer", async () => {
  const sizes: number[] = [];
  using both = ends(({ sets }) => {
    sizes.push((sets[0]!.value as Uint8Array).buffer.byteLength);
    return Promise.resolve(OK);
  });
  const large = new Uint8Array(1_000_000);

  await both.port.commit(new Operation().set(["k"], large.subarray(10, 70)));
  assertEquals(sizes, [60]);
});

Deno.test("CommitPort leaves the outcome of pending commits open when it is closed", async () => {
  using both = ends(() => new Promise(() => {}));
  const commit = both.port.commit(new Operation().set(["k"], 1));
  both.port.close();
  await assertRejects(() => commit, StoreUnavailable);
});
