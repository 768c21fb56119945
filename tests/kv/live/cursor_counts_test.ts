/**
 * What the cursors of others cost: calls of the store and messages while two users move in one document, compared with
 * the same users who stand still. They are counts of simulated processes, and may only go down.
 */
import { createDocument } from "../../../kv/documents/documents.ts";
import type { Editor } from "../../../kv/live/editor.ts";
import { LiveHub } from "../../../kv/live/hub.ts";
import { UNATTENDED } from "../../../kv/model/entities/entity.ts";
import { parseCollection } from "../../../kv/model/input/collection_input.ts";
import { createCollection } from "../../../kv/schema/collections.ts";
import { ReleaseSource } from "../../../kv/versioning/open_releases.ts";
import { assertEquals } from "../../support/harness/assert.ts";
import { Harness } from "../../support/harness/harness.ts";
import { SimulatedKv } from "../../support/harness/simulated_kv.ts";
import { Outside, simulatedSite } from "../../support/harness/simulated_site.ts";

const SECONDS = 60;
/** The browser sends a position at most four times per second. */
const MOVES_PER_SECOND = 4;

/** Per second: commits, other calls of the store, messages to both browsers, and bytes of each. */
interface Costs {
  commits: number;
  reads: number;
  messages: number;
  bytesMax: number;
}

async function costs(processes: 1 | 2, movesPerSecond: number): Promise<Costs> {
  const harness = new Harness(1);
  const kv = new SimulatedKv();
  const outside = new Outside();
  const { content } = simulatedSite(harness, kv, outside);
  const fields = [{ name: "body", type: "rich_text" }];
  const input = parseCollection({ slug: "notes", name: "Notes", fields });
  await harness.run(createCollection(content, UNATTENDED, input));
  const { state: { id } } = await harness.run(
    createDocument(content, UNATTENDED, "notes", { title: "One" }),
  );
  let calls = 0;
  const hubs = Array.from({ length: processes }, () => {
    const site = simulatedSite(harness, kv, outside, {
      plan: () => {
        calls++;
        return "none";
      },
    });
    const releases = new ReleaseSource(site.content.context);
    return new LiveHub(site.content, { clock: site.process, releases });
  });
  let messages = 0;
  let bytesMax = 0;
  const connections = await harness.run(Promise.all(["ada", "bea"].map((name, index) => {
    const editor: Editor = {
      id: name,
      userId: name,
      displayName: "Ada Lovelace",
      client: name,
      path: null,
      draftsOnly: false,
      send: (message) => {
        messages++;
        bytesMax = Math.max(bytesMax, JSON.stringify(message).length);
      },
      end: () => {},
    };
    return hubs[index % processes]!.join(id, editor);
  })));
  await harness.pass(5_000);
  const before = { calls, commits: kv.commits };
  messages = 0;
  bytesMax = 0;
  const steps = SECONDS * Math.max(1, movesPerSecond);
  for (let step = 0; step < steps; step++) {
    for (const { receive } of movesPerSecond === 0 ? [] : connections) {
      const place = { key: "9a8b7c6d5e4f", offset: step };
      const selection = { anchor: place, head: place };
      receive(JSON.stringify({ type: "presence", path: "body", selection }));
    }
    await harness.pass(SECONDS * 1_000 / steps);
  }
  const commits = kv.commits - before.commits;
  const reads = calls - before.calls - commits;
  const found = { commits, reads, messages, bytesMax };
  await harness.run(Promise.all(connections.map((one) => one.leave())));
  const perSecond = (count: number) => Math.round(count / SECONDS * 10) / 10;
  return {
    commits: perSecond(found.commits),
    reads: perSecond(found.reads),
    messages: perSecond(found.messages),
    bytesMax: found.bytesMax,
  };
}

Deno.test("cursors of two users cost a commit per second and process, and a message per move", async () => {
  const still = [await costs(1, 0), await costs(2, 0)];
  const moving = [await costs(1, MOVES_PER_SECOND), await costs(2, MOVES_PER_SECOND)];
  assertEquals(still, [
    { commits: 0.1, reads: 1.1, messages: 0, bytesMax: 0 },
    { commits: 0.1, reads: 2.2, messages: 0, bytesMax: 0 },
  ]);
  // Both in one process, and in two processes, which hear of each other when they look.
  assertEquals(moving, [
    { commits: 1.1, reads: 2, messages: 8, bytesMax: 389 },
    { commits: 2.1, reads: 4, messages: 1.9, bytesMax: 389 },
  ]);
});
