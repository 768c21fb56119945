/**
 * Runs in the browser. Sends forms to the admin API as JSON.
 *
 * @module
 */
import { callLine, type Placeholders, type Reply } from "./page/call.ts";
import { controlAt, ControlFault } from "./document/control_values.ts";
import { slugOf } from "./document/slug_follower.ts";
import { all, dataOf, get } from "./page/elements.ts";
import { clearFailures, markFailed, showFailures } from "./page/failures.ts";
import { formValues } from "./forms/form_values.ts";
import { allowLeaving, guard } from "./forms/leave_guard.ts";
import { toast, toastLater } from "./page/toast.ts";

/** Makes every form with `data-api` send itself. */
export function startApiForms(): void {
  for (const form of all<HTMLFormElement>(document, "form[data-api]")) startApiForm(form);
}

/** Makes a form send itself. */
export function startApiForm(form: HTMLFormElement): void {
  if (form.dataset.guard !== undefined) {
    form.addEventListener("input", () => guard(form));
  }
  for (const slug of all<HTMLInputElement>(form, "[data-slug-from]")) followName(form, slug);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void send(form);
  });
}

/** A slug follows the name until the user types one. */
function followName(form: HTMLFormElement, slug: HTMLInputElement): void {
  const name = controlAt(form, dataOf(slug, "slugFrom")) as HTMLInputElement;
  let follows = true;
  slug.addEventListener("input", () => follows = slug.value === "");
  name.addEventListener("input", () => {
    if (follows) slug.value = slugOf(name.value);
  });
}

/** What a form sends; null, with errors at the controls, if something is missing or invalid. */
export function readForm(form: HTMLFormElement): Record<string, unknown> | null {
  clearFailures(form);
  return checkFilled(form) ? valuesOrNull(form) : null;
}

async function send(form: HTMLFormElement): Promise<void> {
  const body = readForm(form);
  if (body === null) return;
  const buttons = all<HTMLButtonElement>(form, "button[type=submit]");
  const busy = (is: boolean) => {
    for (const button of buttons) {
      button.disabled = is;
      button.setAttribute("aria-busy", String(is));
    }
  };
  busy(true);
  // Values that the path names are not part of the body.
  const line = dataOf(form, "api").replace(/\{(\w+)\}/g, (_, name) => {
    const value = String(body[name]);
    delete body[name];
    return value;
  });
  const reply = await callLine<Placeholders>(line, { body });
  if (!reply.ok) {
    busy(false);
    showFailures(form, reply, (field) => controlAt(form, field));
    return;
  }
  allowLeaving(form);
  const sent = new CustomEvent("sent", { detail: reply, cancelable: true });
  if (form.dispatchEvent(sent)) finish(form, reply, () => busy(false));
  else busy(false);
}

function finish(form: HTMLFormElement, reply: Reply<Placeholders>, settled: () => void): void {
  const { after, done } = form.dataset;
  if (after === undefined) {
    settled();
    if (done !== undefined) toast(done);
    return;
  }
  if (done !== undefined) toastLater(done);
  if (after === "reload") location.reload();
  else location.assign(after.replace(/\{(\w+)\}/g, (_, name) => reply.body?.[name] ?? ""));
}

/** Required fields are checked before sending; the API checks everything else. */
function checkFilled(form: HTMLFormElement): boolean {
  const missing = all<HTMLInputElement>(form, ":required")
    .filter(({ disabled, validity, value }) =>
      !disabled && !validity.badInput && value.trim() === ""
    );
  for (const control of missing) markFailed(control, "Required");
  missing[0]?.focus();
  return missing.length === 0;
}

/** The form's values; null, with an error at the control, if one is invalid. */
function valuesOrNull(form: HTMLFormElement): Record<string, unknown> | null {
  try {
    return formValues(form);
  } catch (error) {
    if (!(error instanceof ControlFault)) throw error;
    markFailed(error.control, error.message);
    error.control.focus();
    return null;
  }
}

/** The password page: its token is behind the `#`, which never reaches a server. */
export function takeTokenFromAddress(form: HTMLElement): void {
  const take = () => {
    const token = new URLSearchParams(location.hash.slice(1)).get("token") ?? "";
    get<HTMLInputElement>(form, "[name=token]").value = token;
    history.replaceState(null, "", location.pathname);
    get(document, "[data-no-token]").hidden = token !== "";
  };
  take();
  addEventListener("hashchange", () => {
    if (location.hash !== "") take();
  });
}

/** Says in place of the form that it was sent. */
export function replaceBySentence(form: HTMLElement): void {
  form.addEventListener("sent", (event) => {
    event.preventDefault();
    const said = document.createElement("p");
    said.className = "alert good";
    said.tabIndex = -1;
    said.textContent = form.dataset.done ?? "Done.";
    form.replaceWith(said);
    said.focus();
  });
}
