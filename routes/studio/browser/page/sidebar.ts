/**
 * Runs in the browser. The columns beside a page: collapsing them. The navigation: opening and closing its groups, narrowing a long one.
 *
 * @module
 */
/// <reference lib="dom" />
import { keepChoice } from "./cookie.ts";
import { all, dataOf, enclosing, get } from "./elements.ts";

/** The storage key of the scroll position. */
const SCROLLED = "studio-navigation";

/** Makes the sidebar remember how it was left. */
export function startSidebar(): void {
  for (const button of all(document, "[data-collapse]")) startCollapsing(button);
  const groups = all<HTMLDetailsElement>(document, "[data-nav-group]");
  for (const group of groups) {
    // Only groups that the user closes are remembered, not those that the page opens.
    group.querySelector("summary")?.addEventListener("click", () => {
      requestAnimationFrame(() => {
        const closed = groups.filter(({ open }) => !open).map((group) => dataOf(group, "navGroup"));
        keepChoice("studio-closed", closed.join("."));
      });
    });
  }
  for (const filter of all<HTMLInputElement>(document, "[data-nav-filter]")) startFilter(filter);
  const navigation = document.querySelector<HTMLElement>("#navigation");
  if (navigation !== null) startScrolling(navigation, get(navigation, ".nav"));
}

/** A column that is collapsed stays so on the pages that follow. */
function startCollapsing(button: HTMLElement): void {
  const column = dataOf(button, "collapse");
  button.addEventListener("click", () => {
    const { dataset } = document.documentElement;
    const collapsed = dataset[column] !== "collapsed";
    if (collapsed) dataset[column] = "collapsed";
    else delete dataset[column];
    button.setAttribute("aria-pressed", String(collapsed));
    keepChoice(`studio-${column}`, collapsed ? "collapsed" : "open");
  });
}

/** The navigation keeps its scroll position between pages and shows the current entry. */
function startScrolling(navigation: HTMLElement, list: HTMLElement): void {
  addEventListener("pagehide", () => sessionStorage.setItem(SCROLLED, String(list.scrollTop)));
  const show = () => {
    list.scrollTop = Number(sessionStorage.getItem(SCROLLED));
    const current = list.querySelector("[aria-current]")?.getBoundingClientRect();
    const { top, bottom } = list.getBoundingClientRect();
    if (!current?.height || (current.top >= top && current.bottom <= bottom)) return;
    list.scrollTop += (current.top + current.bottom - top - bottom) / 2;
  };
  requestAnimationFrame(show);
  // On a narrow window it has no place until it is opened.
  navigation.addEventListener("toggle", (event) => {
    if ((event as ToggleEvent).newState === "open") show();
  });
}

function startFilter(filter: HTMLInputElement): void {
  const entries = all<HTMLLIElement>(enclosing(filter, "details"), "li");
  filter.addEventListener("input", () => {
    const wanted = filter.value.trim().toLowerCase();
    for (const entry of entries) {
      entry.hidden = !entry.textContent.toLowerCase().includes(wanted);
    }
  });
  filter.addEventListener("keydown", (event) => {
    const found = entries.filter(({ hidden }) => !hidden);
    if (event.key === "Enter") found[0]?.querySelector("a")?.click();
  });
}
