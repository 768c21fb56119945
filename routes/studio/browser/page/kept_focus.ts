/**
 * Runs in the browser. An action that reloads the page leaves the focus of keyboard users where it was: at the control
 * that acted, or that opened its dialog or menu. So does a link to another state of the page, as a version of a history.
 *
 * @module
 */
const STORAGE_KEY = "studio-focus";
const CONTENT = "#content";
/** Attributes that distinguish controls, the most telling first. */
const NAMES = ["id", "data-opens", "data-action", "popovertarget", "name", "href"];

/** The focus of a page, by selectors of the places that may get it, the best first. */
interface KeptFocus {
  path: string;
  places: string[];
}

/** Restores the focus after a reload, and follows it for the next one. */
export function keepFocus(): void {
  restore();
  let last: Element | null = null;
  let isByKey = false;
  addEventListener("keydown", () => isByKey = true, true);
  addEventListener("pointerdown", () => isByKey = false, true);
  addEventListener("focusin", ({ target }) => {
    // A dialog is opened from elsewhere, and is closed after a reload.
    if (target instanceof Element && target.closest("dialog") === null) last = target;
  });
  addEventListener("pagehide", () => {
    if (!isByKey) return sessionStorage.removeItem(STORAGE_KEY);
    const menu = last?.closest("[popover]");
    const toggle = menu ? `[popovertarget="${menu.id}"]` : null;
    const places = [last === null ? null : selectorOf(last), toggle, CONTENT];
    const kept: KeptFocus = {
      path: location.pathname,
      places: places.filter((place) => place !== null),
    };
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(kept));
  });
}

function restore(): void {
  const kept: KeptFocus | null = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "null");
  sessionStorage.removeItem(STORAGE_KEY);
  if (kept?.path !== location.pathname) return;
  const [navigation] = performance.getEntriesByType("navigation");
  const isReload = (navigation as PerformanceNavigationTiming | undefined)?.type === "reload";
  for (const place of kept.places) {
    if (document.activeElement !== document.body) return;
    if (place === CONTENT && !isReload) return;
    // A hidden or disabled control does not take it.
    document.querySelector<HTMLElement>(place)?.focus({ preventScroll: true });
  }
}

/** A selector of this element alone; null if no attribute distinguishes it. */
function selectorOf(element: Element): string | null {
  for (const name of NAMES) {
    const value = element.getAttribute(name);
    if (!value) continue;
    const selector = `[${name}="${CSS.escape(value)}"]`;
    if (document.querySelectorAll(selector).length === 1) return selector;
  }
  return null;
}
