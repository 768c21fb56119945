import { assertEquals } from "@std/assert";
import { KnownHeads } from "../../../kv/versioning/known_heads.ts";
import { listVersions } from "../../../kv/versioning/versions.ts";
import { currentPrefix, groupKeys } from "../../../kv/keys.ts";
import { UNATTENDED } from "../../../kv/model/entities/entity.ts";
import { Settings } from "../../../kv/sources/settings.ts";
import { versionedWrite } from "../../../kv/versioning/versioned_write.ts";
import { testContext } from "../../support/harness/context.ts";

Deno.test("KnownHeads: a known group is not read again, and each caller gets its own copy of the state", async () => {
  await using context = await testContext();
  const settings = new Settings(context);
  await settings.patch(UNATTENDED, { "site.title": "One" });
  const heads = new KnownHeads();
  const [[id, state]] = [...await heads.read(context, "setting")] as [[string, object]];

  const found = heads.find("setting", id)!;
  Object.assign(found.state!, { value: "mine" });
  const { reads } = context.store.counts;
  const n = await versionedWrite(context, UNATTENDED, async (transaction) => {
    await transaction.get(groupKeys.settings);
    transaction.know(heads);
    return (await transaction.head("setting", id)).row!.n;
  });

  assertEquals([n, context.store.counts.reads - reads], [1, 1]);
  assertEquals(heads.find("setting", id)!.state, state as never);
  assertEquals(heads.find("setting", "another"), undefined);
});

Deno.test("KnownHeads: nothing is lost where several processes change the same entities", async () => {
  await using context = await testContext();
  const first = { "site.title": "First", "site.description": "First" };
  await new Settings(context).patch(UNATTENDED, first);
  const processes = [1, 2, 3].map(() => new Settings(context));

  for (let round = 0; round < 8; round++) {
    const changes = processes.map((process, n) =>
      process.patch(UNATTENDED, {
        "site.title": `${round}.${n}`,
        "site.description": `${round}.${n}`,
      })
    );
    await Promise.all(changes);
  }

  const entries = await context.store.listAll({ prefix: currentPrefix("setting") });
  assertEquals(entries.length, 2);
  for (const { key } of entries) {
    const page = { skip: 0, limit: 99 };
    const { versions, total } = await listVersions(context, "setting", key[2] as string, page);
    const numbers = versions.map(({ version_number }) => version_number);
    assertEquals(numbers, numbers.map((_n, index) => numbers.length - index));
    assertEquals(total, 25);
  }
});
