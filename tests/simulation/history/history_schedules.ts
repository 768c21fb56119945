/**
 * What must hold of scheduled documents once all jobs have run: no time that has passed is still awaited.
 *
 * @module
 */
import type { DocumentState } from "../../../kv/model/entities/document.ts";
import { assert } from "../../support/harness/assert.ts";
import type { HistoryFixture } from "./history_fixture.ts";

/** Runs all jobs; then no document is public after its end, or scheduled for a time that has passed. */
export async function checkSchedules(fixture: HistoryFixture): Promise<void> {
  await fixture.settle();
  for (const past of fixture.pasts("document")) {
    const state = fixture.model.newest(past).state as unknown as DocumentState | null;
    if (state === null) continue;
    const { status, publishAt, unpublishAt } = state;
    const isLate = status === "scheduled" && publishAt !== null && publishAt <= fixture.now;
    assert(!isLate, `${past.id} is scheduled for ${publishAt}, and it is ${fixture.now}`);
    const isOver = status === "published" && (unpublishAt ?? Infinity) <= fixture.now;
    assert(!isOver, `${past.id} is public after its end at ${unpublishAt}`);
    const summaries = past.versions.map(({ summary }) => summary ?? "");
    for (const summary of summaries) {
      if (/ on schedule/.test(summary)) fixture.count("kept schedules");
      if (summary.includes("already ended")) fixture.count("times due together");
    }
  }
}
