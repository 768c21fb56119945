/**
 * Runs in the browser. A new collection's fields come from a template, or from another collection.
 *
 * @module
 */
import type { CollectionTemplate } from "../../definitions/collection_templates.ts";
import { call } from "../page/call.ts";
import { embedded, enclosing, get } from "../page/elements.ts";

type Fields = CollectionTemplate["fields"];

/** Shows the fields of the chosen template and fills in the name unless the user has typed one. */
export function startTemplateChoice(choice: HTMLElement): void {
  const templates = embedded<CollectionTemplate[]>(choice);
  const copied = get<HTMLSelectElement>(choice, "[data-copied]");
  const form = enclosing<HTMLFormElement>(choice, "form");
  const name = get<HTMLInputElement>(form, "[data-name=name] input");
  const undated = get<HTMLInputElement>(form, "input[name=undated]");
  let given = "";
  let latest = 0;
  const choose = async (wanted: string) => {
    const turn = ++latest;
    copied.hidden = wanted !== "copy";
    const template = templates.find(({ slug }) => slug === wanted);
    const read = wanted === "copy"
      ? await call<Pick<CollectionTemplate, "fields" | "undated">>(
        "GET",
        `/api/admin/collections/${copied.value}`,
      )
      : null;
    // Only the response for the latest choice is shown.
    if (turn !== latest) return;
    fill(choice, read?.body?.fields ?? template?.fields ?? [], read?.message ?? "");
    undated.checked = read?.body?.undated ?? template?.undated ?? false;
    if (name.value !== given) return;
    given = template?.name ?? "";
    name.value = given;
    name.dispatchEvent(new Event("input", { bubbles: true }));
  };
  choice.addEventListener("change", () => {
    void choose(get<HTMLInputElement>(choice, "input[name=template]:checked").value);
  });
}

/** An error is shown in place of the fields. */
function fill(choice: HTMLElement, fields: Fields, failure: string): void {
  get<HTMLTextAreaElement>(choice, "textarea").value = JSON.stringify(fields);
  get(choice, "[data-preview]").textContent = fields.length === 0
    ? failure
    : `Fields: ${fields.map(({ label }) => label).join(", ")}. You can change them at any time.`;
}
