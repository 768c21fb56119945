/**
 * Runs in the browser, on the search page: shows results as the user types. The functions are sent as source
 * text, so they cannot use anything outside of them.
 *
 * @module
 */
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** A result of the API's search. */
interface SearchHit {
  documentId: string;
  collectionSlug: string;
  title: string;
  snippet: string;
}

/** A piece of text, and whether it is a match. */
type Piece = [text: string, isMatch: boolean];

/** The elements and state of the page. */
interface SearchPage {
  form: HTMLFormElement;
  input: HTMLInputElement;
  status: HTMLElement;
  list: HTMLElement;
  more: HTMLButtonElement;
  /** Names of the collections that have pages, by slug. */
  names: Map<string, string>;
  /** The last page that is shown. */
  shown: number;
  /** Ends the request that is under way. */
  asked: AbortController;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** Starts the page. */
export function startSearch(): void {
  const get = <T extends HTMLElement>(selector: string) => document.querySelector<T>(selector)!;
  const collections = document.querySelectorAll<HTMLElement>("[data-search-collection]");
  const page: SearchPage = {
    form: get("form[data-search]"),
    input: get("form[data-search] input[name=q]"),
    status: get("[data-search-status]"),
    list: get("[data-search-results]"),
    more: get("[data-search-more]"),
    names: new Map(
      [...collections].map((one) => [one.dataset.searchCollection ?? "", one.textContent ?? ""]),
    ),
    shown: 1,
    asked: new AbortController(),
    timer: undefined,
  };
  page.input.addEventListener("input", () => searchSoon(page, 1, 180));
  page.form.addEventListener("submit", (event) => {
    event.preventDefault();
    searchSoon(page, 1, 0);
  });
  page.more.addEventListener("click", () => searchSoon(page, page.shown + 1, 0));
  document.addEventListener("keydown", (event) => stepThrough(page, event));
  page.input.value = new URLSearchParams(location.search).get("q") ?? "";
  if (page.input.value !== "") searchSoon(page, 1, 0);
}

/** Arrow keys move from the field through the results and back. */
export function stepThrough({ input, list }: SearchPage, event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const stops: Element[] = [input, ...list.querySelectorAll("a")];
  const at = stops.indexOf(document.activeElement!);
  const next = step === undefined || at < 0 ? undefined : stops[at + step];
  if (next === undefined) return;
  event.preventDefault();
  (next as HTMLElement).focus();
}

/** Searches after a pause, replacing a pending search. */
export function searchSoon(page: SearchPage, wanted: number, pauseMs: number): void {
  clearTimeout(page.timer);
  page.timer = setTimeout(() => {
    page.asked.abort();
    page.asked = new AbortController();
    const { signal } = page.asked;
    searchNow(page, wanted, signal).catch(() => {
      if (!signal.aborted) {
        page.status.textContent = page.form.dataset.silent ??
          "Search is not responding. Try again later.";
      }
    });
  }, pauseMs);
}

/** Shows a page of results for the text in the field. */
export async function searchNow(
  page: SearchPage,
  wanted: number,
  signal: AbortSignal,
): Promise<void> {
  const { form, input, status, list, more, names } = page;
  const words = form.dataset;
  const perPage = 20;
  const q = input.value.trim();
  history.replaceState(null, "", location.pathname + (q && `?${new URLSearchParams({ q })}`));
  if ([...q].length < 2) {
    list.replaceChildren();
    status.textContent = "";
    more.hidden = true;
    return;
  }
  const query = new URLSearchParams({ q, page: String(wanted), perPage: String(perPage) });
  if (form.dataset.narrowed !== undefined) {
    for (const slug of names.keys()) query.append("collection", slug);
  }
  if (words.language !== undefined) query.set("language", words.language);
  const answer = await fetch(`/api/v1/search?${query}`, { signal });
  if (answer.status === 429) {
    status.textContent = words.busy ?? "Too many searches right now. Retrying in a moment.";
    searchSoon(page, wanted, 1_000 * (Number(answer.headers.get("retry-after")) || 1));
    return;
  }
  if (!answer.ok) throw new Error(String(answer.status));
  const { data, meta } = await answer.json() as { data: SearchHit[]; meta: { total: number } };
  const rows = data.filter(({ collectionSlug }) => names.has(collectionSlug))
    .map((found) => foundItem(found, names, words.prefix ?? ""));
  if (wanted === 1) list.replaceChildren(...rows);
  else list.append(...rows);
  page.shown = wanted;
  more.hidden = wanted * perPage >= meta.total;
  const { total } = meta;
  const none = words.none ?? "No results for “{words}”.";
  const [one, many] = [words.one ?? "1 result", words.many ?? "{number} results"];
  if (total === 0) status.textContent = none.replace("{words}", () => q);
  else status.textContent = total === 1 ? one : many.replace("{number}", String(total));
}

/** A result as an item of the list. */
export function foundItem(
  found: SearchHit,
  names: Map<string, string>,
  prefix: string,
): HTMLElement {
  const make = (tag: string, className: string, ...children: (Node | string)[]) => {
    const element = document.createElement(tag);
    if (className !== "") element.className = className;
    element.append(...children);
    return element;
  };
  const { title, rest } = piecesOf(found);
  const shown = (pieces: Piece[]) =>
    pieces.map(([text, isMatch]) => isMatch ? make("mark", "", text) : text);
  const link = make("a", "", ...shown(title)) as HTMLAnchorElement;
  // The address by id leads to the page.
  link.href = `${prefix}/${found.collectionSlug}/${found.documentId}`;
  return make(
    "li",
    "",
    make(
      "article",
      "teaser",
      make("p", "when", names.get(found.collectionSlug) ?? ""),
      make("h2", "", link),
      ...rest.length === 0 ? [] : [make("p", "", ...shown(rest))],
    ),
  );
}

/**
 * The title of a result and the rest of its snippet. If only the title matches, the snippet starts with it; the
 * matches are then shown in the title, so that it does not appear twice.
 */
export function piecesOf({ title, snippet }: SearchHit): { title: Piece[]; rest: Piece[] } {
  // Of the snippet's markup only the marks are taken, everything else as text.
  const { childNodes } = new DOMParser().parseFromString(snippet, "text/html").body;
  const pieces = [...childNodes].map((node): Piece => [
    node.textContent ?? "",
    node.nodeName === "MARK",
  ]);
  const text = pieces.map(([piece]) => piece).join("");
  const own = title.normalize("NFC").replace(/\s+/g, " ").trim();
  const dash = " – ";
  if (text !== own && !text.startsWith(own + dash)) {
    // A snippet contains only a part of a long title.
    const isPart = own.includes(text.replace(/^…|…$/g, ""));
    return { title: [[title, false]], rest: isPart ? [] : pieces };
  }
  const between = (from: number, to: number) => {
    let at = 0;
    return pieces.map(([piece, isMatch]): Piece => {
      const start = at;
      at += piece.length;
      return [piece.slice(Math.max(0, from - start), Math.max(0, to - start)), isMatch];
    }).filter(([piece]) => piece !== "");
  };
  return { title: between(0, own.length), rest: between(own.length + dash.length, text.length) };
}
