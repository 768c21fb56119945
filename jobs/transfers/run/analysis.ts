/**
 * The analysis of a transfer: its files are opened, recognized and read once, its rows stored in parts, and a plan made
 * from their shapes.
 *
 * @module
 */
import type { Context } from "../../../kv/context.ts";
import {
  TRANSFER_AUTHORS_SHOWN_MAX,
  TRANSFER_DOWNLOAD_BYTES_MAX,
  TRANSFER_HOSTS_MAX,
  TRANSFER_OFFERS_MAX,
} from "../../../kv/limits/transfers.ts";
import type { Schema } from "../../../kv/model/entities/collection.ts";
import type { Plan } from "../../../kv/model/transfers/plan.ts";
import { isOffer } from "../../../kv/model/transfers/plan_mapping_check.ts";
import { transferFilePath } from "../../../kv/objects/paths.ts";
import {
  changeTransfer,
  type TransferFile,
  type TransferRecord,
} from "../../../kv/transfers/transfers.ts";
import { REDIRECTS_MAX, TRANSFER_DOWNLOAD_MS_MAX } from "../../limits.ts";
import { isTemporary } from "../../network/guarded_request.ts";
import { initialNulls } from "../formats/csv.ts";
import {
  newFacts,
  noteLanguage,
  type SourceFacts,
  type TransferFormat,
} from "../formats/format.ts";
import { findFormat } from "../formats/formats.ts";
import { fitPlan } from "../mapping/fit_plan.ts";
import { inferPlan } from "../mapping/infer_plan.ts";
import { languageColumns } from "../mapping/language_columns.ts";
import {
  groupedSources,
  noteGroup,
  type RowGroups,
  siteLanguage,
  wholeGroups,
  withLocalizedTexts,
} from "../mapping/row_languages.ts";
import { forgetAnswers } from "../live/live_api.ts";
import { type DownloadOptions, readLiveSource } from "../live/live_source.ts";
import { addToShape, emptyShape, type Shape } from "../mapping/shape.ts";
import { inferBlocks, noteBlocks, planBlocks } from "../mapping/source_blocks.ts";
import { RowWriter } from "../reading/row_store.ts";
import { BadSource, type SourceRow } from "../reading/source_file.ts";
import { readableFile, unpackFiles } from "../reading/unpack.ts";
import type { TransferDeps } from "./transfer_deps.ts";
import type { TransferFacts } from "./transfer_facts.ts";

