/**
 * Runs in the browser. Buttons that ask the API for one thing, and those that open and close dialogs.
 *
 * @module
 */
import { callLine, type Placeholders } from "../page/call.ts";
import { all, dataOf, make } from "../page/elements.ts";
import { revealAndFocus } from "../page/reveal.ts";
import { toast, toastLater } from "../page/toast.ts";

/** Listens to every such button of the page, also to those that come later. */
export function startActions(): void {
  document.addEventListener("click", (event) => {
    const target = event.target as Element;
    const acting = target.closest<HTMLButtonElement>("[data-action]");
    if (acting !== null) return void act(acting);
    const opening = target.closest<HTMLElement>("[data-opens]");
    if (opening !== null) return openDialog(dataOf(opening, "opens"));
    const closing = target.closest<HTMLElement>("[data-close]");
    if (closing !== null) closing.closest("dialog")?.close();
    const copying = target.closest<HTMLElement>("[data-copy]");
    if (copying !== null) void copy(copying);
  });
  document.addEventListener("change", ({ target }) => {
    if (target instanceof HTMLSelectElement && target.dataset.change) void change(target);
  });
  for (const dialog of all<HTMLDialogElement>(document, "dialog[data-open]")) dialog.showModal();
  addEventListener("hashchange", openNamed);
  openNamed();
}

/**
 * Opens the dialog or focuses the control that the URL names, and removes the name: otherwise the browser would
 * focus the whole dialog.
 */
function openNamed(): void {
  const named = document.getElementById(location.hash.slice(1));
  if (named instanceof HTMLDialogElement) {
    history.replaceState(history.state, "", location.pathname + location.search);
    openDialog(named.id);
  } else if (named?.matches("input, textarea, select") === true) revealAndFocus(named);
}

/** Opens a dialog of the page. */
export function openDialog(id: string): void {
  const dialog = document.getElementById(id) as HTMLDialogElement | null;
  if (dialog === null || dialog.open) return;
  for (const open of all<HTMLElement>(document, ".menu:popover-open")) open.hidePopover();
  // Whoever opens a form begins at its first control, not at the button that closes it. It is chosen before the
  // dialog opens, which then lays itself out once.
  const control = "input:not([type=hidden], [type=file]), textarea, select";
  const first = all(dialog, control).find((one) => one.closest("[hidden]") === null) ??
    dialog.querySelector<HTMLElement>("h2[tabindex]");
  if (first !== null) first.autofocus = true;
  dialog.showModal();
  if (first === document.activeElement) return;
  const shown = all(dialog, control).find((one) => one.checkVisibility());
  (shown ?? dialog.querySelector<HTMLElement>("h2[tabindex]"))?.focus();
}

async function act(button: HTMLButtonElement): Promise<void> {
  const { body, ask, uses, then, done, verb = button.textContent.trim() } = button.dataset;
  const question = [uses === undefined ? "" : await usesOf(uses), ask ?? ""].join(" ").trim();
  // Only destructive actions have a red button in the confirmation as well.
  const isCalm = !button.matches(".danger, .icon-button");
  if (question !== "" && !(await confirmed(question, verb, { isCalm }))) return;
  button.disabled = true;
  button.setAttribute("aria-busy", "true");
  const reply = await callLine<Placeholders>(
    dataOf(button, "action"),
    body === undefined ? {} : { body: JSON.parse(body) },
  );
  if (reply.ok) {
    const acted = new CustomEvent("acted", { detail: reply, bubbles: true, cancelable: true });
    if (button.dispatchEvent(acted)) {
      if (done !== undefined && then !== undefined) toastLater(done);
      if (then === "reload") return location.reload();
      if (then !== undefined) {
        return location.assign(
          then.replace(/\{(\w+)\|?(.*)\}/, (_, name, other) => reply.body?.[name] ?? other),
        );
      }
      if (done !== undefined) toast(done);
    }
  } else {toast([reply.message, ...reply.details.map(({ message }) => message)].join(" "), {
      bad: true,
    });}
  button.disabled = false;
  button.removeAttribute("aria-busy");
}

/** Saves the choice of a `select` as one key of a body; the page shows the result. */
async function change(select: HTMLSelectElement): Promise<void> {
  const { changeBody = "{}" } = select.dataset;
  const body = { ...JSON.parse(changeBody), [dataOf(select, "changeKey")]: select.value };
  const reply = await callLine(dataOf(select, "change"), { body });
  if (reply.ok) return location.reload();
  toast(reply.message, { bad: true });
  for (const option of select.options) option.selected = option.defaultSelected;
}

/** A sentence about published documents that refer to a document; empty if none do. */
export async function usesOf(path: string): Promise<string> {
  const reply = await callLine<{ published: number; titles: string[] }>(`GET ${path}`);
  if (!reply.ok || reply.body.published === 0) return "";
  const { published, titles } = reply.body;
  const named = titles.map((title) => `“${title}”`).join(", ");
  const more = published - titles.length;
  const others = more > 0 ? ` and ${more} more` : "";
  return `Published documents refer to it and will show nothing in its place: ${named}${others}.`;
}

/** Asks for confirmation in a dialog. If a word is given, the user must type it first. */
export function confirmed(
  question: string,
  verb: string,
  { word, isCalm = false }: { word?: string | undefined; isCalm?: boolean } = {},
): Promise<boolean> {
  const dialog = document.createElement("dialog");
  const text = document.createElement("p");
  text.textContent = question;
  text.id = "question";
  dialog.setAttribute("aria-labelledby", "question");
  const foot = document.createElement("div");
  foot.className = "dialog-foot";
  const cancel = document.createElement("button");
  cancel.className = "button";
  cancel.textContent = "Cancel";
  const go = document.createElement("button");
  go.className = isCalm ? "button primary" : "button danger primary";
  go.textContent = verb;
  foot.append(cancel, go);
  const typing = word === undefined ? null : typedWord(word, go);
  dialog.append(text, ...(typing === null ? [] : [typing.field]), foot);
  const answer = answered(dialog, { cancel, go });
  (typing?.input ?? cancel).focus();
  return answer;
}

/** A field that enables a button while it contains a word. */
function typedWord(word: string, go: HTMLButtonElement) {
  const input = make("input", { id: "typed-word", type: "text", autocomplete: "off" });
  const label = make("label", { for: input.id }, `Type “${word}” to confirm`);
  const field = make("div", { class: "field" }, label, input);
  go.disabled = true;
  input.addEventListener("input", () => go.disabled = input.value.trim() !== word);
  return { field, input };
}

/** Shows a dialog of the page's own until one of its two buttons, or Escape, has answered it. */
export function answered(
  dialog: HTMLDialogElement,
  { cancel, go }: { cancel: HTMLButtonElement; go: HTMLButtonElement },
): Promise<boolean> {
  document.body.append(dialog);
  return new Promise((resolve) => {
    cancel.onclick = () => dialog.close();
    go.onclick = () => dialog.close("yes");
    dialog.onclose = () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    };
    dialog.showModal();
  });
}

async function copy(button: HTMLElement): Promise<void> {
  const from = document.getElementById(dataOf(button, "copy"));
  await navigator.clipboard.writeText(from?.textContent?.trim() ?? "");
  toast("Copied");
}
