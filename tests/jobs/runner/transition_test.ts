/**
 * The transitions of a job's record, one at a time, and the commit that carries them.
 *
 * @module
 */
import { assertEquals, assertThrows } from "@std/assert";
import { STEP_ATTEMPTS } from "../../../jobs/runner/backoff.ts";
import { isSuccessor } from "../../../jobs/runner/fenced_commit.ts";
import { again, finish, next } from "../../../jobs/runner/job_kind.ts";
import { advanced, claimed, failed, putRecord, released } from "../../../jobs/runner/transition.ts";
import { JOB_RESULTS_CHARS_MAX } from "../../../jobs/limits.ts";
import type { JobRecord } from "../../../kv/jobs/job.ts";
import { jobFailedKey } from "../../../kv/jobs/job_keys.ts";
import { keyText, Operation } from "../../../kv/store/operation.ts";
import { anyKind } from "../../support/harness/any_job.ts";

const HOLDER = { runnerId: "r", now: 2_000 };
const KIND = anyKind({ first: () => finish(), second: () => finish() });
const QUEUED: JobRecord = {
  id: "a",
  type: "SEED",
  class: "bulk",
  payload: null,
  state: "queued",
  step: null,
  cursor: null,
  results: {},
  attempts: 0,
  error: null,
  progress: { done: 0, total: 4 },
  dueAt: 1_000,
  holder: null,
  fence: { n: 5, by: "other" },
  createdAt: 1_000,
  updatedAt: 1_000,
};
const RUNNING: JobRecord = { ...QUEUED, state: "running", step: "first", holder: "r" };

Deno.test("claimed() shows the first step; a job of a process that disappeared has one attempt more, and ends with the last", () => {
  const own = claimed(QUEUED, KIND, HOLDER, false);
  assertEquals([own.state, own.step, own.holder, own.attempts, own.fence], [
    "running",
    "first",
    "r",
    0,
    { n: 6, by: "r" },
  ]);
  const over = claimed({ ...RUNNING, attempts: 1 }, KIND, HOLDER, true);
  assertEquals([over.state, over.attempts], ["running", 2]);
  const last = claimed({ ...RUNNING, attempts: STEP_ATTEMPTS - 1 }, KIND, HOLDER, true);
  assertEquals([last.state, last.attempts, last.holder], ["failed", STEP_ATTEMPTS, null]);
});

Deno.test("released() hands a record back as it is", () => {
  const { state, holder, step, attempts } = released({ ...RUNNING, attempts: 2 }, HOLDER);
  assertEquals([state, holder, step, attempts], ["queued", null, "first", 2]);
});

Deno.test("advanced() counts the attempts of the last step of a job that has ended", () => {
  const twice = { ...RUNNING, attempts: 2 };
  const finished = advanced(twice, KIND, finish(), HOLDER);
  assertEquals([finished.state, finished.attempts, finished.progress], [
    "done",
    3,
    { done: 4, total: 4 },
  ]);
  const failing = advanced(twice, KIND, { kind: "fail", reason: "x".repeat(600) }, HOLDER);
  assertEquals([failing.state, failing.attempts, failing.error?.length], ["failed", 3, 500]);
  const following = advanced(twice, KIND, next({ n: 1 }), HOLDER);
  assertEquals([following.state, following.step, following.attempts, following.results], [
    "running",
    "second",
    0,
    { first: { n: 1 } },
  ]);
  const last = advanced({ ...twice, step: "second" }, KIND, next({ n: 2 }), HOLDER);
  assertEquals([last.state, last.attempts, last.results], ["done", 3, { second: { n: 2 } }]);
  const onward = advanced(twice, KIND, again({ at: 1 }), HOLDER);
  assertEquals([onward.state, onward.step, onward.cursor, onward.attempts], [
    "running",
    "first",
    { at: 1 },
    0,
  ]);
});

Deno.test("advanced() refuses results that do not fit into a record", () => {
  const room = JOB_RESULTS_CHARS_MAX - JSON.stringify({ first: "" }).length;
  const fits = advanced(RUNNING, KIND, next("x".repeat(room)), HOLDER);
  assertEquals(JSON.stringify(fits.results).length, JOB_RESULTS_CHARS_MAX);
  assertThrows(() => advanced(RUNNING, KIND, next("x".repeat(room + 1)), HOLDER), RangeError);
});

Deno.test("failed() waits before the next attempt, or ends the job", () => {
  const waiting = failed(RUNNING, "No answer", HOLDER, { random: () => 0.5, final: false });
  assertEquals([waiting.state, waiting.attempts, waiting.holder], ["waiting", 1, null]);
  assertEquals(waiting.dueAt > HOLDER.now, true);
  const ended = failed(RUNNING, "No answer", HOLDER, { random: () => 0.5, final: true });
  assertEquals([ended.state, ended.attempts, ended.error], ["failed", 1, "No answer"]);
});

Deno.test("putRecord() lists failed jobs, and takes a named job that runs again off the list", () => {
  const key = keyText(jobFailedKey("a"));
  const listed = (before: JobRecord | null, after: JobRecord) => {
    const operation = new Operation();
    putRecord(operation, before, after);
    const [sets, deletes] = [operation.sets.map(({ key }) => key), operation.deletes];
    return [sets, deletes].map((keys) => keys.some((one) => keyText(one) === key));
  };
  assertEquals(listed(RUNNING, { ...RUNNING, state: "failed", holder: null }), [true, false]);
  assertEquals(listed(RUNNING, { ...RUNNING, state: "done", holder: null }), [false, false]);
  assertEquals(listed(null, QUEUED), [false, false]);
  assertEquals(listed(null, { ...QUEUED, name: "only" }), [false, true]);
});

Deno.test("isSuccessor() knows the own commit by its number and its runner", () => {
  const after = { ...RUNNING, fence: { n: 6, by: "r" } };
  assertEquals(isSuccessor(after, after), true);
  assertEquals(isSuccessor({ ...after, fence: { n: 6, by: "other" } }, after), false);
  assertEquals(isSuccessor({ ...after, fence: { n: 7, by: "r" } }, after), false);
  assertEquals(isSuccessor(null, after), false);
});
