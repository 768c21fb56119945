/**
 * Runs in the browser. The tabs of a document's form. Revealing a field opens its tab, and each tab shows how
 * many errors and which other users it contains.
 *
 * @module
 */
import { all, get, make } from "../page/elements.ts";

/** Starts the tabs if the form has any. */
export function startFieldTabs(form: HTMLElement): void {
  const root = form.querySelector<HTMLElement>("[data-field-tabs]");
  if (root !== null) new FieldTabs(root).start();
}

class FieldTabs {
  readonly #root: HTMLElement;
  readonly #tabs: HTMLElement[];

  constructor(root: HTMLElement) {
    this.#root = root;
    this.#tabs = all(root, "[role=tab]");
  }

  start(): void {
    for (const tab of this.#tabs) tab.addEventListener("click", () => this.#choose(tab));
    this.#tabs[0]!.parentElement!.addEventListener("keydown", (event) => this.#key(event));
    this.#root.addEventListener("reveal", ({ target }) => this.#reveal(target as Element));
    const marked = { subtree: true, attributeFilter: ["aria-invalid", "data-others"] };
    new MutationObserver(() => this.#mark()).observe(this.#root, marked);
    const named = document.getElementById(location.hash.slice(1));
    if (named !== null && this.#root.contains(named)) this.#reveal(named);
    this.#mark();
  }

  /** The address keeps it, so that it is open again after the page was. */
  #choose(tab: HTMLElement): void {
    this.#show(tab);
    history.replaceState(history.state, "", `#${tab.getAttribute("aria-controls")}`);
  }

  #show(chosen: HTMLElement): void {
    for (const tab of this.#tabs) {
      const isChosen = tab === chosen;
      tab.setAttribute("aria-selected", String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
      this.#panelOf(tab).hidden = !isChosen;
    }
    chosen.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  #reveal(element: Element): void {
    const tab = this.#tabs.find((tab) => this.#panelOf(tab).contains(element));
    if (tab !== undefined) this.#show(tab);
  }

  #key(event: KeyboardEvent): void {
    const index = this.#tabs.indexOf(event.target as HTMLElement);
    const last = this.#tabs.length - 1;
    const next = {
      ArrowRight: index === last ? 0 : index + 1,
      ArrowLeft: index === 0 ? last : index - 1,
      Home: 0,
      End: last,
    }[event.key];
    const tab = next === undefined ? undefined : this.#tabs[next];
    if (index === -1 || tab === undefined) return;
    event.preventDefault();
    this.#choose(tab);
    tab.focus();
  }

  #mark(): void {
    for (const tab of this.#tabs) {
      const panel = this.#panelOf(tab);
      const failures = all(panel, "[aria-invalid=true]").length;
      const others = all(panel, "[data-others]").length;
      const marks = get(tab, "[data-marks]");
      marks.replaceChildren(
        ...failures > 0
          ? [make("span", { class: "badge bad" }, `${failures}`), screenReaderText(" to fix")]
          : [],
        ...others > 0
          ? [make("span", { class: "other-here" }), screenReaderText(" others are here")]
          : [],
      );
    }
  }

  #panelOf(tab: HTMLElement): HTMLElement {
    return get(this.#root, `#${tab.getAttribute("aria-controls")}`);
  }
}

function screenReaderText(text: string): HTMLElement {
  return make("span", { class: "sr" }, text);
}
