/**
 * Runs in the browser. Controls that a document has once it exists. The page of a new document contains them in
 * a template with a placeholder for the id.
 *
 * @module
 */
import { startApiForm } from "../api_form.ts";
import { all } from "../page/elements.ts";

const PLACEHOLDER = "{id}";

/** Puts everything in its place that waited for the id. */
export function showCreated(form: HTMLElement, id: string): void {
  for (const template of all<HTMLTemplateElement>(document, "template[data-when-created]")) {
    for (const element of all(template.content, "*")) {
      for (const { name, value } of [...element.attributes]) {
        if (value.includes(PLACEHOLDER)) {
          element.setAttribute(name, value.replaceAll(PLACEHOLDER, id));
        }
      }
      if (element.textContent === PLACEHOLDER) element.textContent = id;
    }
    for (const late of all<HTMLFormElement>(template.content, "form[data-api]")) startApiForm(late);
    template.replaceWith(template.content);
  }
  form.dispatchEvent(new Event("real"));
}
