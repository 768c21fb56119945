/**
 * Whether a request sees published content, unpublished changes (`draft=true`), or the content as
 * of a release. The only place of the headless API that chooses between the published and the
 * working state.
 *
 * @module
 */
import type { StoredDocument } from "../../../kv/documents/write.ts";
import type { Collection } from "../../../kv/model/entities/collection.ts";
import { hasWorkingCopy, laidOver } from "../../../kv/model/entities/working_copy.ts";
import { Refusal } from "../../../kv/refusals.ts";
import { isUlid } from "../../../kv/model/values/ulid.ts";
import { overlayOf, type ReleaseOverlay } from "../../../kv/releases/release_overlay.ts";
import type { Deps } from "../../deps/deps.ts";
import { parameterInvalid, type Parameters } from "../../query/parameters.ts";
import type { BearerCall } from "../bearer/bearer_call.ts";
import type { TokenVisibility } from "./token_visibility.ts";
import { type LanguageRequest, mediumInLanguage, seenInLanguage } from "./language.ts";
import { draftView, releaseView, type Viewpoint } from "./viewpoint.ts";

/** Which state of documents a request sees. */
export interface DraftView {
  /** Whether working copies are laid over. */
  draft: boolean;
  /** The one document that a preview opens; null for all that the token may see. */
  only: string | null;
  /** The documents of a release as they will be, and the public site with them. */
  release: ReleaseOverlay | null;
  /** The language of documents; null for the original. */
  language: LanguageRequest | null;
}

/**
 * Parses which state a request sees; `withoutScope` is the error for tokens without read-drafts.
 */
export async function draftViewOf(
  deps: Deps,
  { visibility, preview }: BearerCall,
  { slug }: Collection,
  parameters: Parameters,
  withoutScope: "FORBIDDEN" | "NOT_FOUND",
): Promise<DraftView> {
  if (preview !== null) {
    return { draft: true, only: preview.documentId, release: null, language: null };
  }
  const given = parameters.single("draft");
  if (given !== undefined && given !== "true" && given !== "false") {
    throw parameterInvalid("draft must be true or omitted");
  }
  const draft = given === "true";
  const id = parameters.single("release");
  if (id !== undefined) {
    if (!draft) throw parameterInvalid("release requires draft=true");
    if (!isUlid(id)) throw parameterInvalid("release must be the ID of a release");
    if (parameters.single("at") !== undefined) {
      throw parameterInvalid("release cannot be combined with at");
    }
  }
  if (draft && !visibility.access(slug).canSeeDrafts) throw new Refusal(withoutScope);
  const release = id === undefined ? null : await overlayOf(deps, id);
  return { draft, only: null, release, language: null };
}

/**
 * The view of referenced documents: drafts in collections whose drafts the token may see. A preview
 * shows the drafts of its own document only.
 */
export function viewOf(
  view: Viewpoint,
  { draft, only, release, language }: DraftView,
  visibility: TokenVisibility,
): Viewpoint {
  if (release !== null) return languageView(releaseView(view, release), language);
  const seen = draft && only === null
    ? draftView(view, (state) => visibility.canSeeDraftsOf(state))
    : view;
  return languageView(seen, language);
}

/** The same in the language of a request; null for a document that is there in none of its languages. */
function languageView(view: Viewpoint, language: LanguageRequest | null): Viewpoint {
  if (language === null) return view;
  return async (wanted) =>
    (await view(wanted)).map((found) => {
      const { medium } = found;
      if (medium !== null) return { ...found, medium: mediumInLanguage(language, medium) };
      if (found.document === null) return found;
      const { n, state } = found.document;
      const seen = seenInLanguage(language, state, true);
      return { ...found, document: seen && { n, state: seen } };
    });
}

/** A document as a request sees it, in its language; null for one that is not there in it. */
export function shownAs(view: DraftView, stored: StoredDocument): StoredDocument | null {
  const found = withDraftView(view, stored);
  if (view.language === null) return found;
  const state = seenInLanguage(view.language, found.state);
  return state && { n: stored.n, state };
}

/** The state of a document that a request sees; the same object if nothing differs. */
export function withDraftView(
  { draft, release }: DraftView,
  stored: StoredDocument,
): StoredDocument {
  if (release !== null) return release.seen(stored);
  return draft && hasWorkingCopy(stored.state)
    ? { n: stored.n, state: laidOver(stored.state) }
    : stored;
}
