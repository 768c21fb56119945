/**
 * Runs in the browser. Errors of a request next to its form: each at the control that it refers to,
 * the rest below.
 *
 * @module
 */
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { type Answer, parsedBody } from "./answer_view.ts";
import { element } from "../../../browser/elements.ts";
import type { ParameterControl } from "./request_form.ts";

/** A refusal on the wire. */
interface Problem {
  error?: { code?: string; message?: string; details?: { field: string; message: string }[] };
}

/** Marks invalid controls, and shows other errors below the form. */
export function showRefusal(
  form: HTMLElement,
  controls: ParameterControl[],
  answer: Answer | null,
): void {
  for (const old of form.querySelectorAll(".parameter .refused")) old.remove();
  const summary = form.querySelector<HTMLElement>(":scope > .refused")!;
  summary.textContent = "";
  for (const marked of form.querySelectorAll("[aria-invalid]")) {
    marked.removeAttribute("aria-invalid");
  }
  const problem = answer === null || answer.status < 400
    ? undefined
    : (parsedBody(answer) as Problem | undefined)?.error;
  if (problem === undefined) return;
  const left = (problem.details ?? []).filter(({ field, message }) => {
    const control = controls.find(({ parameter: { name } }) =>
      field === name || field.startsWith(`${name}.`)
    );
    if (control === undefined) return true;
    markControl(control, message);
    return false;
  });
  const named = refusedParameter(problem.code ?? "");
  const control = controls.find(({ parameter: { name }, values }) =>
    named.includes(name) && values().length > 0
  );
  if (control !== undefined) markControl(control, "");
  const texts = [
    problem.message ?? "",
    ...left.map(({ field, message }) => `${field}: ${message}`),
  ];
  summary.textContent = texts.join(". ");
}

/** The parameters that a code is about. */
export function refusedParameter(code: string): string[] {
  switch (code) {
    case "PAGINATION_INVALID":
      return ["page", "perPage"];
    case "SORT_FIELD_INVALID":
      return ["sort"];
    case "FIELD_INVALID":
      return ["fields"];
    case "INCLUDE_INVALID":
      return ["include"];
    case "FACET_INVALID":
      return ["facets"];
    case "CURSOR_INVALID":
      return ["cursor"];
    case "FILTER_INVALID":
    case "FILTER_FIELD_INVALID":
    case "FILTER_OPERATOR_INVALID":
    case "FIELD_NOT_FILTERABLE":
      return ["filter"];
    default:
      return [];
  }
}

/** Marks a control as invalid and shows the reason. */
export function markControl({ node }: ParameterControl, message: string): void {
  node.querySelector("input, select")?.setAttribute("aria-invalid", "true");
  if (message !== "") node.append(element("p", { class: "refused" }, message));
}
