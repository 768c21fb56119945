/**
 * Runs in the browser. The impact of a changed field type on documents, shown before the change.
 *
 * @module
 */
import { answered } from "../forms/actions.ts";
import { make } from "../page/elements.ts";

interface Preview {
  from: string;
  to: string;
  documents: number;
  values: number;
  converted: number;
  failed: number;
  examples: { title: string; before: unknown; after: unknown }[];
  failures: { title: string; value: unknown; reason: string }[];
}

/** Shows the counts and some examples; answers whether to go on. */
export function confirmImpact(preview: Preview): Promise<boolean> {
  const { values, converted, failed, from, to } = preview;
  const go = make("button", { type: "button", class: "button primary" }, "Convert documents");
  const cancel = make("button", { type: "button", class: "button" }, "Cancel");
  const dialog = make(
    "dialog",
    { class: "dialog large", "aria-labelledby": "impact-title" },
    make("h2", { id: "impact-title" }, `From ${from} to ${to}`),
    make(
      "p",
      {},
      `${values} of ${preview.documents} documents have a value: ${converted} can be converted, ` +
        `${failed} cannot. Values that cannot be converted become empty; the old values stay in the history.`,
    ),
    table("Examples", preview.examples.map(({ title, before, after }) => [title, before, after])),
    table(
      "Cannot be converted",
      preview.failures.map(({ title, value, reason }) => [title, value, reason]),
    ),
    make("div", { class: "dialog-foot" }, cancel, go),
  );
  return answered(dialog, { cancel, go });
}

function table(caption: string, rows: unknown[][]): HTMLElement {
  if (rows.length === 0) return make("span", {});
  const cell = (value: unknown) =>
    make("td", {}, typeof value === "string" ? value : JSON.stringify(value));
  const body = make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row.map(cell))));
  const frame = make("div", { class: "table-frame", tabindex: "0" });
  frame.append(make("table", { class: "table" }, make("caption", {}, caption), body));
  return frame;
}
