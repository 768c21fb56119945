import { assertEquals } from "@std/assert";
import { tokenUseKey } from "../../../kv/keys.ts";
import {
  TokenUse,
  USE_HOURS_KEPT,
  type UseOfHour,
  useOfToken,
} from "../../../kv/people/token_use.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { testContext } from "../../support/harness/context.ts";

const HOUR = 3_600;
const ID = "01JD0000000000000000000000";

Deno.test("TokenUse writes each count once despite concurrent writers", async () => {
  await using context = await testContext();
  const [one, other] = [new TokenUse(), new TokenUse()];
  const write = async (use: TokenUse, between = async () => {}) => {
    const entry = await context.store.get<UseOfHour[]>(tokenUseKey(ID));
    const operation = new Operation();
    const committed = use.stage(operation, ID, entry);
    await between();
    const { ok } = await context.store.commit(operation);
    if (ok) committed();
    return ok;
  };
  const shown = async (hours: number) =>
    (await useOfToken(context, ID, 10 * HOUR, hours)).map(({ requests }) => requests);

  for (let count = 0; count < 3; count++) one.count(ID, 9 * HOUR + count);
  other.count(ID, 10 * HOUR);
  assertEquals(await shown(2), [0, 0]);
  assertEquals(await write(one, async () => void await write(other)), false, "the race is lost");
  assertEquals(await shown(2), [0, 1]);
  // What is counted while a write is under way waits for the next one.
  assertEquals(await write(one, () => Promise.resolve(one.count(ID, 10 * HOUR + 5))), true);
  assertEquals(await shown(2), [3, 1]);
  assertEquals(await write(one), true);
  assertEquals(await write(one), true);
  assertEquals(await shown(3), [0, 3, 2]);

  for (let hour = 0; hour < USE_HOURS_KEPT + 20; hour++) one.count(ID, (20 + hour) * HOUR);
  await write(one);
  const { value } = await context.store.get<UseOfHour[]>(tokenUseKey(ID));
  assertEquals(value!.length, USE_HOURS_KEPT);
  assertEquals(value!.at(-1), [20 + USE_HOURS_KEPT + 19, 1]);
});
