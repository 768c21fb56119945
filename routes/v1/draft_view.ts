/**
 * Whether a request sees what is public, or with `draft=true` what editors see, working copies laid over.
 * The one place of the headless API that decides which of the two of a state is shown.
 *
 * @module
 */
import type { Stored } from "../../kv/documents/write.ts";
import type { Collection } from "../../kv/model/collection.ts";
import { allows } from "../../kv/model/scope.ts";
import { hasWorkingCopy, laidOver } from "../../kv/model/working_copy.ts";
import { Refusal } from "../../kv/refusals.ts";
import type { BearerCall } from "./bearer.ts";

/** What a request sees. */
export interface DraftView {
  /** Whether working copies are laid over. */
  draft: boolean;
  /** The one document that a preview opens; null for all that the token may see. */
  only: string | null;
}

/** What a request sees of a collection. */
export function draftViewOf({ http, token, preview }: BearerCall, { slug }: Collection): DraftView {
  if (preview !== null) return { draft: true, only: preview.documentId };
  const given = http.req.query("draft");
  if (given !== undefined && given !== "true" && given !== "false") {
    throw new Refusal("PARAMETER_INVALID", { about: "draft must be true, or left out" });
  }
  const draft = given === "true";
  if (draft && !allows(token.scopes, slug, "read-drafts")) throw new Refusal("FORBIDDEN");
  return { draft, only: null };
}

/** A document as it is seen; the same object where nothing differs. */
export function seen({ draft }: DraftView, stored: Stored): Stored {
  return draft && hasWorkingCopy(stored.state)
    ? { n: stored.n, state: laidOver(stored.state) }
    : stored;
}
