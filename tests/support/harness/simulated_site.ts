/**
 * A whole site in a simulated process: content, theme, and a runner with every kind of job; what leaves
 * the process is recorded.
 *
 * @module
 */
import { settleEdits } from "../../../kv/live/settle_edits.ts";
import type { Traffic } from "../../../jobs/runner/traffic.ts";
import { PendingSlugs } from "../../../kv/documents/pending_slugs.ts";
import { jobKinds } from "../../../jobs/kinds.ts";
import type { PluginEvent } from "../../../jobs/publishing/plugin_event.ts";
import { findMediumFacts } from "../../../jobs/publishing/page_lookup.ts";
import { ListPages } from "../../../jobs/publishing/lists/list_pages.ts";
import { createPublishing, type Publishing } from "../../../jobs/publishing/publishing.ts";
import { emptySections } from "../../../jobs/publishing/empty_sections.ts";
import { RenderingSource } from "../../../jobs/render/rendering_source.ts";
import { Theme } from "../../../jobs/render/theme/theme.ts";
import type { Runner } from "../../../jobs/runner/runner.ts";
import type { Content } from "../../../kv/documents/content.ts";
import type { Context } from "../../../kv/context.ts";
import { DocumentReader } from "../../../kv/documents/reader.ts";
import { readIndexRows, readWholeRows } from "../../../kv/documents/rows.ts";
import { ListIndex } from "../../../kv/index/list_index.ts";
import { SchemaSource } from "../../../kv/sources/schema_source.ts";
import { Settings } from "../../../kv/sources/settings.ts";
import type { KvFault, SimulatedKv } from "./simulated_kv.ts";
import { type Simulated, simulated, type SimulatedOptions } from "./simulated_runner.ts";
import type { Harness } from "./harness.ts";

/** The messages that sites have sent outside, all processes together. */
export class Outside {
  readonly purged: string[][] = [];
  readonly told: PluginEvent[] = [];
}

/** A process that serves a site. */
export interface SimulatedSite extends Simulated {
  content: Content;
  publishing: Publishing;
  lists: ListPages;
  /** Makes its runner, not yet started. */
  siteRunner(): Runner;
}

const THEME = new Theme();
/** What the site looks like while a theme is active. */
const OTHER_THEME = new Theme({
  assets: {},
  templates: { document: "<h1>{{ document.title }}</h1>{{ site.title }}" },
});

/** Content over a context, as the service wires it. */
export function contentOf(context: Context): Content {
  const { store } = context;
  return {
    context,
    schema: new SchemaSource(context),
    index: new ListIndex({
      store,
      loadRows: (collection, ids) => readIndexRows(context, collection, ids),
      loadWhole: (collection, versions, items) =>
        readWholeRows(context, collection, versions, { items }),
    }),
    slugs: new PendingSlugs(),
    settleEdits,
  };
}

/** What publishing needs, with an outside that only records. */
export function publishingOf(content: Content, outside: Outside, traffic?: Traffic): Publishing {
  const settings = new Settings(content.context);
  const empty = emptySections(content.context);
  const renderings = new RenderingSource({
    settings: () => settings.all(),
    schema: () => content.schema.current(),
    theme: async () => await settings.get("theme.active") === null ? THEME : OTHER_THEME,
    medium: (id) => findMediumFacts(content.context, id),
    empty: () => empty.current(),
    baseUrl: "https://site.example",
  });
  return createPublishing({
    content,
    reader: new DocumentReader(content),
    rendering: () => renderings.current(),
    purge: (tags) => {
      outside.purged.push(tags);
      return Promise.resolve({ tags, sentTo: null });
    },
    notifyPlugins: (event) => {
      outside.told.push(event);
      return Promise.resolve([]);
    },
  }, traffic);
}

/** Starts a site's process in a harness. */
export function simulatedSite(
  harness: Harness,
  kv: SimulatedKv,
  outside: Outside,
  options: SimulatedOptions = {},
): SimulatedSite {
  const one = simulated(harness, kv, options);
  const content = contentOf(one.context);
  const publishing = publishingOf(content, outside);
  return {
    ...one,
    content,
    publishing,
    lists: new ListPages(publishing),
    siteRunner: () => {
      const { request = () => Promise.reject(new Error("A simulation has no network")) } = options;
      const settings = new Settings(one.context);
      const transfers = { content, reader: publishing.reader, settings, request };
      return one.runner(jobKinds({ publishing, transfers }));
    },
  };
}

const FAULTS: KvFault[] = ["locked", "before", "after", "late", "die_before", "die_after"];

/** A process whose clock is wrong by seconds and whose store fails or kills it now and then, at `rate`. */
export function unreliableSite(
  harness: Harness,
  kv: SimulatedKv,
  outside: Outside,
  rate: number,
  skewMs = Math.floor((harness.random() - 0.5) * 5_000),
): SimulatedSite {
  return simulatedSite(harness, kv, outside, {
    skewMs,
    plan: () =>
      harness.chance(rate) ? FAULTS[Math.floor(harness.random() * FAULTS.length)]! : "none",
  });
}
