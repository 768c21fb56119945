/**
 * Runs in the browser. The page: token, list of requests, form, answer.
 *
 * @module
 */
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { answerView, parsedBody, send } from "./answer_view.ts";
import { button, byId, element } from "./elements.ts";
import { isFilter, type Operation, readOperations } from "./operations.ts";
import { conditionBuilder } from "./conditions.ts";
import { showRefusal } from "./refusal_view.ts";
import { type ParameterControl, parameterControl, requestAddress } from "./request_form.ts";
import { asCurl, asFetch } from "./snippets.ts";

/** What the page knows. */
export interface Explorer {
  /** Given by the visitor; empty when there is none. */
  token: string;
  /** Given by the site, read-only; empty when there is none. */
  builtIn: string;
  operations: Operation[];
}

/** Starts the page. */
export function startExplorer(): void {
  const kept = "explorer-token";
  const meta = document.querySelector<HTMLMetaElement>('meta[name="explorer-token"]');
  const explorer: Explorer = {
    token: sessionStorage.getItem(kept) ?? "",
    builtIn: meta?.content ?? "",
    operations: [],
  };
  const input = byId("token") as HTMLInputElement;
  const keep = byId("keep") as HTMLInputElement;
  input.value = explorer.token;
  keep.checked = explorer.token !== "";
  byId("token-form").addEventListener("submit", (event) => {
    event.preventDefault();
    explorer.token = input.value.trim();
    if (keep.checked && explorer.token !== "") sessionStorage.setItem(kept, explorer.token);
    else sessionStorage.removeItem(kept);
    void load(explorer);
  });
  byId("forget").addEventListener("click", () => {
    sessionStorage.removeItem(kept);
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
  if (explorer.token !== "" || explorer.builtIn !== "") void load(explorer);
}

/** The token that requests are made with. */
export function tokenOf({ token, builtIn }: Explorer): string {
  return token === "" ? builtIn : token;
}

/** Says something where screen readers hear it. */
export function say(text: string): void {
  byId("message").textContent = text;
}

/** Reads the description with the token and shows what it describes. */
export async function load(explorer: Explorer): Promise<void> {
  explorer.operations = [];
  const token = tokenOf(explorer);
  if (token === "") say("Enter a token to see what this site describes.");
  else {
    say("Loading …");
    try {
      const answer = await send("/api/v1/_meta", token);
      if (answer.status === 200) {
        explorer.operations = readOperations(parsedBody(answer));
        const groups = new Set(
          explorer.operations.map((operation) => operation.path.split("/")[3]),
        );
        say(`${[...groups].filter((group) => isCollection(group!)).length} collections`);
      } else if (answer.status === 401) say("The token is not valid.");
      else say(`The description could not be read: ${answer.status}`);
    } catch (error) {
      say(`The site does not answer: ${error instanceof Error ? error.message : error}`);
    }
  }
  showOperations(explorer);
  showOperation(explorer);
}

/** Whether a path's first step is a collection's slug. */
export function isCollection(step: string): boolean {
  return step !== "search" && step !== "media" && !step.startsWith("_");
}

/** Lists the requests whose collection or title holds the filter's text. */
export function showOperations({ operations }: Explorer): void {
  const wanted = (byId("filter") as HTMLInputElement).value.trim().toLowerCase();
  const list = byId("operations");
  list.replaceChildren();
  const groups = new Map<string, Operation[]>();
  for (const operation of operations) {
    if (!`${operation.group} ${operation.title}`.toLowerCase().includes(wanted)) continue;
    groups.set(operation.group, [...groups.get(operation.group) ?? [], operation]);
  }
  const current = location.hash.replace(/^#op=/, "");
  // Collections first: they are what people come for.
  const ordered = [...groups].sort(([, a], [, b]) => groupRank(a) - groupRank(b));
  for (const [group, members] of ordered) {
    const links = members.map((operation) =>
      element(
        "li",
        {},
        element("a", {
          href: `#op=${operation.id}`,
          ...(operation.id === current ? { "aria-current": "page" } : {}),
        }, operation.title),
      )
    );
    const about = members[0]!.groupAbout;
    list.append(
      element("h2", {}, group),
      element("p", { class: "about line", title: about }, about === group ? "" : about),
      element("ul", {}, ...links),
    );
  }
}

/** Where a group of requests stands in the list. */
export function groupRank(members: Operation[]): number {
  return isCollection(members[0]!.path.split("/")[3]!) ? 0 : 1;
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
  if (operation === undefined) {
    const text = explorer.operations.length === 0 ? "" : "Choose a request from the list.";
    panel.replaceChildren(element("p", { class: "empty" }, text));
    return;
  }
  panel.replaceChildren(...operationView(explorer, operation));
}

/** The form of one request, with the place for its answer. */
export function operationView(explorer: Explorer, operation: Operation): HTMLElement[] {
  const preview = element("output", { class: "address" });
  const output = element("div", { id: "answer" });
  const filters = operation.parameters.filter(isFilter);
  const fixed = operation.parameters.filter((parameter) => !isFilter(parameter))
    .map((parameter) => parameterControl(parameter, changed));
  const conditions = filters.length === 0 ? null : conditionBuilder(filters, changed);
  const controls = () => [...fixed, ...conditions?.controls() ?? []];
  const address = () => requestAddress(operation, controls());
  function changed(): void {
    preview.textContent = `GET ${address()}`;
  }
  const copy = (text: string, what: string) => void copyText(text, what);
  const submit = async (event: Event) => {
    event.preventDefault();
    say("Sending …");
    try {
      const answer = await send(address(), operation.open ? "" : tokenOf(explorer));
      output.replaceChildren(answerView(answer, copy));
      showRefusal(form, controls(), answer);
      say("");
    } catch (error) {
      say(`The request failed: ${error instanceof Error ? error.message : error}`);
    }
  };
  const url = () => location.origin + address();
  const form = element(
    "form",
    { onsubmit: (event) => void submit(event) },
    parameterGrid(fixed),
    ...(conditions === null ? [] : [conditions.node]),
    preview,
    element(
      "div",
      { class: "tools" },
      element("button", { type: "submit", class: "primary" }, "Send"),
      button("Copy as curl", () => copy(asCurl(url(), operation.open), "The command")),
      button("Copy as fetch", () => copy(asFetch(url(), operation.open), "The code")),
    ),
  );
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  changed();
  const heading = element("h2", { id: "operation-title" }, operation.title);
  return [heading, element("p", { class: "about" }, operation.about), form, output];
}

/** The controls that every request of this kind has. */
export function parameterGrid(controls: ParameterControl[]): HTMLElement {
  return element("div", { class: "parameters" }, ...controls.map(({ node }) => node));
}

/** Puts a text on the clipboard, and says so. */
export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    say(`${what} is on the clipboard.`);
  } catch {
    // Browsers without leave to write there: the text can still be taken by hand.
    globalThis.prompt("Copy this:", text);
  }
}
