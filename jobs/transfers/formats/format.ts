/**
 * A format of sources: how it is recognized, how its rows are read, and what its plan looks like.
 *
 * @module
 */
import type { Plan, PlanSetting, TransferKind } from "../../../kv/model/transfers/plan.ts";
import type { JsonObject } from "../../../kv/model/values/json_object.ts";
import type { RowGroups } from "../mapping/row_languages.ts";
import type { SourceBlock } from "../mapping/source_blocks.ts";
import type { Shape } from "../mapping/shape.ts";
import type { ReadableFile, SourceRow } from "../reading/source_file.ts";

/** What reading a source has found besides rows. */
export interface SourceFacts {
  /** What identifies the source, so that repeating it changes documents instead of making others. */
  sourceKey?: string;
  /** Names of kinds of rows, where they have one. */
  names: Record<string, string>;
  /** Languages that the source has besides the one that is read. */
  languages: string[];
  /** Rows that are one document in several languages. */
  groups?: RowGroups;
  /** Kinds of rows that are a single document without a page, such as the footer of a site. */
  singletons?: string[];
  /** Kinds of rows that are in several languages. */
  translated?: string[];
  /** Kinds of blocks that rows hold. */
  blocks?: SourceBlock[];
  /** The names of authors by their ids. */
  authors?: Record<string, string>;
  /** Settings that the source has values for. */
  offers?: Omit<PlanSetting, "apply">[];
  /** The rows that menus lead to, by the addresses that their entries have. */
  links?: Record<string, [kind: string, id: string]>;
  /** Whether rows in a language that the site does not have become documents of their own. */
  keepsLanguages?: boolean;
  /** What was left out, and why. */
  warnings: string[];
  /** Anything else that the plan depends on. */
  [name: string]: unknown;
}

/** What a reader gets. */
export interface ReadScope {
  files: readonly ReadableFile[];
  facts: SourceFacts;
}

/** What a plan is made of. */
export interface PlanScope {
  facts: SourceFacts;
  shapes: ReadonlyMap<string, Shape>;
}

/** A format. */
export interface TransferFormat {
  kind: TransferKind;
  /** Whether the files are of this format, by their names and first characters. */
  matches(files: readonly HeadedFile[]): boolean;
  /** Reads the rows. */
  read(scope: ReadScope): AsyncGenerator<SourceRow>;
  /** Changes the plan that was made from the shapes of the rows. */
  adjust?(plan: Plan, scope: PlanScope): Plan;
}

/** A file with its first characters. */
export interface HeadedFile extends ReadableFile {
  head: string;
}

/** The name of a file without its folder and extension. */
export function baseName(path: string): string {
  return (path.split("/").at(-1) ?? path).replace(/\.[a-z0-9]{1,10}$/i, "") || path;
}

/** Whether a file has one of these extensions. */
export function hasExtension({ path }: { path: string }, ...extensions: string[]): boolean {
  const lower = path.toLowerCase();
  return extensions.some((extension) => lower.endsWith(`.${extension}`));
}

/** The files with one of these extensions; all files if none has. */
export function filesWith<F extends { path: string }>(
  files: readonly F[],
  ...extensions: string[]
): readonly F[] {
  const own = files.filter((file) => hasExtension(file, ...extensions));
  return own.length > 0 ? own : files;
}

/** The facts of a source before it is read. */
export function newFacts(): SourceFacts {
  return { names: {}, languages: [], warnings: [] };
}

/** The values of a row with those that it has in other languages. */
export function withTranslations(
  data: JsonObject,
  translations: Readonly<Record<string, JsonObject>>,
): JsonObject {
  if (Object.keys(translations).length === 0) return data;
  return { ...data, _translations: translations };
}

/** Notes a language of the source that is not the one that is read. */
export function noteLanguage({ languages }: SourceFacts, code: string): void {
  if (code !== "" && !languages.includes(code)) languages.push(code);
}
