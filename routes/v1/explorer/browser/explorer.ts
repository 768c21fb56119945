/**
 * Runs in the browser. The page: token, list of requests, form, answer.
 *
 * @module
 */
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { type Answer, answerView, parsedBody, send } from "./answer_view.ts";
import { button, byId, element } from "../../../browser/elements.ts";
import {
  groupsOf,
  isCollection,
  isFilter,
  type Operation,
  readOperations,
  slugIn,
} from "./operations.ts";
import { conditionBuilder } from "./conditions.ts";
import { overview, requestTemporaryToken, showReader } from "./start.ts";
import { showRefusal } from "./refusal_view.ts";
import { type ParameterControl, parameterControl, requestAddress } from "./request_form.ts";
import { asCurl, asFetch } from "./snippets.ts";

/** The state of the page. */
export interface Explorer {
  /** Given by the visitor; empty when there is none. */
  token: string;
  /** Given by the site, read-only; empty when there is none. */
  builtIn: string;
  /** Whether the visitor has signed in, and may be given a token for a while. */
  isSignedIn: boolean;
  operations: Operation[];
}

/** Starts the page. */
export function startExplorer(): void {
  const storageKey = "explorer-token";
  const meta = document.querySelector<HTMLMetaElement>('meta[name="explorer-token"]');
  const explorer: Explorer = {
    token: sessionStorage.getItem(storageKey) ?? "",
    builtIn: meta?.content ?? "",
    isSignedIn: document.querySelector('meta[name="explorer-session"]') !== null,
    operations: [],
  };
  const input = byId("token") as HTMLInputElement;
  const keep = byId("keep") as HTMLInputElement;
  input.value = explorer.token;
  keep.checked = explorer.token !== "";
  byId("token-form").addEventListener("submit", (event) => {
    event.preventDefault();
    explorer.token = input.value.trim();
    if (keep.checked && explorer.token !== "") sessionStorage.setItem(storageKey, explorer.token);
    else sessionStorage.removeItem(storageKey);
    const access = byId("access") as HTMLDetailsElement;
    access.open = false;
    access.querySelector("summary")?.focus();
    void load(explorer);
  });
  byId("forget").addEventListener("click", () => {
    sessionStorage.removeItem(storageKey);
    input.value = explorer.token = "";
    keep.checked = false;
    void load(explorer);
  });
  byId("filter").addEventListener("input", () => showOperations(explorer));
  globalThis.addEventListener("hashchange", () => {
    // Other fragments are places on the page.
    if (location.hash.startsWith("#op=")) showOperation(explorer);
  });
  document.addEventListener("keydown", (event) => {
    const typing = event.target instanceof Element && event.target.matches("input, select");
    if (event.key !== "/" || typing) return;
    event.preventDefault();
    byId("filter").focus();
  });
  void load(explorer);
}

/** The token that requests are made with. */
export function tokenOf({ token, builtIn }: Explorer): string {
  return token === "" ? builtIn : token;
}

/** Says something where screen readers hear it. */
export function showMessage(text: string): void {
  byId("message").textContent = text;
}

/** Loads the API description and shows its requests. */
export async function load(explorer: Explorer): Promise<void> {
  explorer.operations = [];
  if (tokenOf(explorer) === "" && explorer.isSignedIn) await loadTemporaryToken(explorer);
  showReader(explorer);
  const token = tokenOf(explorer);
  if (token === "") showMessage("");
  else {
    showMessage("Loading…");
    try {
      const answer = await send("/api/v1/_meta", token);
      if (answer.status === 200) {
        explorer.operations = readOperations(parsedBody(answer));
        const slugs = new Set(explorer.operations.map(({ path }) => slugIn(path)));
        const count = [...slugs].filter(isCollection).length;
        showMessage(`${count} ${count === 1 ? "collection" : "collections"}`);
      } else if (answer.status === 401) showMessage("The token is not valid.");
      else showMessage(`The API description could not be loaded (${answer.status}). Try again.`);
    } catch (error) {
      showMessage(`The site is not responding: ${error instanceof Error ? error.message : error}`);
    }
  }
  showOperations(explorer);
  showOperation(explorer);
}

/** Requests a temporary token. If the session has ended, the visitor has to enter one. */
export async function loadTemporaryToken(explorer: Explorer): Promise<void> {
  explorer.builtIn = await requestTemporaryToken();
  explorer.isSignedIn = explorer.builtIn !== "";
}

