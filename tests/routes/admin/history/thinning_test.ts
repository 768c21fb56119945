/**
 * Thinning: of a sitting that is a day old the first and the newest version stay, and what was public or has
 * a name. What the past looked like in between is not known any more, and no answer pretends it is.
 */
import type { VersionRow } from "../../../../kv/versioning/entities.ts";
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import { addAnyJob } from "../../../support/harness/any_job.ts";
import {
  type Admin,
  download,
  importTarball,
  setUpAdmin,
  signIn,
} from "../../../support/sites/backups.ts";
import { assertRefused, type Headless, headless, titles } from "../../../support/sites/headless.ts";
import { typeTitle } from "../../../support/harness/live_typing.ts";
import { tableLines, takeInstant } from "../../../../kv/backup/rows.ts";
import { versionPrefix } from "../../../../kv/keys.ts";
import { Operation } from "../../../../kv/store/operation.ts";
import { type Answer, type TestApp, testApp } from "../../../support/sites/app.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const ADA = "01KT1GW6G0000000000000ADA0";
const BEN = "01KT1GW6G0000000000000BEN0";

/** A draft into which Ada has typed twenty titles, one a minute, as versions 2 to 21. */
async function typed() {
  const test = await headless([{ name: "rating", type: "number", indexed: true }]);
  await test.setUp();
  const { id } = await test.post({ title: "Start" });
  const start = Math.floor(test.context.now() / 1000);
  for (let n = 1; n <= 20; n++) {
    test.context.advance(MINUTE_MS);
    await typeTitle({ context: test.context, content: test.deps.content }, id, ADA, `Title ${n}`);
  }
  return { test, id, start };
}

const admins = new WeakMap<TestApp, Admin>();

/** Asks the admin API, signed in again when the session has ended by now. */
async function ask(test: TestApp, method: string, path: string, body?: Json): Promise<Answer> {
  for (let isFirst = true;; isFirst = false) {
    const admin = isFirst && admins.get(test) || await signIn(test);
    admins.set(test, admin);
    const answer = await admin.ask(method, path, body);
    if (answer.status === 401 && isFirst) continue;
    assert(answer.status < 300, `${method} ${path}: ${answer.text}`);
    return answer;
  }
}

/** Runs PRUNE to its end; answers how many versions it has removed. */
async function prune(test: TestApp): Promise<number> {
  const { context, runner } = test;
  const operation = new Operation();
  const id = addAnyJob(operation, context, { type: "PRUNE", payload: {} });
  await context.store.commit(operation);
  await runner.drain();
  const { json } = await ask(test, "GET", `/jobs/${id}`);
  assertEquals([json.state, json.error], ["done", null]);
  return json.result.prune.removed;
}

// deno-lint-ignore no-explicit-any
async function versions(test: TestApp, id: string, query = ""): Promise<any> {
  const { status, json, text } = await ask(
    test,
    "GET",
    `/versions/document/${id}?perPage=100${query}`,
  );
  assertEquals(status, 200, text);
  return json;
}

const numbersOf = ({ data }: { data: { version_number: number }[] }) =>
  data.map(({ version_number }) => version_number);

Deno.test("PRUNE keeps the first and the newest version of an edit session that is a day old", async () => {
  const { test, id } = await typed();
  await using _closed = test;

  assertEquals(await prune(test), 0, "none of it is a day old");
  test.context.advance(DAY_MS - 20 * MINUTE_MS + 9 * MINUTE_MS);
  assertEquals(await prune(test), 8, "versions 3 to 10 are a day old");
  assertEquals(numbersOf(await versions(test, id)), [
    ...Array.from({ length: 11 }, (_, n) => 21 - n),
    2,
    1,
  ]);
  test.context.advance(DAY_MS);
  assertEquals([await prune(test), await prune(test)], [10, 0]);

  const all = await versions(test, id);
  assertEquals([numbersOf(all), all.meta.total], [[21, 2, 1], 3]);
  for (const [page, numbers] of [[1, [21, 2]], [2, [1]], [3, []]] as const) {
    const { json } = await ask(test, "GET", `/versions/document/${id}?perPage=2&page=${page}`);
    assertEquals([numbersOf(json), json.meta], [[...numbers], { page, perPage: 2, total: 3 }]);
  }
  const { data, meta } = await versions(test, id, "&group=sitting");
  const shown = data.map((one: Record<string, Json>) => [one.version_number, one.count, one.since]);
  assertEquals(meta.total, 2, "first and newest are a sitting still, twenty minutes apart");
  assertEquals(shown[0].slice(0, 2), [21, 2]);
  const diff = await ask(test, "GET", `/versions/${all.data[0].id}/diff`);
  assertEquals([diff.json.from.version_number, diff.json.to.version_number], [2, 21]);
  const list = await test.v1("GET", `/posts/${id}/versions`);
  assertEquals(list.json.data.map((one: { version: number }) => one.version), [21, 2, 1]);
  assertRefused(await test.v1("GET", `/posts/${id}/versions/9`), 404, "NOT_FOUND");
  assertEquals((await test.v1("GET", `/posts/${id}/versions/2`)).json.title, "Title 1");
});

