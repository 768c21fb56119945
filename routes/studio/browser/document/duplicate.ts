/**
 * Runs in the browser. Duplicates a document as a draft, from its form or from a list. The copy has everything
 * except the slug and values of unique fields.
 *
 * @module
 */
import { TITLE_CHARS_MAX } from "../../../../kv/limits/content.ts";
import { call, type Reply } from "../page/call.ts";
import { dataOf } from "../page/elements.ts";
import { toast, toastLater } from "../page/toast.ts";
import type { DocumentBody } from "./document_body.ts";
import type { Value } from "./control_values.ts";

/** Starts the menu's button. Unsaved text is saved first, so that the copy contains it. */
export function startDuplicating(form: HTMLElement, save: () => Promise<boolean>): void {
  form.addEventListener("click", (event) => {
    const button = (event.target as Element).closest<HTMLButtonElement>("[data-duplicate]");
    if (button !== null) void duplicate(button, save);
  });
}

async function duplicate(button: HTMLButtonElement, save: () => Promise<boolean>): Promise<void> {
  if (!(await save())) return;
  button.disabled = true;
  const reply = await copyDocument(
    dataOf(button, "duplicate"),
    dataOf(button, "unique").split(","),
  );
  button.disabled = false;
  if (!reply.ok) {
    const reasons = reply.details.map(({ message }) => message);
    return toast([reply.message, ...reasons].join(" "), { bad: true });
  }
  toastLater("This is a copy, saved as a draft");
  location.assign(`/admin/documents/${reply.body.id}`);
}

/** Copies a document without the values of the `unique` fields. */
export async function copyDocument(
  id: string,
  unique: readonly string[],
): Promise<Reply<DocumentBody>> {
  const path = `/api/admin/documents/${id}`;
  const stored = await call<DocumentBody>("GET", path);
  const found = stored.body?.hasWorkingCopy
    ? await call<DocumentBody>("GET", `${path}/working-copy`)
    : stored;
  if (!found.ok) return found;
  const { slug: _slug, status: _status, title, ...values } = found.body as Record<string, Value>;
  for (const name of unique) delete values[name];
  const body = { ...values, title: `Copy of ${title}`.slice(0, TITLE_CHARS_MAX) };
  return await call("POST", "/api/admin/documents", { body });
}
