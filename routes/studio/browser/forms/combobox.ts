/**
 * Runs in the browser. A combobox for a `select`: typing searches, arrow keys move, Enter chooses. With
 * `data-source`, the server searches as well.
 *
 * @module
 */
import { COMBOBOX_FOUND_MAX, COMBOBOX_SHOWN_MAX } from "../../../input/limits.ts";
import { call, type ListBody } from "../page/call.ts";
import { make, removeWhenClosed, showBeside } from "../page/elements.ts";

interface Choice {
  value: string;
  label: string;
}

const PAUSE_MS = 150;
const SELECTOR = "select[data-combobox]:not(:disabled)";

/** Opens the list of whichever control is asked, also of those to come. */
export function startComboboxes(): void {
  const combobox = new Combobox();
  const selectOf = (event: Event) => (event.target as Element).closest?.(SELECTOR);
  // Prevents the browser from opening its own list on pointer down.
  document.addEventListener("mousedown", (event) => {
    const select = selectOf(event) as HTMLSelectElement | null | undefined;
    if (!select || event.button !== 0) return;
    event.preventDefault();
    select.focus();
  });
  document.addEventListener("click", (event) => {
    const select = selectOf(event) as HTMLSelectElement | null | undefined;
    if (select) combobox.open(select, "");
  });
  document.addEventListener("keydown", (event) => {
    const select = selectOf(event) as HTMLSelectElement | null | undefined;
    if (!select || event.ctrlKey || event.metaKey) return;
    const isText = event.key.length === 1 && event.key !== " ";
    if (!isText && !["Enter", " ", "ArrowDown", "ArrowUp", "F4"].includes(event.key)) return;
    event.preventDefault();
    combobox.open(select, isText ? event.key : "");
  });
}

class Combobox {
  readonly #list = make("ul", { role: "listbox", id: "combobox-list" });
  readonly #message = make("p", { role: "status" });
  readonly #input = make("input", {
    type: "text",
    role: "combobox",
    "aria-expanded": "true",
    "aria-controls": this.#list.id,
    "aria-autocomplete": "list",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: "Search",
  });
  readonly #root = make("div", { class: "combobox", popover: "auto" });
  #select!: HTMLSelectElement;
  #choices: Choice[] = [];
  #active = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asking = new AbortController();

  constructor() {
    this.#root.append(this.#input, this.#list, this.#message);
    this.#input.addEventListener("input", () => this.#search());
    this.#root.addEventListener("keydown", (event) => this.#onKey(event));
    this.#list.addEventListener("click", (event) => {
      const option = (event.target as Element).closest("li");
      if (option !== null) this.#choose([...this.#list.children].indexOf(option));
    });
    removeWhenClosed(this.#root);
    for (const type of ["input", "change"]) {
      this.#root.addEventListener(type, (event) => event.stopPropagation());
    }
  }

  /** Opens the list of a control, with the first letter that was typed. */
  open(select: HTMLSelectElement, text: string): void {
    if (this.#root.matches(":popover-open")) this.#root.hidePopover();
    this.#select = select;
    const name = select.getAttribute("aria-label") ??
      select.labels[0]?.textContent?.trim() ?? "Choices";
    this.#input.setAttribute("aria-label", `Search: ${name}`);
    this.#list.setAttribute("aria-label", name);
    this.#input.value = text;
    select.after(this.#root);
    this.#search();
    showBeside(this.#root, select);
    this.#input.focus();
  }

  #search(): void {
    clearTimeout(this.#timer);
    this.#asking.abort();
    const text = this.#input.value.trim().toLowerCase();
    const own = [...this.#select.options]
      .map(({ value, text }) => ({ value, label: text }))
      .filter(({ label }) => label.toLowerCase().includes(text));
    const { source } = this.#select.dataset;
    // A list without local choices starts with the first results of the server.
    const isAsked = source !== undefined && (text !== "" || own.length <= 1);
    this.#draw(own, isAsked);
    if (!isAsked) return;
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    this.#timer = setTimeout(async () => {
      const found = await findChoices(source, text, signal);
      if (signal.aborted) return;
      const known = new Set(own.map(({ value }) => value));
      this.#draw([...own, ...found.filter(({ value }) => !known.has(value))], false);
    }, PAUSE_MS);
  }

  #draw(choices: Choice[], isSearching: boolean): void {
    this.#choices = choices.slice(0, COMBOBOX_SHOWN_MAX);
    const { value } = this.#select;
    const options = this.#choices.map(({ value: one, label }, index) =>
      make("li", {
        role: "option",
        id: `combobox-${index}`,
        "aria-selected": String(one === value),
      }, label)
    );
    this.#list.replaceChildren(...options);
    const chosen = this.#choices.findIndex((choice) => choice.value === value);
    this.#activate(this.#input.value === "" ? Math.max(chosen, 0) : 0);
    const more = choices.length - this.#choices.length;
    this.#message.textContent = isSearching
      ? "Searching …"
      : choices.length === 0
      ? "No matches."
      : more > 0
      ? `${more.toLocaleString("en")} more: type to search.`
      : "";
    this.#message.hidden = this.#message.textContent === "";
  }

  #activate(index: number): void {
    this.#active = index;
    for (const [at, option] of [...this.#list.children].entries()) {
      option.classList.toggle("active", at === index);
    }
    const active = this.#list.children[index];
    if (active === undefined) return this.#input.removeAttribute("aria-activedescendant");
    this.#input.setAttribute("aria-activedescendant", active.id);
    active.scrollIntoView({ block: "nearest" });
  }

  #onKey(event: KeyboardEvent): void {
    if (event.key === "Escape") return event.stopPropagation();
    const last = this.#choices.length - 1;
    const to: Record<string, number> = {
      ArrowDown: Math.min(this.#active + 1, last),
      ArrowUp: Math.max(this.#active - 1, 0),
      PageDown: Math.min(this.#active + 10, last),
      PageUp: Math.max(this.#active - 10, 0),
    };
    const next = to[event.key];
    if (next !== undefined && last >= 0) this.#activate(next);
    else if (event.key === "Enter") this.#choose(this.#active);
    else if (event.key === "Tab") return this.#root.hidePopover();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #choose(index: number): void {
    const choice = this.#choices[index];
    if (choice === undefined) return;
    const select = this.#select;
    if (![...select.options].some(({ value }) => value === choice.value)) {
      select.append(make("option", { value: choice.value }, choice.label));
    }
    const isNew = select.value !== choice.value;
    select.value = choice.value;
    this.#root.hidePopover();
    select.focus();
    if (!isNew) return;
    for (const type of ["input", "change"]) {
      select.dispatchEvent(new Event(type, { bubbles: true }));
    }
  }
}

/** Documents or users whose titles or names contain a text. */
async function findChoices(source: string, text: string, signal: AbortSignal): Promise<Choice[]> {
  const url = new URL(source, location.href);
  if (text !== "") url.searchParams.set("q", text);
  url.searchParams.set("fields", "id,title");
  url.searchParams.set("perPage", String(COMBOBOX_FOUND_MAX));
  const reply = await call<ListBody<{ id: string; title: string }>>(
    "GET",
    `${url.pathname}${url.search}`,
    { signal },
  ).catch(() => null);
  const rows = reply?.body?.data ?? [];
  return rows.map(({ id, title }) => ({ value: id, label: title || "Untitled" }));
}
