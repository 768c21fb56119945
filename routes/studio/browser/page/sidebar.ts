/**
 * Runs in the browser. The columns beside a page: collapsing them. The navigation: opening and closing its groups, narrowing a long one.
 *
 * @module
 */
/// <reference lib="dom" />
import { keepChoice } from "./cookie.ts";
import { all, dataOf, enclosing, get } from "./elements.ts";
import { drawnOf } from "./fresh_page.ts";
import { toast } from "./toast.ts";

/** The storage key of the scroll position. */
const SCROLLED = "studio-navigation";

/** Makes the sidebar remember how it was left. */
export function startSidebar(): void {
  for (const button of all(document, "[data-collapse]")) startCollapsing(button);
  const navigation = document.querySelector<HTMLElement>("#navigation");
  if (navigation === null) return;
  const list = get(navigation, ".nav");
  startGroups(list);
  startFilters(list);
  list.addEventListener("click", async ({ target }) => {
    const button = (target as Element).closest<HTMLElement>("[data-pin]");
    if (button === null) return;
    (await import("./pins.ts")).togglePin({ all, dataOf, drawnOf, toast }, list, button);
  });
  startScrolling(navigation, list);
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

/** Only groups that the user closes are remembered, not those that the page opens. */
function startGroups(list: HTMLElement): void {
  list.addEventListener("click", ({ target }) => {
    const summary = (target as Element).closest("summary");
    if (summary === null) return;
    // Kept before the browser opens or closes the group: the page may be left before that.
    const clicked = enclosing(summary, "details");
    const closed = all<HTMLDetailsElement>(list, "[data-nav-group]")
      .filter((group) => group.open === (group === clicked));
    keepChoice("studio-closed", closed.map((group) => dataOf(group, "navGroup")).join("."));
  });
}

function startFilters(list: HTMLElement): void {
  const entriesFor = (filter: Element) => all<HTMLLIElement>(enclosing(filter, "details"), "li");
  list.addEventListener("input", ({ target }) => {
    const wanted = (target as HTMLInputElement).value.trim().toLowerCase();
    for (const entry of entriesFor(target as Element)) {
      entry.hidden = !entry.textContent.toLowerCase().includes(wanted);
    }
  });
  list.addEventListener("keydown", ({ target, key }) => {
    if (key !== "Enter" || !(target as Element).matches("input")) return;
    const found = entriesFor(target as Element).find(({ hidden }) => !hidden);
    found?.querySelector("a")?.click();
  });
}