/** The kind of rows that are authors. */
const AUTHORS = "authors";
/** Rows after which others have their turn. */
const ROWS_PER_TURN = 100;
/** Addresses of media, whose hosts the plan lists. */
const MEDIA_ADDRESS =
  /https?:\/\/([^\s"'\\<>/?#]+)\/[^\s"'\\<>]*?\.(?:jpe?g|png|gif|webp|avif|mp4|webm|mp3|pdf)\b/gi;

/** The result of an analysis. */
export interface Analysis {
  facts: TransferFacts;
  plan: Plan;
}

/** How an analysis is run. */
export interface AnalysisOptions {
  /** The languages of the site, and its collections. */
  schema: Pick<Schema, "languages" | "bySlug">;
  signal: AbortSignal;
  /** Called with the number of rows once in a while. */
  onProgress: (rows: number) => Promise<void>;
}

/**
 * Downloads the source of a transfer that has an address; answers the record with its files. They are recorded at once,
 * so that an analysis that is cut off afterwards reads the same ones again.
 */
export async function downloadSource(
  deps: TransferDeps,
  record: TransferRecord,
  options: DownloadOptions,
): Promise<TransferRecord> {
  if (record.url === undefined) return record;
  const { context } = deps.content;
  let present = record;
  if (record.files.length === 0) {
    const files = record.isLive
      ? await readLiveSource(deps, record, options)
      : [await downloadFile(deps, record.id, record.url, options.signal)];
    present = await changeTransfer(context, record.id, (now) => ({ ...now, files }));
  }
  if (record.isLive) await forgetAnswers(context, record.id);
  return present;
}

async function downloadFile(
  { request, content: { context } }: TransferDeps,
  id: string,
  url: string,
  signal: AbortSignal,
): Promise<TransferFile> {
  const answer = await request({
    url,
    bytesMax: TRANSFER_DOWNLOAD_BYTES_MAX,
    msMax: TRANSFER_DOWNLOAD_MS_MAX,
    redirectsMax: REDIRECTS_MAX,
    signal,
  });
  if (isTemporary(answer.status)) {
    throw new Error(`The download was answered with status ${answer.status}`);
  }
  if (answer.status !== 200) {
    throw new BadSource(`The download was answered with status ${answer.status}`);
  }
  const object = transferFilePath(id, "download");
  await context.objects.put(object, answer.body);
  const name = URL.parse(url)?.pathname.split("/").at(-1) || "download";
  return { name, bytes: answer.body.byteLength, object };
}

/** Reads a whole upload. */
export async function analyseFiles(
  context: Context,
  record: TransferRecord,
  { signal, onProgress, schema }: AnalysisOptions,
): Promise<Analysis> {
  const unpacked = await unpackFiles(context, record);
  if (unpacked.length === 0) throw new BadSource("The upload holds no files");
  const files = unpacked.map((file) => readableFile(context, file));
  const format = await findFormat(files, record.kind);
  const facts = newFacts();
  const hosts = new Set<string>();
  const writer = new RowWriter(context, record);
  const shapes = new Map<string, Shape>();
  const blockShapes = new Map<string, Shape>();
  const nulls = new Set(initialNulls(format.kind));
  const groups: RowGroups = {};
  for await (const row of format.read({ files, facts })) {
    const { stored: { data, problem }, line } = await writer.add(row);
    const shape = shapes.get(row.source) ?? emptyShape();
    shapes.set(row.source, shape);
    if (problem === undefined) {
      addToShape(shape, data, nulls);
      if (facts.blocks === undefined) noteBlocks(blockShapes, data, nulls);
      noteHosts(line, hosts);
      noteGroup(groups, row);
      if (row.source === AUTHORS) noteAuthor(facts, row);
    }
    if (writer.rows % ROWS_PER_TURN === 0) {
      signal.throwIfAborted();
      await onProgress(writer.rows);
      await context.store.sleep(0);
    }
  }
  const sources = await writer.finish();
  if (sources.length === 0) throw new BadSource("The upload holds no rows");
  facts.groups = wholeGroups(groups);
  for (const language of Object.values(facts.groups).flatMap(Object.keys)) {
    noteLanguage(facts, language);
  }
  facts.blocks ??= inferBlocks(blockShapes);
  const plan = planOf(record, format, { facts, shapes, hosts, schema });
  return {
    plan,
    facts: { kind: format.kind, sources, files: unpacked, facts },
  };
}

/** Adds an author to those that the plan can map. */
function noteAuthor(facts: SourceFacts, { id, data }: SourceRow): void {
  const authors = facts.authors ??= {};
  if (id === null || Object.keys(authors).length >= TRANSFER_AUTHORS_SHOWN_MAX) return;
  const name = data.title ?? data.name;
  authors[id] = typeof name === "string" ? name : id;
}

/** Adds the hosts of media that a row names. */
function noteHosts(text: string, hosts: Set<string>): void {
  if (!text.includes("http")) return;
  for (const [, host = ""] of text.matchAll(MEDIA_ADDRESS)) {
    if (hosts.size >= TRANSFER_HOSTS_MAX) return;
    const known = URL.parse(`http://${host}`)?.host;
    if (known === host) hosts.add(host);
  }
}

function planOf(
  { name, files: uploaded, isLive, url = "" }: TransferRecord,
  format: TransferFormat,
  { facts, shapes, hosts, schema }: {
    facts: SourceFacts;
    shapes: ReadonlyMap<string, Shape>;
    hosts: Set<string>;
    schema: AnalysisOptions["schema"];
  },
): Plan {
  const { languages } = schema;
  // The files that are made of the answers of an API have the same names for every site.
  const origin = isLive ? URL.parse(url)?.host : uploaded[0]?.name;
  const initialKey = `${origin ?? name}:${format.kind}`.slice(0, 400);
  const original = languages?.original;
  const inferred = inferPlan(facts.sourceKey ?? initialKey, shapes, facts.names, original);
  const grouped = groupedSources(facts.groups ?? {});
  facts.translated = [...shapes].flatMap(([source, shape]) => {
    const { others } = languageColumns(shape, original);
    for (const language of others.values()) noteLanguage(facts, language);
    const hasLanguages = others.size > 0 || shape.fields.has("_translations");
    return hasLanguages || grouped.has(source) ? [source] : [];
  });
  noteHosts(JSON.stringify(facts.offers ?? []), hosts);
  const plan: Plan = {
    ...inferred,
    media: { ...inferred.media, hosts: [...hosts] },
    languages: Object.fromEntries(
      facts.languages.map((language) => [language, siteLanguage(language, languages)]),
    ),
    blocks: planBlocks(facts.blocks ?? []),
  };
  const adjusted = format.adjust?.(plan, { facts, shapes }) ?? plan;
  const localized = withLocalizedTexts(adjusted, { ...facts, shapes });
  const settings = (facts.offers ?? []).map((offer) => ({ ...offer, apply: false }))
    .filter(isOffer).slice(0, TRANSFER_OFFERS_MAX);
  const mapping = Object.fromEntries(Object.keys(facts.authors ?? {}).map((id) => [id, null]));
  const authors = { ...localized.authors, mapping };
  return fitPlan({ ...localized, authors, settings }, schema);
}
