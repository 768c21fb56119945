import { assertEquals } from "@std/assert";
import { AddressRoom } from "../../../kv/redirects/address_room.ts";
import { stageFormerAddress } from "../../../kv/redirects/former_addresses.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { testContext } from "../../support/harness/context.ts";

Deno.test("a site keeps no more former addresses than it may, and those that it has are not counted twice", async () => {
  await using context = await testContext();
  const keep = async (room: AddressRoom, ...addresses: string[]) => {
    if (!await room.take(addresses)) return false;
    const operation = new Operation();
    for (const address of addresses) {
      stageFormerAddress(operation, address, { type: "document", id: "1", transfer: "1" });
    }
    await context.store.commit(operation);
    return true;
  };
  const room = new AddressRoom(context, 4);
  assertEquals(await keep(room, "/a/", "/b/"), true);
  assertEquals(await keep(room, "/c/"), true);
  // Another part of the same step.
  assertEquals(await keep(room, "/d/", "/e/"), false);
  assertEquals(await keep(room, "/a", "/c/", "/d/", "/d"), true);
  assertEquals(await keep(room, "/e/"), false);

  // The next step counts again: a second run of the same source has room.
  const next = new AddressRoom(context, 4);
  assertEquals(await keep(next, "/a/", "/b/", "/c/", "/d/"), true);
  assertEquals(await keep(next, "/e/"), false);
  // The home page is never a former address.
  assertEquals(await keep(next, "/"), true);
});
