/** Parts of a release that cannot be undone. */
import { assertEquals } from "@std/assert";
import type { Content } from "../../../kv/documents/content.ts";
import { UNATTENDED } from "../../../kv/model/entities/entity.ts";
import { readParts, type ReleasePart, stageParts } from "../../../kv/releases/release_parts.ts";
import { leaveParts } from "../../../kv/releases/release_step.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { testContext } from "../../support/harness/context.ts";

Deno.test("leaveParts() says of what was done, and not undone, why it stays", async () => {
  await using context = await testContext();
  const part: ReleasePart = {
    collectionId: "C",
    action: "publish",
    title: "T",
    n: 1,
    turn: 0,
    ring: [],
  };
  const outcome = { before: 1, after: 2 };
  const undone = { before: 2, after: 3 };
  const operation = new Operation();
  stageParts(operation, "J", [
    { ...part, id: "done", outcome },
    { ...part, id: "undone", outcome, undone },
    { ...part, id: "waiting" },
  ]);
  await context.store.commit(operation);
  const run = {
    content: { context } as unknown as Content,
    jobId: "J",
    releaseId: "R",
    actor: UNATTENDED,
    time: null,
    class: "bulk" as const,
  };
  await leaveParts(run, ["done", "undone", "waiting", "gone"], "its slug is taken");
  const parts = await readParts(context, "J");
  assertEquals(parts.map(({ id, outcome, undone }) => [id, outcome, undone]), [
    ["done", outcome, { before: 2, after: 2, left: "its slug is taken" }],
    ["undone", outcome, undone],
    ["waiting", undefined, undefined],
  ]);
});
