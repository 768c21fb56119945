/**
 * Runs in the browser. Keeps the rows with the labels of choices in step with the list of choices of their field.
 *
 * @module
 */
import type { readField } from "../document/control_values.ts";
import type { all, dataOf, enclosing, get } from "../page/elements.ts";

/** What the page has loaded already. */
export interface ChoiceTools {
  all: typeof all;
  dataOf: typeof dataOf;
  enclosing: typeof enclosing;
  get: typeof get;
  readField: typeof readField;
}

/** Follows the lists of choices of all definitions in the form that an element belongs to. */
export function startChoiceLabels(tools: ChoiceTools, element: HTMLElement): void {
  tools.enclosing(element, "form").addEventListener("input", ({ target }) => {
    const field = (target as Element).closest<HTMLElement>('[data-name="choices"]');
    const labels = field?.parentElement
      ?.querySelector<HTMLElement>(':scope > [data-name="choiceLabels"]');
    if (!field || !labels) return;
    const choices = tools.readField(field) as string[] | null ?? [];
    showRows(tools, labels, [...new Set(choices)]);
  });
}

/** A row for each choice. A choice that is spelled in another way keeps its place, and with it its labels. */
function showRows(tools: ChoiceTools, labels: HTMLElement, choices: readonly string[]): void {
  const { all, dataOf, get } = tools;
  const list = get(labels, "[data-choice-rows]");
  const rows = all(list, ":scope > [data-name]");
  const byChoice = new Map(rows.map((row) => [dataOf(row, "name"), row]));
  const next = choices.map((choice, at) => {
    const own = byChoice.get(choice);
    if (own !== undefined) return own;
    const inPlace = rows[at];
    const isFree = inPlace !== undefined && !choices.includes(dataOf(inPlace, "name"));
    return named(tools, isFree ? inPlace : newRow(tools, labels), choice);
  });
  list.replaceChildren(...next);
  get(labels, "[data-no-choices]").hidden = next.length > 0;
}

function newRow({ get }: ChoiceTools, labels: HTMLElement): HTMLElement {
  const template = get<HTMLTemplateElement>(labels, "template[data-choice-row]");
  return get(template.content.cloneNode(true) as DocumentFragment, "[data-name]");
}

function named({ all, get }: ChoiceTools, row: HTMLElement, choice: string): HTMLElement {
  row.dataset.name = choice;
  get(row, "legend").textContent = choice;
  for (const input of all<HTMLInputElement>(row, "input")) input.placeholder = choice;
  return row;
}
