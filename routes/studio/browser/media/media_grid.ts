/**
 * Runs in the browser. Media that are selected in the library: moved, tagged and deleted together.
 *
 * @module
 */
import { textBefore } from "../../../../kv/model/primitives/text_before.ts";
import { confirmed } from "../forms/actions.ts";
import { call, type Reply } from "../page/call.ts";
import { all, dataOf, enclosing, get } from "../page/elements.ts";
import { startRangeSelection } from "../page/range_selection.ts";
import { clearFailures, type FindControl, showFailures } from "../page/failures.ts";
import { toast, toastLater } from "../page/toast.ts";

const MEDIA = "/api/admin/media";
/** Deletions that are under way at the same time. */
const AT_ONCE = 4;

/** Makes the tiles of a page selectable. */
export function startMediaGrid(root: HTMLElement): void {
  const boxes = all<HTMLInputElement>(root, "[data-select]");
  const selected = () => boxes.filter(({ checked }) => checked);
  const refresh = () => {
    const count = selected().length;
    get(root, "[data-bulk]").hidden = count === 0;
    get(root, "[data-bulk-count]").textContent = `${count} selected`;
    root.toggleAttribute("data-selecting", count > 0);
  };
  const choose = (checked: boolean) => {
    for (const box of boxes) box.checked = checked;
    refresh();
  };
  startRangeSelection(boxes, refresh);
  get(root, "[data-all]").addEventListener("click", () => choose(true));
  get(root, "[data-none]").addEventListener("click", () => choose(false));
  const ids = () => selected().map((box) => dataOf(enclosing(box, "[data-id]"), "id"));
  get(root, "[data-delete]").addEventListener("click", () => void remove(ids()));
  for (const form of all<HTMLFormElement>(root, "[data-organize]")) {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void organize(form, ids());
    });
  }
  refresh();
}

async function organize(form: HTMLFormElement, ids: string[]): Promise<void> {
  clearFailures(form);
  const body: Record<string, unknown> = { ids };
  for (const [name, value] of new FormData(form)) {
    const text = String(value);
    if (name === "folder") body.folder = text;
    else body[name] = text.split(",").map((tag) => tag.trim()).filter((tag) => tag !== "");
  }
  const reply = await call<{ organized: number }>("POST", `${MEDIA}/organize`, { body });
  if (!reply.ok) {
    // A tag is one of several in its control.
    const control = (field: string) => form.elements.namedItem(textBefore(field, "."));
    return complain(form, reply, (field) => control(field) as HTMLElement | null);
  }
  const { organized } = reply.body;
  toastLater(organized === 1 ? "1 file updated" : `${organized} files updated`);
  location.reload();
}

/** Shows errors at their controls, and others in a toast. */
function complain(form: HTMLElement, reply: Reply, find: FindControl): void {
  if (reply.details.length === 0) return toast(reply.message, { bad: true });
  showFailures(form, reply, find);
}

async function remove(ids: string[]): Promise<void> {
  const what = ids.length === 1 ? "1 file" : `${ids.length} files`;
  const question =
    `Delete ${what}? They disappear from all pages immediately. You can restore them for 30 days.`;
  if (!(await confirmed(question, "Delete"))) return;
  const failures: string[] = [];
  const waiting = ids.values();
  const work = async () => {
    for (const id of waiting) {
      const { ok, message } = await call("DELETE", `${MEDIA}/${id}`);
      if (!ok) failures.push(message);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  if (failures.length === ids.length) return toast(failures[0] ?? "", { bad: true });
  toastLater(`${ids.length - failures.length} of ${ids.length} moved to the trash`);
  location.reload();
}

/** Makes a form move a folder, a request's worth of media after the other. */
export function startFolderMove(form: HTMLElement): void {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void moveFolder(form as HTMLFormElement);
  });
}

async function moveFolder(form: HTMLFormElement): Promise<void> {
  clearFailures(form);
  const input = get<HTMLInputElement>(form, "[name=to]");
  const button = get<HTMLButtonElement>(form, "[type=submit]");
  const body = { from: dataOf(form, "from"), to: input.value };
  button.disabled = true;
  for (let moved = 0, remaining = 1; remaining > 0;) {
    const reply = await call<{ moved: number; remaining: number }>(
      "POST",
      `${MEDIA}/folders/move`,
      { body },
    );
    if (!reply.ok) {
      button.disabled = false;
      return complain(form, reply, () => input);
    }
    moved += reply.body.moved;
    remaining = reply.body.remaining;
    get(form, "[data-progress]").textContent = `${moved} of ${moved + remaining} moved …`;
  }
  toastLater("Folder moved");
  const folder = input.value.split("/").map((name) => name.trim()).filter((name) => name !== "");
  location.assign(`/admin/media?${new URLSearchParams({ folder: folder.join("/") })}`);
}
