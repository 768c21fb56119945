/**
 * What the analysis of a transfer has found, as its runs read it.
 *
 * @module
 */
import type { Context } from "../../../kv/context.ts";
import type { TransferKind } from "../../../kv/model/transfers/plan.ts";
import { transferFactsPath } from "../../../kv/objects/paths.ts";
import type { Focus } from "../../../kv/model/entities/media.ts";
import type { SourceFacts } from "../formats/format.ts";
import { BadSource, type SourceFile } from "../reading/source_file.ts";
import type { StoredSource } from "../reading/row_store.ts";

/** An asset of a source. */
export interface SourceAsset {
  /** The name that it is remembered by, if it has several. */
  key?: string;
  url?: string;
  /** Its path in the archive. */
  path?: string;
  filename?: string;
  alt?: string;
  /** The point that stays to be seen when it is cropped. */
  focus?: Focus;
  caption?: string;
}

/** What an analysis has found. */
export interface TransferFacts {
  kind: TransferKind;
  sources: StoredSource[];
  /** Files that are no rows. */
  files: SourceFile[];
  facts: SourceFacts & {
    /** Assets by the names that rows have for them. */
    assets?: Record<string, SourceAsset>;
    /** Contents of reusable blocks by id. */
    reusable?: Record<string, string>;
    /** Attachments by the post that they were uploaded to. */
    attached?: Record<string, string[]>;
  };
}

/** Stores the facts. */
export async function writeFacts(
  { objects }: Context,
  { id, generation }: { id: string; generation: string },
  facts: TransferFacts,
): Promise<void> {
  const bytes = new TextEncoder().encode(JSON.stringify(facts));
  await objects.put(transferFactsPath(id, generation), bytes);
}

/** Reads the facts. */
export async function readFacts(
  { objects }: Context,
  { id, generation }: { id: string; generation: string },
): Promise<TransferFacts> {
  const bytes = await objects.get(transferFactsPath(id, generation));
  if (bytes === null) throw new BadSource("The files of the transfer are no longer there");
  return JSON.parse(new TextDecoder().decode(bytes)) as TransferFacts;
}
