import { assertEquals } from "@std/assert";
import { FormerAddressPages } from "../../../kv/redirects/former_address_pages.ts";
import { stageAddressRemoval, stageFormerAddress } from "../../../kv/redirects/former_addresses.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { testContext } from "../../support/harness/context.ts";

const COUNT = 2_345;

Deno.test("pages of former addresses read what they show, and follow every change", async () => {
  await using context = await testContext();
  const names = Array.from({ length: COUNT }, (_, n) => `/old/${String(n).padStart(4, "0")}`);
  const change = async (stage: (operation: Operation) => void) => {
    const operation = new Operation();
    stage(operation);
    assertEquals((await context.store.commit(operation)).ok, true);
  };
  for (let start = 0; start < COUNT; start += 400) {
    await change((operation) => {
      for (const address of names.slice(start, start + 400)) {
        stageFormerAddress(operation, address, { type: "document", id: "1", transfer: "1" });
      }
    });
  }
  const pages = new FormerAddressPages(context);
  const shown = async (start: number, end: number) => {
    const { rows, total } = await pages.read(start, end);
    return [rows.map(({ address }) => address), total];
  };
  for (const start of [0, 7, 990, 1_000, 1_999, 2_000, 2_340, COUNT, 5_000]) {
    assertEquals(
      await shown(start, start + 20),
      [names.slice(start, start + 20), COUNT],
      `${start}`,
    );
  }
  assertEquals(await shown(0, 0), [[], COUNT]);
  const { lists } = context.store.counts;
  await shown(2_300, 2_320);
  assertEquals(context.store.counts.lists - lists, 1);

  await change((operation) => stageAddressRemoval(operation, names[3]!));
  const left = names.toSpliced(3, 1);
  assertEquals(await shown(2_000, 2_010), [left.slice(2_000, 2_010), COUNT - 1]);
});
