/**
 * Runs in the browser. A thread of comments: quoted words, who said what when, answering, resolving and removing.
 *
 * @module
 */
import type { CommentView } from "../../../../../kv/model/entities/discussion.ts";
import type { Commentators, CommentTools } from "./comment_tools.ts";

/** The words that a thread is about. */
export interface ThreadQuote {
  text: string;
  isRemoved: boolean;
  /** Shows the words in the text; null if they are in view already. */
  show: (() => void) | null;
}

/** The actions of a thread. */
export interface ThreadActions extends Commentators {
  tools: CommentTools;
  /** The label of the field that it is about; null for the document. */
  about: string | null;
  quote: ThreadQuote | null;
  ask(method: string, commentId: string, body?: unknown): Promise<boolean>;
  answer(text: string): Promise<boolean>;
}

/** A comment with its answers. */
export function threadElement(
  root: CommentView,
  answers: readonly CommentView[],
  actions: ThreadActions,
): HTMLElement {
  const { about, canWrite, ask, quote, tools } = actions;
  const isResolved = root.resolvedAt !== null;
  const language = actions.languages.find(([code]) => code === root.language)?.[1];
  const shown = [about ?? "Document", ...language === undefined ? [] : [language]].join(" · ");
  const resolve = () => void ask("PATCH", root.id, { resolved: !isResolved });
  const head = tools.make(
    "div",
    { class: "spread small" },
    tools.make("span", { class: "muted" }, shown),
    ...(canWrite ? [quietButton(tools, isResolved ? "Reopen" : "Resolve", resolve)] : []),
  );
  return tools.make(
    "article",
    {
      class: isResolved ? "comment-thread resolved" : "comment-thread",
      "data-thread": root.id,
      tabindex: "-1",
    },
    head,
    ...(quote === null ? [] : quoteElements(tools, quote)),
    ...[root, ...answers].map((comment) => commentElement(comment, actions)),
    ...(canWrite && !isResolved ? [answerForm(actions)] : []),
  );
}

/** Shows threads in an element. Those that did not change stay, and so does an answer that is being written. */
export function showThreads(within: HTMLElement, threads: readonly HTMLElement[]): void {
  const before = [...within.children];
  for (const thread of threads) {
    const old = before.find((one) =>
      one !== thread && one instanceof HTMLElement &&
      one.dataset.thread === thread.dataset.thread
    );
    if (old !== undefined) keepAnswer(old, thread);
  }
  for (const one of before) if (!threads.includes(one as HTMLElement)) one.remove();
  threads.forEach((thread, index) => {
    const present = within.children[index];
    if (present !== thread) within.insertBefore(thread, present ?? null);
  });
}

/** Replaces a thread by its newer state. */
function keepAnswer(old: Element, next: HTMLElement): void {
  const active = document.activeElement;
  const [from, to] = [old, next].map((one) => one.querySelector("textarea"));
  const hasFocus = old.contains(active);
  old.replaceWith(next);
  if (from && to) to.value = from.value;
  if (!hasFocus) return;
  if (to && active === from) to.focus();
  else next.focus();
}

function quoteElements(tools: CommentTools, { text, isRemoved, show }: ThreadQuote): HTMLElement[] {
  const note = tools.make("p", { class: "muted small" }, "The commented text was removed");
  const words = show === null || isRemoved
    ? text
    : tools.make("button", { type: "button", title: "Show in the text", onclick: show }, text);
  const quote = tools.make("blockquote", { class: "comment-quote", dir: "auto" }, words);
  return isRemoved ? [note, quote] : [quote];
}

function commentElement(comment: CommentView, actions: ThreadActions): HTMLElement {
  const { people, timezone, me, canPublish, canWrite, ask, tools } = actions;
  const { make } = tools;
  const { id, createdBy, createdAt, editedAt, text } = comment;
  const when = new Date(createdAt * 1_000).toLocaleString("en", {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: timezone,
  });
  const mayRemove = canWrite && (createdBy === me || canPublish);
  return make(
    "div",
    { class: "comment" },
    make(
      "p",
      { class: "spread small" },
      make(
        "span",
        {},
        make("strong", {}, authorName(people, createdBy)),
        " · ",
        make("time", {}, when),
        editedAt === null ? "" : " · edited",
      ),
      ...(mayRemove ? [quietButton(tools, "Delete", () => void ask("DELETE", id))] : []),
    ),
    make("p", { class: "said", dir: "auto" }, text),
  );
}

/** The name of the author of a comment. */
export function authorName(people: Commentators["people"], id: string | null): string {
  return people.find(([known]) => known === id)?.[1] ?? "Deleted user";
}

function answerForm({ answer, charsMax, tools: { get, make } }: ThreadActions): HTMLElement {
  const input = make("textarea", {
    rows: "1",
    dir: "auto",
    maxlength: String(charsMax),
    "aria-label": "Reply",
    placeholder: "Reply …",
  });
  const form = make("form", { class: "comment-answer" }, input);
  form.append(make("button", { type: "submit", class: "button small" }, "Reply"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const text = input.value.trim();
    if (text === "") return input.focus();
    get<HTMLButtonElement>(form, "button").disabled = true;
    // The thread is drawn again with its answer, and keeps what is typed then.
    input.value = "";
    if (await answer(text)) return;
    input.value = text;
    get<HTMLButtonElement>(form, "button").disabled = false;
  });
  return form;
}

function quietButton({ make }: CommentTools, label: string, run: () => void): HTMLElement {
  return make("button", { type: "button", class: "link", onclick: run }, label);
}