/** Asks for everything at an instant: what the document was, in single reads and in lists. */
async function seenAt(test: Headless, id: string, at: number): Promise<Json> {
  const single = await test.v1("GET", `/posts/${id}?at=${at}`);
  const list = await test.v1("GET", `/posts?at=${at}`);
  const { json } = await ask(test, "GET", `/state-at?timestamp=${at}`);
  const { count, complete = true } = json.entities.document;
  const one = single.status === 200 ? single.json.title : single.json.error.code;
  const incomplete = list.json.meta.incomplete ?? false;
  return [one, titles(list), incomplete, count, complete, json.complete ?? true];
}

Deno.test("every second before and after thinned versions is exact, and those between say that they are not", async () => {
  const { test, id, start } = await typed();
  await using _closed = test;
  test.context.advance(2 * DAY_MS);
  await prune(test);

  const exact = (title: string) => [title, title, false, 1, true, true];
  const gone = ["VERSION_PRUNED", "", true, 1, false, false];
  assertEquals(await seenAt(test, id, start - 1), ["NOT_FOUND", "", false, 0, true, true]);
  assertEquals(await seenAt(test, id, start + 59), exact("Start"));
  assertEquals(await seenAt(test, id, start + 60), exact("Title 1"));
  assertEquals(await seenAt(test, id, start + 119), exact("Title 1"));
  assertEquals(await seenAt(test, id, start + 120), gone);
  assertEquals(await seenAt(test, id, start + 1199), gone);
  assertEquals(await seenAt(test, id, start + 1200), exact("Title 20"));
  const lost = await ask(test, "POST", "/restore", { timestamp: start + 600 });
  await test.runner.drain();
  const job = await ask(test, "GET", `/jobs/${lost.json.jobId}`);
  assertEquals(job.json.state, "done");
  assertEquals((await test.v1("GET", `/posts/${id}`)).json.title, "Title 20");
  await ask(test, "POST", "/restore", { timestamp: start + 119 });
  await test.runner.drain();
  assertEquals((await test.v1("GET", `/posts/${id}`)).json.title, "Title 1");
});

Deno.test("a named version inside an edit session stays, without the others around it", async () => {
  const { test, id } = await typed();
  await using _closed = test;
  const named = (await versions(test, id)).data.find((one: { version_number: number }) =>
    one.version_number === 10
  );
  await ask(test, "PATCH", `/versions/${named.id}`, { name: "For review" });
  test.context.advance(2 * DAY_MS);

  await prune(test);
  assertEquals(numbersOf(await versions(test, id)), [21, 10, 2, 1]);
  const grouped = await versions(test, id, "&group=sitting");
  assertEquals(grouped.data.map((one: Record<string, Json>) => [one.version_number, one.count]), [
    [21, 3],
    [1, 1],
  ]);
  await ask(test, "PATCH", "/settings", { "versions.keep.document": 1 });
  for (const by of [BEN, ADA]) {
    await typeTitle({ context: test.context, content: test.deps.content }, id, by, by);
  }
  await prune(test);
  assertEquals(numbersOf(await versions(test, id)), [23, 10]);
  await ask(test, "PATCH", `/versions/${named.id}`, { name: null });
  await prune(test);
  assertEquals(numbersOf(await versions(test, id)), [23]);
});

