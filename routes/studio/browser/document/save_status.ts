/**
 * Runs in the browser. The save status in words.
 *
 * @module
 */
import { textBefore } from "../../../../kv/model/primitives/text_before.ts";
import type { Reply } from "../page/call.ts";
import { get } from "../page/elements.ts";
import { clockText } from "./dates.ts";
import type { Disconnection } from "./live/transport.ts";

/** How the words are meant. */
export type Mood = "good" | "bad" | "";

/** The facts that the status depends on. */
export interface SaveFacts {
  /** Why there is no connection; null while there is one. */
  disconnected: Disconnection | null;
  isSettled: boolean;
  /** Whether every saved change is part of a version. */
  isFlushed: boolean;
  hasKept: boolean;
  isConflicting: boolean;
  /** Labels of the fields that cannot be read, and of those that the server does not take. */
  unreadable: readonly string[];
  refused: readonly string[];
  isSlugTaken: boolean;
  savedAt: Date | null;
  /** Null for a translation, which has no versions of its own. */
  version: number | null;
}

/** The status text; null to leave it unchanged. */
export function wordsFor(facts: SaveFacts): [words: string, mood: Mood] | null {
  const { disconnected, refused, unreadable } = facts;
  if (disconnected !== null) return absenceWords(disconnected, facts.isSettled);
  if (facts.isConflicting) return ["Not saved: choose a version of the conflicting field", "bad"];
  if (unreadable.length > 0) return [`Not saved: ${named(unreadable)} cannot be read`, "bad"];
  if (refused.length > 0) {
    if (facts.isSlugTaken) return ["Not saved: the URL is already taken", "bad"];
    return [lookWords(refused), "bad"];
  }
  if (!facts.isSettled) return null;
  if (facts.savedAt !== null && facts.isFlushed) {
    const version = facts.version === null ? "" : ` · version ${facts.version}`;
    return [`Saved ${clockText(facts.savedAt)}${version}`, "good"];
  }
  return facts.hasKept ? ["Saved", "good"] : ["All changes saved", ""];
}

function absenceWords(why: Disconnection, isKept: boolean): [string, Mood] {
  const here = isKept ? "" : " Your changes are kept in this tab.";
  switch (why) {
    case "gone":
      return [`This document was moved to the trash.${here}`, "bad"];
    case "forbidden":
      return [`Your role no longer allows changes.${here}`, "bad"];
    case "signed out":
      return [`Your session has ended. Sign in again in another tab.${here}`, "bad"];
    case "offline":
      return [
        isKept ? "Offline: can't reach the server" : "Offline: your changes are kept in this tab",
        "bad",
      ];
    case "connecting":
      return [isKept ? "Connecting …" : "Connecting … your changes are kept in this tab", ""];
  }
}

/** The words for a document that could not be created: the fields that are at fault, or else the reason. */
export function uncreatedWords(
  { message, details }: Pick<Reply, "message" | "details">,
  labelOf: (name: string) => string,
): string {
  if (details.length === 0) return `Not saved. ${message}`;
  return lookWords([...new Set(details.map(({ field }) => labelOf(textBefore(field, "."))))]);
}

function lookWords(labels: readonly string[]): string {
  return `Not saved: fix ${named(labels)}`;
}

/** The label of a field on the page. */
export function fieldLabel(fields: readonly [name: string, label: string][], name: string): string {
  return fields.find(([field]) => field === name)?.[1] ?? FRAMING_LABELS[name] ?? name;
}

const FRAMING_LABELS: Record<string, string> = {
  title: "Title",
  slug: "URL",
  blocks: "Page blocks",
};

function named(labels: readonly string[]): string {
  return labels.length <= 2 ? labels.join(" and ") : `${labels.length} fields`;
}

/** The words in the bar of a document. */
export class SaveStatus {
  readonly #element: HTMLElement;

  constructor(form: HTMLElement) {
    this.#element = get(form, "[data-save-state]");
  }

  /** Screen readers announce only a text that has changed. */
  say(words: string, mood: Mood = ""): void {
    if (this.#element.textContent !== words) this.#element.textContent = words;
    this.#element.dataset.mood = mood;
  }

  /** Whether something is on its way, which the words say only when it takes long. */
  showBusy(isBusy: boolean): void {
    this.#element.ariaBusy = String(isBusy);
  }

  /** The saved changes are now part of a version. */
  showVersion(version: number): void {
    const shown = document.querySelector("[data-version]");
    if (shown !== null) shown.textContent = String(version);
  }

  /** Whether a published document has changes that are not public. */
  showChanges(hasChanges: boolean): void {
    for (const element of document.querySelectorAll<HTMLElement>("[data-changes]")) {
      element.hidden = !hasChanges;
    }
  }
}
