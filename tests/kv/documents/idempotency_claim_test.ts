/** The claim of a request with an idempotency key: it stands while the request is under way, and not a moment longer. */
import { IdempotencyClaim } from "../../../kv/documents/idempotency_claim.ts";
import { assertEquals } from "../../support/harness/assert.ts";
import { testContext } from "../../support/harness/context.ts";

const KEY = ["claim", "of a test"];

Deno.test("a claim is made while its request takes long, and given up with it, by late timers too", async () => {
  await using context = await testContext();
  const { setTimeout } = globalThis;
  const due: (() => void)[] = [];
  // deno-lint-ignore no-explicit-any
  (globalThis as any).setTimeout = (work: () => void) => due.push(work);
  try {
    const claim = new IdempotencyClaim(context, KEY);
    const until = async () => (await context.store.get(KEY)).value;
    assertEquals(await until(), null);
    due.shift()!();
    const late = due.shift()!;
    await claim.end();
    assertEquals(await until(), null);
    late();
    assertEquals(due.length, 0);
    assertEquals(await until(), null);
  } finally {
    globalThis.setTimeout = setTimeout;
  }
});
