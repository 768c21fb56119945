import { assert, assertEquals } from "@std/assert";
import { sessionKey } from "../../../kv/keys.ts";
import { secretHash } from "../../../kv/model/values/token_text.ts";
import {
  beginSession,
  endSession,
  findSession,
  listSessions,
  SESSION_SECONDS,
} from "../../../kv/people/sessions.ts";
import { testContext } from "../../support/harness/context.ts";
import { peopleOf, setUpSite, storeText } from "../../support/sites/people.ts";

async function site(context: Awaited<ReturnType<typeof testContext>>) {
  const people = peopleOf(context);
  const { userId } = await setUpSite(people);
  const user = (await people.access.current()).users.get(userId)!;
  return { people, user };
}

Deno.test("beginSession() stores the hash of the secret, not the secret", async () => {
  await using context = await testContext();
  const { user } = await site(context);
  const secret = await beginSession(context, user);

  const { value } = await context.store.get(sessionKey(secretHash(secret)));

  assertEquals((value as { userId: string }).userId, user.id);
  const stored = await storeText(context);
  assert(stored.includes("Ada@Example.org") && !stored.includes(secret));
});

Deno.test("listSessions() lists the sessions that may go on, newest first", async () => {
  await using context = await testContext();
  const { people, user } = await site(context);
  context.advance((SESSION_SECONDS - 60) * 1000);
  const second = await beginSession(context, user);
  context.advance(1_000);
  const third = await beginSession(context, user);
  const hashes = async () => (await listSessions(people, user.id)).map(({ hash }) => hash);

  assertEquals((await hashes()).length, 3);
  context.advance(60_000);
  assertEquals(await hashes(), [secretHash(third), secretHash(second)]);
  await endSession(context, user.id, secretHash(third));
  assertEquals(await hashes(), [secretHash(second)]);
  assertEquals(await listSessions(people, "nobody"), []);
});

Deno.test("findSession() does not bring a session back that ended while it was extended", async () => {
  await using context = await testContext();
  const { people, user } = await site(context);
  const secret = await beginSession(context, user);
  context.advance(600_000);
  const hash = secretHash(secret);
  const getMany = context.store.getMany.bind(context.store);
  context.store.getMany = async (keys) => {
    const entries = await getMany(keys);
    context.store.getMany = getMany;
    await endSession(context, user.id, hash);
    return entries;
  };

  const found = await findSession(people, secret);

  // It was live when it was read, and is gone for good.
  assertEquals([found?.hash, found?.extended], [hash, false]);
  assertEquals(await findSession(people, secret), null);
});
