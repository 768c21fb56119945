/**
 * The timelines of all types as one process reads them: segments are read once and kept, the log is
 * read every time, so an answer is never older than the request.
 *
 * @module
 */
import { timelineManifestKey } from "../../keys.ts";
import type { EntityType } from "../../model/entities/entity_kinds.ts";
import { unavailable } from "../../refusals.ts";
import { SegmentGone } from "../../segments/segment_set.ts";
import type { Store } from "../../store/store.ts";
import { READ_ATTEMPTS_MAX, TIMELINE_BYTES_MAX } from "../../tuning.ts";
import { mergeBlocks, once } from "../../versioning/timeline/blocks.ts";
import {
  entityCount,
  type Events,
  EventsBuilder,
  eventsOf,
  type LogEvent,
} from "../../versioning/timeline/events.ts";
import { type LogPage, readLog, readNewestLog } from "../../versioning/timeline/log.ts";
import {
  manifestOf,
  readSegment,
  type TimelineSegment,
  timelineSegments,
} from "../../versioning/timeline/manifest.ts";
import { TimelineReader } from "./timeline_reader.ts";

/** The source of readers. */
export interface TimelineReaders {
  /** The timeline of a type. */
  of(type: EntityType): Promise<TimelineReader>;
}

/** Reads timelines. */
export class Timeline implements TimelineReaders {
  readonly #store: Store;
  /** Segments of the present manifests, by type and id. */
  readonly #kept = new Map<EntityType, Map<string, Events>>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** The timeline of a type now. */
  async of(type: EntityType): Promise<TimelineReader> {
    const [log, segments] = await this.#read(type, () => this.#log(type));
    return this.#reader([...segments, ...log]);
  }

  /** The newest entries of a type's log, and all that is compacted. */
  async newest(
    type: EntityType,
    page: LogPage,
  ): Promise<{ log: LogEvent[]; compacted: TimelineReader }> {
    const readNewest = () => readNewestLog(this.#store, type, page);
    const [log, segments] = await this.#read(type, readNewest);
    return { log, compacted: this.#reader(segments) };
  }

  #reader(layers: Events[]): TimelineReader {
    return new TimelineReader(layers, () => this.#store.sleep(0));
  }

  async #read<T>(type: EntityType, readLog: () => Promise<T>): Promise<[T, Events[]]> {
    let cause: unknown;
    for (let attempt = 0; attempt < READ_ATTEMPTS_MAX; attempt++) {
      // Read the log first: events that a compaction moves out of it are in the manifest, which is read later.
      const log = await readLog();
      const manifest = manifestOf(await this.#store.get(timelineManifestKey(type)));
      try {
        return [log, await this.#segments(type, manifest.segments)];
      } catch (error) {
        if (!(error instanceof SegmentGone)) throw error;
        cause = error;
      }
    }
    throw unavailable(cause);
  }

  /**
   * The timelines as they are now, each read once: for several questions about one instant. Those of `types` are
   * read together.
   */
  snapshot(types: readonly EntityType[] = []): TimelineReaders {
    const read = new Map<EntityType, Promise<TimelineReader>>();
    const together = types.length === 0 ? null : this.#together(types);
    for (const type of types) {
      const reader = together!.then((readers) => readers.get(type) ?? this.of(type));
      // It cannot be queried.
      reader.catch(() => {});
      read.set(type, reader);
    }
    const of = (type: EntityType) => {
      const known = read.get(type) ?? this.of(type);
      read.set(type, known);
      return known;
    };
    return { of };
  }

  /** The timelines of some types with one read of their manifests; without those that lost a segment in between. */
  async #together(types: readonly EntityType[]): Promise<Map<EntityType, TimelineReader>> {
    // The logs first, as for one.
    const logs = await Promise.all(types.map((type) => this.#log(type)));
    const manifests = await this.#store.getMany(types.map(timelineManifestKey));
    const readers = new Map<EntityType, TimelineReader>();
    await Promise.all(types.map(async (type, index) => {
      try {
        const segments = await this.#segments(type, manifestOf(manifests[index]!).segments);
        readers.set(type, this.#reader([...segments, ...logs[index]!]));
      } catch (error) {
        if (!(error instanceof SegmentGone)) throw error;
      }
    }));
    return readers;
  }

  /** The sorted events that are not compacted yet; none or one. */
  async #log(type: EntityType): Promise<Events[]> {
    const parts: Events[] = [];
    for await (const some of readLog(this.#store, type)) parts.push(eventsOf(some));
    if (parts.length < 2) return parts;
    const sum = (count: (part: Events) => number) =>
      parts.reduce((all, one) => all + count(one), 0);
    const builder = new EventsBuilder(sum(entityCount), sum(({ at }) => at.length));
    for await (const block of mergeBlocks(parts.map(once))) {
      builder.append(block);
      await this.#store.sleep(0);
    }
    return [builder.finish()];
  }

  /** One after the other, so that other reads come in between. */
  async #segments(type: EntityType, wanted: TimelineSegment[]): Promise<Events[]> {
    const set = timelineSegments(this.#store, type);
    const known = this.#kept.get(type);
    const read = new Map<string, Events>();
    for (const segment of wanted) {
      const events = known?.get(segment.id) ?? await readSegment(set, segment);
      read.set(segment.id, events);
    }
    this.#kept.set(type, read);
    if (this.#bytes > TIMELINE_BYTES_MAX) this.#kept.delete(type);
    return [...read.values()];
  }

  get #bytes(): number {
    let bytes = 0;
    for (const segments of this.#kept.values()) {
      for (const { ids, starts, at, what } of segments.values()) {
        bytes += ids.byteLength + starts.byteLength + at.byteLength + what.byteLength;
      }
    }
    return bytes;
  }
}
