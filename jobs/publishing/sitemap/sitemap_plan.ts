/**
 * What a run of the sitemap's job sees to: the parts that have changed, with those that they have to join, as they
 * are divided by now.
 *
 * @module
 */
import { siteEntryKey, siteEntryPrefix } from "../../../kv/pages/page_keys.ts";
import type { SiteEntry } from "../../../kv/pages/site_entries.ts";
import type { Store } from "../../../kv/store/store.ts";
import type { Range } from "../../../kv/store/driver.ts";
import { PART_LINES_MAX } from "../../limits.ts";
import type { SitemapEntry } from "../../render/feeds/sitemap.ts";
import {
  type KnownSitemap,
  linesOf,
  type Part,
  placeOf,
  readRuns,
  type Run,
} from "./sitemap_groups.ts";
import { beginsPart, dividedIntoParts } from "./sitemap_parts.ts";

/** Parts rendered at a time. */
const PARTS_AT_ONCE = 8;

/** A line of the sitemap. */
export interface Line extends SitemapEntry {
  id: string;
}

/** A part of which the lines may have been read. */
export interface ReadPart extends Part {
  read?: { lines: Line[]; isWhole: boolean };
}

/** Parts that lie together and are divided again. */
interface Span {
  from: number;
  to: number;
  lines: Line[];
  /** Whether there are more lines than were read. */
  cut: boolean;
}

/** A run as it was and as it is now. */
interface DividedRun {
  run: Run;
  parts: ReadPart[];
  /** Of those that it had. */
  replaced: Part[];
}

/** Sizes of one step. */
export interface Plan {
  divided: DividedRun[];
  /** Notes that are seen to. */
  seenTo: string[];
  /** Lines of the whole sitemap afterwards. */
  lines: number;
  /** Whether stale parts are left. */
  more: boolean;
}

/** Reads what is stale, as far as it is seen to this time; divides nothing where nothing is. */
export async function planned(
  store: Store,
  { groups, lines }: KnownSitemap,
  changed: string[],
): Promise<Plan> {
  const stale = new Set(changed.map((id) => placeOf(groups, id)));
  groups.forEach(({ parts }, place) => parts?.some(({ shown }) => !shown) && stale.add(place));
  const inOrder = [...stale].sort((a, b) => a - b);
  let wanted = new Set(inOrder.slice(0, PARTS_AT_ONCE));
  for (;;) {
    const runs = await readRuns(store, groups, wanted);
    const { missing, ...plan } = await planOf(store, { runs, changed, lines });
    if (missing.length > 0) {
      const places = missing.flatMap(({ groups: [first] }) =>
        first === undefined ? [] : [groups.indexOf(first)]
      );
      wanted = new Set([...wanted, ...places]);
      continue;
    }
    return { ...plan, more: plan.more || inOrder.some((place) => !wanted.has(place)) };
  }
}

/** The plan for some runs; `missing`: those that have to join the groups before them, which were not read. */
async function planOf(
  store: Store,
  { runs, changed, lines }: { runs: Run[]; changed: string[]; lines: number },
): Promise<Plan & { missing: Run[] }> {
  const plan = { divided: [] as DividedRun[], seenTo: [] as string[], lines };
  const missing: Run[] = [];
  let [stale, taken] = [0, 0];
  for (const run of runs) {
    if (run.parts.length === 0) {
      run.parts.push({ firstId: "", lines: 0, updatedAt: 0, shown: false });
    }
    const ids = changed.filter((id) =>
      id >= run.parts[0]!.firstId && (run.endId === null || id < run.endId)
    );
    const places = new Set(ids.map((id) => placeOf(run.parts, id)));
    run.parts.forEach(({ shown }, place) => !shown && places.add(place));
    const inOrder = [...places].sort((a, b) => a - b).slice(0, PARTS_AT_ONCE - taken);
    stale += places.size;
    taken += inOrder.length;
    if (inOrder.length === 0) continue;
    const spans = await readSpans(store, run, inOrder);
    if (spans === null) {
      missing.push(run);
      continue;
    }
    const now = divided(run.parts, spans);
    plan.divided.push({ run, ...now });
    plan.lines += linesOf(now.parts) - linesOf(run.parts);
    plan.seenTo.push(...ids.filter((id) => inOrder.includes(placeOf(run.parts, id))));
  }
  return { ...plan, missing, more: stale > taken };
}

/**
 * Reads parts, each with those before it as long as nothing begins a part where it begins; null when the one before
 * the run is needed, too.
 */
async function readSpans(store: Store, run: Run, places: number[]): Promise<Span[] | null> {
  const spans: Span[] = [];
  for (const index of places) {
    let span = await readSpan(store, run, index);
    while (!beginsRightly(run.parts[span.from]!.firstId, span.lines)) {
      if (span.from === 0) return null;
      const last = spans.at(-1);
      const isNext = last?.to === span.from - 1;
      if (isNext) spans.pop();
      const before = isNext ? last : await readSpan(store, run, span.from - 1);
      // What was cut off in the middle is read when its turn comes.
      span = before.cut
        ? { ...before, to: span.to }
        : { ...span, from: before.from, lines: [...before.lines, ...span.lines] };
    }
    spans.push(span);
  }
  return spans;
}

function beginsRightly(firstId: string, lines: Line[]): boolean {
  return firstId === "" || (lines[0]?.id === firstId && beginsPart(firstId));
}

/** Reads the lines of a part. */
async function readSpan(
  store: Store,
  { parts, endId }: Pick<Run, "parts" | "endId">,
  index: number,
): Promise<Span> {
  const start = siteEntryKey(parts[index]!.firstId);
  const end = parts[index + 1]?.firstId ?? endId;
  const range = end === null
    ? { prefix: siteEntryPrefix, start }
    : { start, end: siteEntryKey(end) };
  // One more than a part may have, so that what is cut off is known.
  const lines = await readLines(store, range, PART_LINES_MAX + 1);
  return { from: index, to: index, lines, cut: lines.length > PART_LINES_MAX };
}

/** Reads lines in order, at most `limit`. */
export async function readLines(store: Store, range: Range, limit: number): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const entry of store.list<SiteEntry>(range, { limit })) {
    const [path, updatedAt] = entry.value;
    lines.push({ id: entry.key[1] as string, path, updatedAt });
  }
  return lines;
}

/** The parts after the lines of some were read, with those lines, and the parts that they replace. */
function divided(before: Part[], spans: Span[]): { parts: ReadPart[]; replaced: Part[] } {
  const parts: ReadPart[] = [];
  const replaced: Part[] = [];
  let index = 0;
  for (const { from, to, lines, cut } of spans) {
    parts.push(...before.slice(index, from));
    replaced.push(...before.slice(from, to + 1));
    const fresh = dividedIntoParts(before[from]!.firstId, lines);
    fresh.forEach(({ firstId, lines }, n) => {
      const updatedAt = lines.reduce((newest, line) => Math.max(newest, line.updatedAt ?? 0), 0);
      const isWhole = !cut || n < fresh.length - 1;
      const part: ReadPart = { firstId, lines: lines.length, updatedAt, shown: false };
      const was = before.slice(from, to + 1).find((one) => one.firstId === firstId);
      if (was?.shown) part.shown = true;
      parts.push({ ...part, read: { lines, isWhole } });
    });
    index = to + 1;
  }
  parts.push(...before.slice(index));
  return { parts, replaced };
}
