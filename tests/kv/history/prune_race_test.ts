/**
 * A prune at any moment of somebody else's reading or restoring: between any two calls of the store and
 * of the objects. What was pruned is not found; whatever is answered is whole.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import type { Context } from "../../../kv/context.ts";
import { createDocument, patchDocument } from "../../../kv/documents/documents.ts";
import { type CurrentRow, readHead } from "../../../kv/versioning/entities.ts";
import { pruneEntity } from "../../../kv/history/prune.ts";
import { restoreVersion } from "../../../kv/history/restore/restore_version.ts";
import { siteAt } from "../../../kv/history/state_at.ts";
import { Timeline } from "../../../kv/history/timeline/timeline.ts";
import { diffVersions } from "../../../kv/history/version_diff.ts";
import { readNotes } from "../../../kv/versioning/version_notes.ts";
import {
  getVersion,
  getVersionRow,
  listVersions,
  nameVersion,
} from "../../../kv/versioning/versions.ts";
import { currentKey } from "../../../kv/keys.ts";
import { parseCollection } from "../../../kv/model/input/collection_input.ts";
import { UNATTENDED } from "../../../kv/model/entities/entity.ts";
import { AccessSource } from "../../../kv/people/access.ts";
import { Refusal } from "../../../kv/refusals.ts";
import { createCollection } from "../../../kv/schema/collections.ts";
import { Store } from "../../../kv/store/store.ts";
import { testContext } from "../../support/harness/context.ts";
import { type Fault, FaultyObjects } from "../../support/stores/faulty_objects.ts";
import { HookedDriver } from "../../support/stores/hooked_driver.ts";
import { contentOf } from "../../support/harness/simulated_site.ts";

const LARGE = "long ".repeat(50_000);
const POSTS = {
  slug: "posts",
  name: "Posts",
  fields: [{ name: "body", label: "Body", type: "text" }],
};

interface Fixture {
  /** Surroundings in which a prune happens before call `at`. */
  context: Context;
  /** The same without one. */
  calm: Context;
  id: string;
  /** A version that will be pruned, with a spilled state. */
  versionId: string;
  newestId: string;
}

/** Runs `work` once for each of its calls, with a prune just before that call. */
async function atEveryCall(work: (fixture: Fixture) => Promise<void>): Promise<number> {
  for (let at = 1;; at++) {
    await using plain = await testContext();
    const content = contentOf(plain);
    await createCollection(content, UNATTENDED, parseCollection(POSTS));
    const { state: { id } } = await createDocument(content, UNATTENDED, "posts", { title: "One" });
    for (const title of ["Two", "Three"]) {
      await patchDocument(content, UNATTENDED, id, { title, body: LARGE });
    }
    const { versions } = await listVersions(plain, "document", id, { skip: 0, limit: 9 });
    let calls = 0;
    let pruned = false;
    // This makes the former current version surplus, too.
    const prune = async () => {
      pruned = true;
      await patchDocument(content, UNATTENDED, id, { title: "Four", body: `${LARGE} and more` });
      const { value } = await plain.store.get<CurrentRow>(currentKey("document", id));
      await pruneEntity(plain, [], "document", { id, current: value!, keep: 1 });
    };
    const look = async () => {
      if (++calls === at) await prune();
    };
    const hooked = new HookedDriver(plain.store.driver);
    hooked.hook = async (_n, when) => when === "before" ? await look() : undefined;
    const objects = new FaultyObjects(plain.objects, async (): Promise<Fault> => {
      await look();
      return "none";
    });
    const context = { ...plain, store: new Store(hooked), objects };
    const [newest, older] = versions.map((version) => version.id) as [string, string];
    await work({ context, calm: plain, id, versionId: older, newestId: newest });
    if (!pruned) return at;
  }
}

/** What came of a call: its answer, or the code of its refusal. */
async function outcome<T>(work: Promise<T>): Promise<T | string> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.code;
  }
}

Deno.test("restoreVersion() concurrent with a prune restores the whole version, or finds none", async () => {
  const seen = new Set<string>();
  const calls = await atEveryCall(async ({ context, calm, id, versionId }) => {
    const restoring = { content: contentOf(context), access: new AccessSource(context) };
    const found = await outcome(restoreVersion(restoring, UNATTENDED, versionId));

    const live = await readHead(calm, "document", id, currentKey("document", id));
    if (typeof found === "string") {
      assertEquals(found, "NOT_FOUND");
      assertEquals(live.state?.title, "Four");
    } else {
      assertEquals(found.state?.title, "Two");
      assertEquals(JSON.stringify(live.state).includes(LARGE), true);
    }
    seen.add(typeof found === "string" ? "refused" : "restored");
  });
  assert(calls > 8);
  assertEquals([...seen].sort(), ["refused", "restored"]);
});

Deno.test("getVersion(), diffVersions() and siteAt() concurrent with a prune return the whole version, or that it is gone", async () => {
  await atEveryCall(async ({ context, versionId, newestId }) => {
    const version = await outcome(getVersion(context, versionId));
    const diff = await outcome(diffVersions(context, newestId, versionId));
    const site = await siteAt(context, new Timeline(context.store), 4_000_000_000);

    if (typeof version === "string") assertEquals(version, "NOT_FOUND");
    else assertEquals(version.state?.title, "Two");
    if (typeof diff === "string") assertEquals(diff, "NOT_FOUND");
    else assertEquals(diff.changes.map(({ path }) => path), ["title"]);
    assertEquals(site.entities.document.count, 1);
  });
});

Deno.test("readHead() concurrent with writes and a prune reads the newest state, never a pruned one", async () => {
  await atEveryCall(async ({ context, id }) => {
    const { state } = await readHead(context, "document", id, currentKey("document", id));

    assert(["Three", "Four"].includes(state?.title as string));
  });
});

Deno.test("a version that is named at any moment of a prune keeps its name, or the naming finds none", async () => {
  const seen = new Set<string>();
  for (let at = 1, wasReached = true; wasReached; at++) {
    await using plain = await testContext();
    const content = contentOf(plain);
    await createCollection(content, UNATTENDED, parseCollection(POSTS));
    const { state: { id } } = await createDocument(content, UNATTENDED, "posts", { title: "One" });
    for (const title of ["Two", "Three", "Four"]) {
      await patchDocument(content, UNATTENDED, id, { title });
    }
    const { versions } = await listVersions(plain, "document", id, { skip: 0, limit: 9 });
    const { value: live } = await plain.store.get<CurrentRow>(currentKey("document", id));
    const hooked = new HookedDriver(plain.store.driver);
    wasReached = false;
    let named = "NOT_FOUND";
    hooked.hook = async (n, when) => {
      if (2 * n - (when === "before" ? 1 : 0) !== at) return;
      wasReached = true;
      const naming = getVersionRow(plain, versions[2]!.id)
        .then((found) => nameVersion(plain, found, "Second"));
      named = await outcome(naming.then(() => "Second"));
      seen.add(named);
    };
    const context = { ...plain, store: new Store(hooked) };
    await pruneEntity(context, [], "document", { id, current: live!, keep: 1 });

    const left = await listVersions(plain, "document", id, { skip: 0, limit: 9 });
    const found = left.versions.map(({ version_number, name }) => [version_number, name]);
    const { names } = await readNotes(plain, "document", id);
    const isNamed = named === "Second";
    assertEquals(found, isNamed ? [[4, undefined], [2, "Second"]] : [[4, undefined]]);
    assertEquals([...names], isNamed ? [[2, "Second"]] : []);
  }
  assertEquals([...seen].sort(), ["NOT_FOUND", "Second"]);
});
