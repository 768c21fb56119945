/**
 * Runs in the browser. The settings pages: one bar saves every form that has changed in one request, and the
 * list of sections shows which one is in view.
 *
 * @module
 */
/// <reference lib="dom" />
import type { Detail, Reply } from "../page/call.ts";

/** Functions of the main bundle, which this part does not load again. */
export interface SaveBarTools {
  all<E extends HTMLElement>(root: ParentNode, selector: string): E[];
  allowLeaving(form: HTMLElement): void;
  call(method: string, path: string, options: { body: unknown }): Promise<Reply>;
  controlAt(form: HTMLElement, path: string): HTMLElement | null;
  dataOf(element: HTMLElement, name: string): string;
  get<E extends HTMLElement>(root: ParentNode, selector: string): E;
  readForm(form: HTMLFormElement): Record<string, unknown> | null;
  showFailures(
    form: HTMLElement,
    reply: Reply,
    find: (field: string) => HTMLElement | null,
  ): void;
  toastLater(text: string): void;
}

/** Forms that the bar saves. */
const SAVED = "form[data-guard]";

/** Starts the bar and the list of sections of a page, if it has them. */
export function startSaveBar(tools: SaveBarTools, page: HTMLElement): void {
  const bar = page.querySelector<HTMLElement>("[data-save-bar]");
  if (bar !== null) new SaveBar(tools, page, bar);
  const links = tools.all<HTMLAnchorElement>(page, "[data-sections] a");
  if (links.length > 0) followSections(tools, page, links);
}

class SaveBar {
  readonly #tools: SaveBarTools;
  readonly #page: HTMLElement;
  readonly #bar: HTMLElement;
  readonly #save: HTMLButtonElement;

  constructor(tools: SaveBarTools, page: HTMLElement, bar: HTMLElement) {
    this.#tools = tools;
    this.#page = page;
    this.#bar = bar;
    this.#save = tools.get(bar, "[data-save]");
    this.#save.addEventListener("click", () => void this.#send());
    tools.get(bar, "[data-discard]").addEventListener("click", () => this.#discard());
    // Enter in a field saves like the bar does, with the changes of all forms.
    page.addEventListener("submit", (event) => {
      if (!(event.target as Element).matches(SAVED)) return;
      event.preventDefault();
      event.stopPropagation();
      void this.#send();
    }, { capture: true });
    addEventListener("keydown", (event: KeyboardEvent) => {
      if (event.key !== "s" || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      void this.#send();
    });
    const attributes = { subtree: true, attributes: true, attributeFilter: ["data-state"] };
    new MutationObserver(() => this.#show()).observe(page, attributes);
    this.#show();
  }

  #changed(): HTMLFormElement[] {
    return this.#tools.all(this.#page, `${SAVED}[data-state=unsaved]`);
  }

  #show(): void {
    const forms = this.#changed();
    this.#bar.hidden = forms.length === 0;
    const names = forms.map((form) => form.closest("section")?.querySelector("h2")?.textContent);
    const known = new Intl.ListFormat("en").format(
      names.filter((name) => typeof name === "string"),
    );
    this.#tools.get(this.#bar, "[data-unsaved]").textContent = `Unsaved changes in ${known}`;
  }

  #discard(): void {
    for (const form of this.#changed()) {
      form.reset();
      this.#tools.allowLeaving(form);
    }
    location.reload();
  }

  async #send(): Promise<void> {
    const forms = this.#changed();
    if (forms.length === 0 || this.#save.disabled) return;
    const body: Record<string, unknown> = {};
    for (const form of forms) {
      const values = this.#tools.readForm(form);
      if (values === null) return;
      Object.assign(body, values);
    }
    this.#busy(true);
    const reply = await this.#tools.call("PATCH", "/api/admin/settings", { body });
    this.#busy(false);
    if (!reply.ok) {
      this.#fail(forms, reply);
      return;
    }
    for (const form of forms) this.#tools.allowLeaving(form);
    this.#tools.toastLater(this.#tools.dataOf(this.#bar, "done"));
    location.reload();
  }

  #busy(is: boolean): void {
    this.#save.disabled = is;
    this.#save.setAttribute("aria-busy", String(is));
  }

  /** Shows each error in the form that it belongs to; the first form that has one is focused last. */
  #fail(forms: HTMLFormElement[], reply: Reply): void {
    const { controlAt, showFailures } = this.#tools;
    const formOf = ({ field }: Detail) =>
      forms.find((form) => controlAt(form, field) !== null) ?? forms[0];
    for (const form of forms.toReversed()) {
      const details = reply.details.filter((detail) => formOf(detail) === form);
      const isShown = details.length > 0 || (reply.details.length === 0 && form === forms[0]);
      if (isShown) showFailures(form, { ...reply, details }, (field) => controlAt(form, field));
    }
  }
}

/** Marks the link of the section that is being read: the last one whose start is above the upper third. */
function followSections(
  { get }: SaveBarTools,
  page: HTMLElement,
  links: HTMLAnchorElement[],
): void {
  const sections = links.map(({ hash }) => get(page, `[id="${hash.slice(1)}"]`));
  const mark = () => {
    const line = innerHeight / 3;
    const read = sections.findLastIndex((one) => one.getBoundingClientRect().top <= line);
    const isAtEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
    const current = isAtEnd ? sections.length - 1 : Math.max(read, 0);
    for (const [index, link] of links.entries()) {
      if (index === current) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  };
  let frame = 0;
  addEventListener("scroll", () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(mark);
  }, { passive: true });
  mark();
}
