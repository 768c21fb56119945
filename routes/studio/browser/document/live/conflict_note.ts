/**
 * Runs in the browser. The note below a field that two users changed at the same time: it shows both versions
 * until one is chosen, and does not block typing.
 *
 * @module
 */
import { all, make } from "../../page/elements.ts";
import type { Value } from "../control_values.ts";

/** Characters of a version that are shown. */
const SHOWN_CHARS = 1_000;

/** The contents of a note and the actions of its buttons. */
export interface ConflictNote {
  who: string;
  theirs: Value;
  choose(which: "mine" | "theirs"): void;
}

/** Shows both versions below a field, or (null) takes them away. */
export function showFieldConflict(field: HTMLElement, note: ConflictNote | null): void {
  const before = field.querySelector<HTMLElement>(":scope > .field-conflict");
  if (note === null) return before?.remove();
  const { who, theirs, choose } = note;
  const button = (label: string, which: "mine" | "theirs") =>
    make("button", { type: "button", class: "button small", onclick: () => choose(which) }, label);
  const shown = make(
    "div",
    { class: "field-conflict", role: "status" },
    make("p", {}, `${who} changed this at the same time. Your version is kept here.`),
    make("p", { class: "label" }, "Their version"),
    make("pre", { tabindex: "0", "aria-label": "Their version" }, wordsOf(theirs)),
    make(
      "div",
      { class: "row" },
      button("Keep mine", "mine"),
      button("Use theirs", "theirs"),
    ),
  );
  if (before === null) field.append(shown);
  else before.replaceWith(shown);
}

/** The first field with an open conflict. */
export function firstFieldConflict(form: HTMLElement): HTMLElement | null {
  return all(form, ".field-conflict button")[0] ?? null;
}

/** A value as readable text. */
export function wordsOf(value: Value): string {
  const text = plain(value);
  if (text === "") return "(nothing)";
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
}

function plain(value: Value): string {
  if (value === null || value === undefined) return "";
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) {
    const isText = value.every((one) => one?._type === "block");
    const parts = isText
      ? value.map(({ children }) =>
        (children ?? []).map(({ text }: { text?: string }) => text ?? "").join("")
      )
      : value.map(plain);
    return parts.join("\n");
  }
  return Object.entries(value)
    .filter(([key, inner]) => !["id", "_key", "type"].includes(key) && plain(inner) !== "")
    .map(([key, inner]) => key === "data" ? plain(inner) : `${key}: ${plain(inner)}`)
    .join("\n");
}
