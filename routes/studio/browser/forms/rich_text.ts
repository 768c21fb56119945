/**
 * Runs in the browser. Starts the editors of rich text and of JSON, which are large, on the pages that have one.
 * That of rich text opens forms that hold editors again, so they are named by the entry point and not imported here.
 *
 * @module
 */
import { all, make } from "../page/elements.ts";

/** Dispatched with a newer value to the island of a rich text or the text area of JSON. */
export const REPLACE_EVENT = "portable-text:replace";

/** The parameter of a document's address that names a block of one of its texts by its key. */
export const BLOCK_PARAMETER = "block";

/** Events by which other modules find the editor of an island, whichever is loaded first. */
export const TEXT_EVENTS = {
  /** Dispatched by an island, or a text within an object, once its editor has started. */
  started: "text-started",
  /** Dispatched to an island with a function, which receives the open text. */
  open: "text-open",
  /** Dispatched to a text within an object with a path: the one at this path starts its editor. */
  wake: "text-wake",
  replace: REPLACE_EVENT,
};

/** Loads an editor; answers the function that starts it on an island. */
export type EditorLoader = () => Promise<(island: HTMLElement) => void>;

/** The islands of texts that have an editor of their own. */
const ISLANDS = ["portable-text", "json"] as const;

/** The module of each kind of editor. */
export type EditorLoaders = Record<typeof ISLANDS[number], EditorLoader>;

let loaders: EditorLoaders | null = null;

/** Sets the URLs of the editors, once per page. */
export function provideEditors(given: EditorLoaders): void {
  loaders = given;
}

/**
 * Starts the editor of an island; that of JSON when its island is near. A text stays readable until its editor is
 * there, and if its module fails to load.
 */
export async function startEditor(island: HTMLElement): Promise<void> {
  const kind = island.dataset.island as typeof ISLANDS[number];
  if (kind === "json") await untilNearlyVisible(island);
  try {
    const start = await loaders?.[kind]();
    start?.(island);
  } catch (error) {
    // The text area of JSON can be edited without its editor.
    if (kind === "portable-text") showLoadFailure(island);
    throw error;
  }
}

function showLoadFailure(island: HTMLElement): void {
  const reload = make("button", { type: "button", class: "button" }, "Reload page");
  reload.addEventListener("click", () => location.reload());
  const sentence = "The editor failed to load, so this text is read-only. ";
  island.prepend(make("p", { class: "alert bad", role: "alert" }, sentence, reload));
}

/** Starts every editor in newly added elements. */
export function startEditors(within: HTMLElement): void {
  for (const kind of ISLANDS) {
    for (const island of all(within, `[data-island="${kind}"]`)) void startEditor(island);
  }
}

/** How far below the window a control is near, as a margin of it. */
const VISIBLE_MARGIN = "50%";

function untilNearlyVisible(element: HTMLElement): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    observer.disconnect();
    resolve();
  }, { rootMargin: VISIBLE_MARGIN });
  observer.observe(element);
  return promise;
}