Deno.test("published versions are marked and stay", async () => {
  const test = await headless([{ name: "rating", type: "number" }]);
  await using _closed = test;
  await test.setUp();
  const { id } = await test.post({ title: "One", status: "published" });
  const path = `/posts/${id}`;
  await test.v1("PATCH", path, { body: { rating: 2 } });
  await ask(test, "POST", `/documents/${id}/unpublish`);
  await test.v1("PATCH", path, { body: { rating: 3 } });
  await ask(test, "POST", `/documents/${id}/publish`);
  await ask(test, "POST", `/documents/${id}/unpublish`);
  const [, published] = (await versions(test, id)).data;
  await ask(test, "POST", `/versions/${published.id}/restore`);
  await ask(test, "PATCH", `/documents/${id}/working-copy`, { title: "Two" });
  const { json: release } = await ask(test, "POST", "/releases", { name: "Spring" });
  await ask(test, "PUT", `/releases/${release.id}/documents/${id}`, { action: "publish" });
  await ask(test, "POST", `/releases/${release.id}/publish`);
  await test.runner.drain();
  await ask(test, "POST", `/documents/${id}/unpublish`);
  await test.v1("PATCH", path, { body: { title: "Three" } });
  const publishAt = Math.floor(test.context.now() / 1000) + 60;
  await ask(test, "POST", `/documents/${id}/schedule`, { publishAt });
  test.context.advance(MINUTE_MS * 2);
  await test.runner.drain();

  const { data, meta } = await versions(test, id, "&group=sitting");
  const marks = data.map((
    one: Record<string, Json>,
  ) => [one.version_number, one.published ?? false]);
  const title = (await test.v1("GET", path)).json.title;
  assertEquals([title, marks.filter(([, is]: Json[]) => is).map(([n]: Json[]) => n)], [
    "Three",
    [13, 9, 7, 5, 2, 1],
  ]);
  const { store } = test.context;
  const forgotten = new Operation();
  const rows = await store.listAll<VersionRow>({ prefix: versionPrefix("document", id) });
  for (const { key, value } of rows) {
    const { published: _published, ...row } = value!;
    forgotten.set(key, row);
  }
  await store.commit(forgotten);
  const told = await versions(test, id, "&group=sitting");
  assertEquals(told, { data, meta }, "of older versions their states tell");
  await ask(test, "PATCH", "/settings", { "versions.keep.document": 1 });
  await prune(test);
  assertEquals(numbersOf(await versions(test, id)), [13, 9, 7, 5, 2, 1]);
});

Deno.test("a back-up brings thinned histories along as they are", async () => {
  const { test, id, start } = await typed();
  await using _closed = test;
  test.context.advance(2 * DAY_MS);
  await prune(test);
  const instants = [59, 60, 119, 120, 1199, 1200].map((seconds) => start + seconds);
  const before = await Promise.all(instants.map((at) => seenAt(test, id, at)));
  const history = [await versions(test, id), await versions(test, id, "&group=sitting")];
  const tarball = await download(test, await signIn(test));
  for (const target of [test, await headlessCopy(test)]) {
    const job = await importTarball(target, await signIn(target), tarball);
    assertEquals([job.state, job.error], ["done", null]);
    assertEquals(
      [await versions(target, id), await versions(target, id, "&group=sitting")],
      history,
    );
    assertEquals(await Promise.all(instants.map((at) => seenAt(target, id, at))), before);
    assertEquals(await prune(target), 0);
    if (target !== test) await target[Symbol.asyncDispose]();
  }
});

/** An empty site at the same time. */
async function headlessCopy(test: Headless): Promise<Headless> {
  const app = await testApp();
  app.context.advance(test.context.now() - app.context.now());
  await setUpAdmin(app);
  return { ...test, ...app, [Symbol.asyncDispose]: app[Symbol.asyncDispose] };
}

Deno.test("a backup that is continued anywhere reports the same gaps", async () => {
  const { test, id } = await typed();
  await using _closed = test;
  const named = (await versions(test, id)).data[8];
  await ask(test, "PATCH", `/versions/${named.id}`, { name: "For review" });
  test.context.advance(2 * DAY_MS);
  await prune(test);
  const instant = await takeInstant(test.context);
  const linesFrom = async (after: (string | number)[] | null) => {
    const rows = tableLines(test.context, "document", instant, { redacted: false, after });
    const lines: { key: (string | number)[]; text: string }[] = [];
    for await (const { line, key } of rows) {
      lines.push({ key, text: new TextDecoder().decode(line) });
    }
    return lines;
  };

  const whole = await linesFrom(null);
  const gaps = whole.map(({ text }) => JSON.parse(text).gap?.first ?? null);
  assertEquals(gaps, [null, null, 3, 14]);
  for (const [position, { key }] of whole.entries()) {
    assertEquals(await linesFrom(key), whole.slice(position + 1));
  }
});

Deno.test("PRUNE goes through a history again when it has changed, or was imported", async () => {
  const { test, id } = await typed();
  await using _closed = test;
  test.context.advance(2 * DAY_MS);
  const { store } = test.context;
  const list = store.list.bind(store);
  let walks = 0;
  store.list = (range, options) => {
    if ("prefix" in range && `${range.prefix}` === `${versionPrefix("document", id)}`) walks += 1;
    return list(range, options);
  };
  const walked = async () => {
    walks = 0;
    return [await prune(test), walks];
  };

  const whole = await download(test, await signIn(test));
  assertEquals(await walked(), [18, 1]);
  assertEquals(await walked(), [0, 0]);
  await test.v1("PATCH", `/posts/${id}`, { body: { rating: 1 } });
  assertEquals(await walked(), [0, 1]);
  assertEquals((await importTarball(test, await signIn(test), whole)).state, "done");
  assertEquals(await walked(), [18, 1]);
});
