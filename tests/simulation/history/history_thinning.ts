/**
 * Sittings and their thinning: somebody types, a version gets a name, and what a prune leaves is what a naive
 * reading of the whole history says.
 *
 * @module
 */
import type { Json, State } from "../../../kv/model/entities/entity.ts";
import { assert, assertEquals } from "../../support/harness/assert.ts";
import type { Past, PastVersion } from "../../support/harness/history_model.ts";
import { typeTitle } from "../../support/harness/live_typing.ts";
import type { HistoryFixture } from "./history_fixture.ts";

const DAY_SECONDS = 86_400;
const OTHER = "01KT1GW6G0000000000000BEN0";

/** A user types into a document for a while, with pauses. */
export async function typeSome(fixture: HistoryFixture): Promise<void> {
  const open = fixture.pasts("document").filter((past) =>
    ["draft", "published"].includes(fixture.model.newest(past).state?.status as string)
  );
  if (open.length === 0) return;
  const { id } = fixture.one(open);
  const by = fixture.chance(0.8) ? fixture.userId : OTHER;
  for (let count = 2 + fixture.number(7); count > 0; count--) {
    fixture.pass(fixture.one([0, 1, 60, 250, 599, 600]));
    await typeTitle(fixture, id, by, `typed ${fixture.number(1_000)}`);
  }
  fixture.count("typed");
}

/** Names a version, or takes its name away. */
export async function nameOne(fixture: HistoryFixture): Promise<void> {
  const documents = fixture.pasts("document");
  if (documents.length === 0) return;
  const { vid } = fixture.one(await fixture.model.kept(fixture.one(documents)));
  const name = fixture.chance(0.7) ? `name ${fixture.number(9)}` : null;
  const { status, text } = await fixture.ask("PATCH", `/versions/${vid}`, { name });
  assertEquals(status, 200, text);
}

/** Prunes, perhaps a day later, and compares what is left of the documents. */
export async function pruneDocuments(
  fixture: HistoryFixture,
  keep: number,
  prune: () => Promise<void>,
): Promise<void> {
  if (fixture.chance(0.5)) fixture.pass(DAY_SECONDS);
  // What is due makes no version behind our back.
  await fixture.settle();
  const before = new Map<Past, PastVersion[]>();
  for (const past of fixture.pasts("document")) before.set(past, await fixture.model.kept(past));
  const { now } = fixture;
  await prune();
  for (const [past, kept] of before) {
    const expected = naivelyKept(past, kept, {
      keep,
      now,
      named: await namesOf(fixture, past),
    });
    const left = (await fixture.model.kept(past)).map(({ n }) => n);
    assertEquals([past.id, left], [past.id, expected]);
    if (left.some((n, place) => place > 0 && n > left[place - 1]! + 1)) fixture.count("gaps");
    if (past.versions.some((one) => one.n < left[0]!)) fixture.count("cut off");
  }
}

/** The names of the versions that are left; a prune leaves all of them, as far as they count. */
async function namesOf(fixture: HistoryFixture, { id }: Past): Promise<ReadonlySet<number>> {
  const { json } = await fixture.ask("GET", `/versions/document/${id}?perPage=100`);
  const named = json.data.filter(({ name }: Record<string, Json>) => name !== undefined);
  return new Set(named.map(({ version_number }: { version_number: number }) => version_number));
}

/** What of the versions that were kept a prune leaves. */
function naivelyKept(
  past: Past,
  kept: readonly PastVersion[],
  { keep, now, named }: { keep: number; now: number; named: ReadonlySet<number> },
): number[] {
  const sittings = sittingsOf(past);
  const left: number[] = [];
  let count = 0;
  for (const sitting of [...new Set(kept.map(({ n }) => sittings.get(n)!))].reverse()) {
    const own = kept.filter(({ n }) => sittings.get(n) === sitting);
    const lasting = own.filter(({ n }) => named.has(n) || isPublication(past, n));
    if (count < keep) {
      const shown = own.filter((one, place) =>
        place === 0 || place === own.length - 1 || one.at > now - DAY_SECONDS
      );
      left.push(...own.filter((one) => shown.includes(one) || lasting.includes(one)).map(numberOf));
    } else if (lasting.length > 0 && count < 10 * keep) left.push(...lasting.map(numberOf));
    else continue;
    count += 1;
  }
  return left.sort((a, b) => a - b);
}

const numberOf = ({ n }: PastVersion) => n;

/** In which sitting every version was made, although most may be gone by now. */
function sittingsOf({ versions }: Past): Map<number, number> {
  const sittings = new Map<number, number>();
  let sitting = 0;
  for (const [place, { n, at, by, summary }] of versions.entries()) {
    const before = versions[place - 1];
    const mayContinue = before !== undefined && summary === "Edited live" &&
      before.summary === summary &&
      by !== null && before.by === by && at - before.at < 600;
    if (!mayContinue) sitting += 1;
    sittings.set(n, sitting);
  }
  return sittings;
}

/** Whether what the public saw was another with a version. */
function isPublication({ versions }: Past, n: number): boolean {
  const seen = (state: State | null | undefined) => {
    if (state?.status !== "published") return null;
    return JSON.stringify([state.title, state.slug, sorted(state.data!), state.blocks]);
  };
  const is = seen(versions[n - 1]!.state);
  return is !== null && is !== seen(versions[n - 2]?.state);
}

function sorted(data: Json): Json {
  return Object.entries(data as Record<string, Json>).sort(([a], [b]) => a < b ? -1 : 1);
}

/** The sittings of a document and the marks of what was public, as the API tells them. */
export async function checkEditSessions(fixture: HistoryFixture, past: Past): Promise<void> {
  const kept = (await fixture.model.kept(past)).toReversed();
  const path = `/versions/document/${past.id}?perPage=100`;
  const { json } = await fixture.ask("GET", path);
  assertEquals(
    json.data.map((one: Record<string, Json>) => one.version_number),
    kept.slice(0, 100).map(numberOf),
  );
  const sittings = sittingsOf(past);
  const expected = [...new Set(kept.map(({ n }) => sittings.get(n)!))].map((sitting) => {
    const own = kept.filter(({ n }) => sittings.get(n) === sitting);
    return [own[0]!.n, own.length, own.at(-1)!.at, isPublication(past, own[0]!.n)];
  });
  const grouped = await fixture.ask("GET", `${path}&group=sitting`);
  assertEquals(
    grouped.json.data.map((
      one: Record<string, Json>,
    ) => [one.version_number, one.count, one.since, one.published ?? false]),
    expected.slice(0, 100),
  );
  const [page, perPage] = [1 + fixture.number(4), 1 + fixture.number(4)];
  const some = await fixture.ask(
    "GET",
    `/versions/document/${past.id}?perPage=${perPage}&page=${page}`,
  );
  assertEquals(
    [
      some.json.meta.total,
      some.json.data.map((one: Record<string, Json>) => one.version_number),
    ],
    [kept.length, kept.slice((page - 1) * perPage, page * perPage).map(numberOf)],
  );
  assert(kept.length > 0);
}
