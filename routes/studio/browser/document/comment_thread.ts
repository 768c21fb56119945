/**
 * Runs in the browser. A thread of comments as the panel shows it: who said what when, answering, resolving
 * and removing.
 *
 * @module
 */
import type { CommentView } from "../../../../kv/model/entities/discussion.ts";
import { get, make } from "../page/elements.ts";

/** The author of a comment, as embedded in the page. */
export interface Commentators {
  me: string;
  canWrite: boolean;
  canPublish: boolean;
  people: [id: string, name: string][];
  charsMax: number;
  timezone: string;
}

/** The actions of a thread. */
interface ThreadActions extends Commentators {
  /** The label of the field that it is about; null for the document. */
  about: string | null;
  ask(method: string, commentId: string, body?: unknown): Promise<boolean>;
  answer(text: string): Promise<boolean>;
}

/** A comment with its answers. */
export function threadElement(
  root: CommentView,
  answers: readonly CommentView[],
  actions: ThreadActions,
): HTMLElement {
  const { about, canWrite, ask } = actions;
  const isResolved = root.resolvedAt !== null;
  const resolve = () => void ask("PATCH", root.id, { resolved: !isResolved });
  const head = make(
    "div",
    { class: "spread small" },
    make("span", { class: "muted" }, about ?? "Document"),
    ...(canWrite ? [quietButton(isResolved ? "Reopen" : "Resolve", resolve)] : []),
  );
  return make(
    "article",
    { class: isResolved ? "comment-thread resolved" : "comment-thread" },
    head,
    ...[root, ...answers].map((comment) => commentElement(comment, actions)),
    ...(canWrite && !isResolved ? [answerForm(actions)] : []),
  );
}

function commentElement(comment: CommentView, actions: ThreadActions): HTMLElement {
  const { people, timezone, me, canPublish, canWrite, ask } = actions;
  const { id, createdBy, createdAt, editedAt, text } = comment;
  const who = people.find(([known]) => known === createdBy)?.[1] ?? "Deleted user";
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
        make("strong", {}, who),
        ` · ${when}${editedAt === null ? "" : " · edited"}`,
      ),
      ...(mayRemove ? [quietButton("Delete", () => void ask("DELETE", id))] : []),
    ),
    make("p", { class: "said", dir: "auto" }, text),
  );
}

function answerForm({ answer, charsMax }: ThreadActions): HTMLElement {
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
    if (!(await answer(text))) get<HTMLButtonElement>(form, "button").disabled = false;
  });
  return form;
}

function quietButton(label: string, run: () => void): HTMLElement {
  return make("button", { type: "button", class: "link", onclick: run }, label);
}
