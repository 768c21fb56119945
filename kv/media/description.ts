/**
 * Changes the descriptive attributes of a medium.
 *
 * @module
 */
import { changedCrops } from "../model/values/crop.ts";
import type { Schema } from "../model/entities/collection.ts";
import { sortedByKey } from "../model/primitives/sorted_by_key.ts";
import { altIn, type MediaPatch, type MediaState } from "../model/entities/media.ts";
import { invalid } from "../refusals.ts";

/** The state with what a patch says of the medium; what is empty is left out of it. */
export function withDescription(state: MediaState, patch: MediaPatch): MediaState {
  const { filename = state.filename } = patch;
  const next = { ...state, filename };
  assignAlts(next, patch);
  if (patch.title !== undefined) next.title = patch.title;
  if (next.title === "") delete next.title;
  assignFolderAndTags(next, patch);
  if (patch.private === true) next.private = true;
  else if (patch.private === false) delete next.private;
  if (patch.focus === null) delete next.focus;
  else if (patch.focus !== undefined) next.focus = patch.focus;
  assignCrops(next, patch.crops);
  return next;
}

/** Refuses `alts`, which is an unknown key as long as the site has no languages. */
export function refuseUnknownAlts({ alts }: MediaPatch, { languages }: Pick<Schema, "languages">) {
  if (alts !== undefined && languages === undefined) {
    throw invalid("alts", "UNKNOWN_KEY", "Unknown key");
  }
}

/** Sets the alternative texts; those by language that are empty are left out of the state. */
function assignAlts(next: MediaState, { alt, alts, altLanguage }: MediaPatch): void {
  const before = altLanguage === undefined ? next.alt : altIn(next, [altLanguage]);
  const texts = { ...alts ?? next.alts };
  // A text that was sent back as it was read must not undo what `alts` says.
  if (alt !== undefined && alt !== before) {
    if (altLanguage === undefined) next.alt = alt;
    else texts[altLanguage] = alt;
  }
  const filled = Object.entries(texts).filter(([, text]) => text !== "");
  if (filled.length > 0) next.alts = sortedByKey(Object.fromEntries(filled));
  else delete next.alts;
}

/** Sets and removes crops (null: all of them); what is empty is left out of the state. */
function assignCrops(next: MediaState, patch: MediaPatch["crops"]): void {
  if (patch === undefined) return;
  const crops = patch === null ? undefined : changedCrops(next.crops, patch);
  if (crops === null) throw invalid("crops", "TOO_LARGE", "Too many crops for one image");
  if (crops === undefined) delete next.crops;
  else next.crops = crops;
}

/** Puts a medium into a folder and gives it tags; what is empty is left out of the state. */
export function assignFolderAndTags(
  next: MediaState,
  { folder, tags }: Pick<MediaPatch, "folder" | "tags">,
): void {
  if (folder !== undefined) next.folder = folder;
  if (next.folder === "") delete next.folder;
  if (tags !== undefined) next.tags = tags;
  if (next.tags?.length === 0) delete next.tags;
}
