/**
 * How much was written when: the versions of all types, counted in equal parts of a span of time.
 *
 * @module
 */
import { ENTITY_TYPES } from "../model/entities/entity_kinds.ts";
import type { TimelineReaders } from "./timeline/timeline.ts";

/** The versions of a span. */
export interface SiteActivity {
  /** The bounds of the span, epoch seconds; the end is part of the last bin. */
  from: number;
  to: number;
  /** Versions of each part. */
  bins: number[];
  /** The first version of all, epoch seconds; null while there is none. */
  first: number | null;
}

/** Counts the versions up to `to`; `from` null begins with the first of all. */
export async function siteActivity(
  timeline: TimelineReaders,
  { from, to, parts }: { from: number | null; to: number; parts: number },
): Promise<SiteActivity> {
  const readers = await Promise.all(ENTITY_TYPES.map((type) => timeline.of(type)));
  let first = Infinity;
  for (const reader of readers) reader.eachTime((at) => first = Math.min(first, at));
  const begin = Math.min(from ?? first, to - parts);
  const bins = new Array<number>(parts).fill(0);
  const width = (to - begin) / parts;
  for (const reader of readers) {
    reader.eachTime((at) => {
      if (at < begin || at > to) return;
      const bin = Math.min(parts - 1, Math.floor((at - begin) / width));
      bins[bin] = (bins[bin] ?? 0) + 1;
    });
  }
  return { from: begin, to, bins, first: first === Infinity ? null : first };
}
