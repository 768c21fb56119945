/**
 * Runs in the browser. The response: status, time, size, headers and body.
 *
 * @module
 */
/// <reference lib="dom" />
import { button, element } from "../../../browser/elements.ts";
import { collapseAll, jsonTree } from "./json_tree.ts";

/** An answer that has arrived whole. */
export interface Answer {
  status: number;
  statusText: string;
  ms: number;
  bytes: number;
  headers: [string, string][];
  text: string;
}

/** Sends a GET request of this site; the token goes into its header and nowhere else. */
export async function send(address: string, token: string): Promise<Answer> {
  const headers = new Headers({ accept: "application/json, */*;q=0.5" });
  if (token !== "") headers.set("authorization", `Bearer ${token}`);
  const startedAt = performance.now();
  const response = await fetch(address, {
    headers,
    credentials: "omit",
    cache: "no-store",
    redirect: "error",
    referrerPolicy: "no-referrer",
  });
  const body = await response.arrayBuffer();
  return {
    status: response.status,
    statusText: response.statusText,
    ms: performance.now() - startedAt,
    bytes: body.byteLength,
    headers: [...response.headers].sort(([a], [b]) => a < b ? -1 : 1),
    text: new TextDecoder().decode(body),
  };
}

/** The parsed body; undefined if it is not JSON. */
export function parsedBody({ headers, text }: Answer): unknown {
  const contentType = headers.find(([name]) => name === "content-type")?.[1] ?? "";
  if (!/[/+]json\b/.test(contentType)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // Shown as the text it is.
    return undefined;
  }
}

/** Shows an answer. */
export function answerView(
  answer: Answer,
  copy: (text: string, what: string) => void,
): HTMLElement {
  const good = answer.status < 400 ? "good" : "bad";
  const line = element(
    "p",
    { class: "status", role: "status" },
    element("strong", { class: good }, `${answer.status} ${answer.statusText}`.trim()),
    ` ${answer.ms.toFixed(1)} ms, ${answer.bytes.toLocaleString("en")} bytes`,
  );
  const rows = answer.headers.map(([name, value]) =>
    element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, value))
  );
  const headers = element(
    "details",
    { class: "headers" },
    element("summary", {}, `Headers (${rows.length})`),
    element("table", {}, element("tbody", {}, ...rows)),
  );
  const body = bodyView(answer, copy);
  return element("div", { class: "answer" }, line, headers, body);
}

/** The body as a tree and as text. */
export function bodyView(answer: Answer, copy: (text: string, what: string) => void): HTMLElement {
  const value = parsedBody(answer);
  const raw = element("pre", { class: "raw", tabindex: "0" }, answer.text);
  if (value === undefined) return element("div", {}, raw);
  const tree = element("div", { class: "tree" }, jsonTree(value, null, 0));
  raw.hidden = true;
  raw.textContent = JSON.stringify(value, null, 2);
  const toggle = button("View as text", () => {
    raw.hidden = !raw.hidden;
    tree.hidden = !raw.hidden;
    toggle.textContent = raw.hidden ? "View as text" : "View as tree";
  });
  const tools = element(
    "div",
    { class: "tools" },
    button("Expand all", () => collapseAll(tree, true)),
    button("Collapse all", () => collapseAll(tree, false)),
    toggle,
    button("Copy body", () => copy(raw.textContent ?? "", "Response body")),
  );
  return element("div", {}, tools, tree, raw);
}