/** Lists the requests whose collection or title holds the filter's text. */
export function showOperations({ operations }: Explorer): void {
  const wanted = (byId("filter") as HTMLInputElement).value.trim().toLowerCase();
  const list = byId("operations");
  list.replaceChildren();
  const found = operations.filter(({ group, title }) =>
    `${group} ${title}`.toLowerCase().includes(wanted)
  );
  const current = location.hash.replace(/^#op=/, "");
  for (const [group, members] of groupsOf(found)) {
    const links = members.map((operation) =>
      element(
        "li",
        {},
        element("a", {
          href: `#op=${operation.id}`,
          ...(operation.id === current ? { "aria-current": "page" } : {}),
        }, ...linkTitle(operation)),
      )
    );
    const about = members[0]?.groupAbout ?? "";
    list.append(
      element("h2", {}, group),
      element("p", { class: "about line", title: about }, about === group ? "" : about),
      element("ul", {}, ...links),
    );
  }
}

/** Shows the form of the request that the address names. */
export function showOperation(explorer: Explorer): void {
  const panel = byId("request");
  const current = location.hash.replace(/^#op=/, "");
  const operation = explorer.operations.find(({ id }) => id === current);
  for (const link of byId("operations").querySelectorAll("a")) {
    const isCurrent = link.getAttribute("href") === `#op=${current}`;
    if (isCurrent) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  const result = byId("result");
  result.hidden = operation === undefined;
  if (operation === undefined) {
    panel.replaceChildren(...overview(explorer));
    return;
  }
  const { form, answer } = operationView(explorer, operation);
  panel.replaceChildren(...form);
  result.replaceChildren(...answer);
}

/** The form of one request, with its code and response. */
export function operationView(
  explorer: Explorer,
  operation: Operation,
): { form: HTMLElement[]; answer: HTMLElement[] } {
  const preview = element("output", { class: "address" });
  const output = element("div", { id: "answer" });
  const command = element("pre", { tabindex: "0", "aria-label": "As a curl command" });
  const program = element("pre", { tabindex: "0", "aria-label": "As JavaScript" });
  const filters = operation.parameters.filter(isFilter);
  const fixed = operation.parameters.filter((parameter) => !isFilter(parameter))
    .map((parameter) => parameterControl(parameter, changed));
  const conditions = filters.length === 0 ? null : conditionBuilder(filters, changed);
  const controls = () => [...fixed, ...conditions?.controls() ?? []];
  const address = () => requestAddress(operation, controls());
  const url = () => location.origin + address();
  function changed(): void {
    preview.textContent = `GET ${address()}`;
    command.textContent = asCurl(url(), operation.open);
    program.textContent = asFetch(url(), operation.open);
  }
  const copy = (text: string, what: string) => void copyText(text, what);
  const submit = async (event: Event) => {
    event.preventDefault();
    showMessage("Sending…");
    try {
      const answer = await sendAs(explorer, address(), operation.open);
      output.replaceChildren(answerView(answer, copy));
      showRefusal(form, controls(), answer);
      if (answer.status < 400) bringIntoView(output);
      showMessage("");
    } catch (error) {
      showMessage(`The request failed: ${error instanceof Error ? error.message : error}`);
    }
  };
  const form = element(
    "form",
    { onsubmit: (event) => void submit(event) },
    preview,
    element(
      "div",
      { class: "tools" },
      element("button", { type: "submit", class: "primary" }, "Send"),
      button("Copy as curl", () => copy(command.textContent, "curl command")),
      button("Copy as fetch", () => copy(program.textContent, "JavaScript code")),
    ),
    parameterGrid(fixed),
    ...(conditions === null ? [] : [conditions.node]),
    // Its line is kept free, so that nothing moves when a refusal comes.
    element("p", { class: "refused", role: "alert" }),
  );
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  changed();
  const heading = element("h2", { id: "operation-title" }, operation.title);
  const snippets = element("div", { class: "snippets" }, command, program);
  return {
    form: [heading, element("p", { class: "about" }, operation.about), form],
    answer: [element("h2", {}, "Response"), output, element("h2", {}, "Code"), snippets],
  };
}

/** Sends a request; an expired temporary token is renewed. */
export async function sendAs(explorer: Explorer, address: string, open: boolean): Promise<Answer> {
  const answer = await send(address, open ? "" : tokenOf(explorer));
  if (answer.status !== 401 || explorer.token !== "" || !explorer.isSignedIn) return answer;
  await loadTemporaryToken(explorer);
  showReader(explorer);
  return await send(address, open ? "" : tokenOf(explorer));
}

/** Moves the window to an answer that stands below it: on a phone the form fills more than one. */
export function bringIntoView(answer: HTMLElement): void {
  if (answer.getBoundingClientRect().top > innerHeight - 96) {
    byId("result").scrollIntoView({ block: "start" });
  }
}

/** The title of a request in the list of its collection, whose name is read and not shown again. */
export function linkTitle({ title, group }: Operation): (Node | string)[] {
  const [before, after] = title.split(` in ${group}`);
  if (before === undefined || after === undefined) return [title];
  return [before, element("span", { class: "unseen" }, ` in ${group}`), after];
}

/** The controls that every request of this kind has. */
export function parameterGrid(controls: ParameterControl[]): HTMLElement {
  return element("div", { class: "parameters" }, ...controls.map(({ node }) => node));
}

/** Copies a text to the clipboard and confirms it. */
export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showMessage(`${what} copied.`);
  } catch {
    // Browsers without leave to write there: the text can still be taken by hand.
    globalThis.prompt("Copy this text:", text);
  }
}
