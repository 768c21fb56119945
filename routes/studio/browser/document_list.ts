/**
 * Runs in the browser. Lists of documents: selecting rows, acting on several, and keys to move about.
 *
 * @module
 */
import type { ReleaseView } from "../../../kv/releases/release_view.ts";
import { confirmed, usesOf } from "./forms/actions.ts";
import { countText, forEachDocument } from "./forms/bulk.ts";
import { startBulkEdit } from "./forms/bulk_edit.ts";
import { call, type Reply } from "./page/call.ts";
import { startInlineEdit } from "./forms/inline_edit.ts";
import { startColumnLayout } from "./page/column_layout.ts";
import { keepChoice } from "./page/cookie.ts";
import { copyDocument } from "./document/duplicate.ts";
import { all, dataOf, embedded, get } from "./page/elements.ts";
import { startRangeSelection } from "./page/range_selection.ts";
import { isTyping } from "./page/keys.ts";
import { openModal } from "./page/modal.ts";
import { type SelectedDocument, Selection } from "./page/selection.ts";
import { toast, toastLater } from "./page/toast.ts";

/** The languages of a plan; absent for the original alone. */
type Languages = ReleaseView["documents"][number]["languages"];

/** Number of selected documents whose references are checked before they are unpublished. */
const USES_CHECKED = 25;

/** From which statuses each action starts; others are left alone. */
const STARTS: Record<string, string[]> = {
  publish: ["draft", "scheduled", "archived"],
  unpublish: ["published"],
  archive: ["draft", "scheduled", "published"],
  duplicate: ["draft", "scheduled", "published", "archived"],
  untrash: ["trashed", "archived"],
  trash: ["draft", "scheduled", "published", "archived"],
  remove: ["trashed"],
  release: ["draft", "scheduled", "published", "archived"],
};

/** The word to type before documents are deleted permanently. */
const REMOVAL_WORD = "delete";

/** Makes the rows of a list selectable. */
export function startDocumentList(root: HTMLElement): void {
  for (const link of all<HTMLAnchorElement>(root, "a[data-also]")) {
    link.addEventListener("click", (event) => {
      if (!event.shiftKey) return;
      event.preventDefault();
      location.assign(dataOf(link, "also"));
    });
  }
  root.querySelector("[data-density-choice]")?.addEventListener("change", (event) => {
    root.dataset.density = (event.target as HTMLInputElement).value;
    keepChoice("studio-density", root.dataset.density);
  });
  startColumnLayout(root);
  if (root.querySelector("table") === null) return;
  const boxes = all<HTMLInputElement>(root, "[data-select]");
  const every = get<HTMLInputElement>(root, "[data-select-all]");
  const selection = new Selection(root);
  const refresh = () => {
    selection.forgetMatching();
    showSelection(root, boxes, every, selection);
  };
  every.addEventListener("change", () => {
    for (const box of boxes) box.checked = every.checked;
    refresh();
  });
  startRangeSelection(boxes, refresh);
  get(root, "[data-bulk-none]").addEventListener("click", () => {
    for (const box of boxes) box.checked = false;
    refresh();
  });
  // Actions are disabled until the selection is known.
  const acting = all<HTMLButtonElement>(root, "[data-bulk-act], [data-bulk-edit]");
  const selectMatching = async (button: HTMLButtonElement) => {
    for (const each of [button, ...acting]) each.disabled = true;
    const failure = await selection.selectMatching((count) => {
      get(root, "[data-bulk-count]").textContent = `${count} found …`;
    });
    for (const each of [button, ...acting]) each.disabled = false;
    if (failure !== "") toast(failure, { bad: true });
    showSelection(root, boxes, every, selection);
    return failure === "";
  };
  const matching = get<HTMLButtonElement>(root, "[data-bulk-matching]");
  matching.addEventListener("click", () => void selectMatching(matching));
  const empty = root.querySelector<HTMLButtonElement>("[data-empty-trash]");
  empty?.addEventListener("click", async () => {
    for (const box of boxes) box.checked = true;
    refresh();
    if (!(await selectMatching(empty))) return;
    await act(root, get<HTMLButtonElement>(root, "[data-bulk-act=remove]"), selection);
  });
  for (const button of all<HTMLButtonElement>(root, "[data-bulk-act]")) {
    button.addEventListener("click", () => void act(root, button, selection));
  }
  startBulkEdit(root, selection);
  startInlineEdit(root);
  document.addEventListener("keydown", (event) => moveByKey(event, root));
  refresh();
}

function showSelection(
  root: HTMLElement,
  boxes: HTMLInputElement[],
  every: HTMLInputElement,
  selection: Selection,
): void {
  const selected = selection.documents;
  const ticked = boxes.filter(({ checked }) => checked).length;
  every.checked = ticked === boxes.length;
  every.indeterminate = ticked > 0 && !every.checked;
  get(root, "[data-bulk]").hidden = ticked === 0;
  const total = Number(root.dataset.total);
  get(root, "[data-bulk-matching]").hidden = selection.isMatching || !every.checked ||
    total <= boxes.length;
  get(root, "[data-bulk-count]").textContent = selection.isMatching
    ? `All ${selected.length.toLocaleString("en")} that match selected`
    : `${selected.length} selected`;
  for (const button of all(root, "[data-bulk-act]")) {
    button.hidden = fitting(root, dataOf(button, "bulkAct"), selected).length === 0;
    const release = button.dataset.bulkAct === "release" ? releaseChoice(root) : null;
    if (release !== null) release.hidden = button.hidden;
  }
  const edit = root.querySelector<HTMLElement>("[data-bulk-edit]");
  if (edit !== null) edit.hidden = selected.every(({ status }) => status === "trashed");
}

/** Those of some documents that an action can be done with. */
function fitting(root: HTMLElement, verb: string, selected: SelectedDocument[]) {
  const copied = copiesOf(root);
  return selected.filter(({ status, collection }) =>
    STARTS[verb]?.includes(status) && (verb !== "duplicate" || Object.hasOwn(copied, collection))
  );
}

/** The collections that documents are copied in, each with the fields that a copy leaves out. */
function copiesOf(root: HTMLElement): Record<string, string[]> {
  return embedded(get(root, "[data-bulk]"), "copied");
}

async function act(
  root: HTMLElement,
  button: HTMLButtonElement,
  selection: Selection,
): Promise<void> {
  const verb = dataOf(button, "bulkAct");
  const label = button.textContent.trim();
  const rows = fitting(root, verb, selection.documents);
  const count = countText(rows);
  const release = releaseChoice(root);
  const word = verb === "remove" ? REMOVAL_WORD : undefined;
  const isCalm = verb !== "trash" && verb !== "remove";
  const question = verb === "release"
    ? `Add ${count} to the release “${release?.selectedOptions[0]?.text}”?`
    : await questionOf(verb, rows, count);
  if (question !== null && !(await confirmed(question, label, { word, isCalm }))) return;
  button.disabled = true;
  const copied = copiesOf(root);
  const planned = verb === "release" ? await plannedLanguages(release?.value ?? "") : {};
  const failures = await forEachDocument(rows, {
    work: ({ id, collection }) => {
      if (verb === "duplicate") return copyDocument(id, copied[collection] ?? []);
      return ask(verb, id, release?.value, planned[id]);
    },
    onProgress: (done) =>
      get(root, "[data-bulk-count]").textContent = `${done} of ${rows.length} …`,
    // Additions to one release would only wait for one another.
    ...(verb === "release" && { atATime: 1 }),
  });
  button.disabled = false;
  if (failures.length === 0) {
    toastLater(verb === "duplicate" ? `Duplicated as drafts: ${count}` : `${label}: ${count}`);
    location.reload();
    return;
  }
  const succeeded = rows.length - failures.length;
  toast(`${succeeded} done, ${failures.length} failed. ${failures.slice(0, 3).join(" ")}`, {
    bad: true,
    action: { label: "Reload", run: () => location.reload() },
  });
}

/** The confirmation of an action on several documents; null if it needs none. */
async function questionOf(
  verb: string,
  rows: SelectedDocument[],
  count: string,
): Promise<string | null> {
  if (verb === "duplicate" && rows.length === 1) return null;
  const going = ["unpublish", "archive", "trash"].includes(verb);
  const isPublic = rows.some(({ status }) => status === "published");
  const act = {
    publish: `Publish ${count} now? Anyone can read published documents.`,
    unpublish: `Unpublish ${count}?`,
    archive: `Archive ${count}?`,
    duplicate: `Duplicate ${count}? The copies are drafts.`,
    untrash: `Restore ${count} as drafts?`,
    trash: `Move ${count} to the trash?`,
    remove: `Delete ${count} permanently, including comments? Only the history keeps the content.`,
  }[verb]!;
  if (!going || !isPublic) return act;
  const uses = await Promise.all(
    rows.slice(0, USES_CHECKED).map(({ id }) => usesOf(`/admin/documents/${id}/uses`)),
  );
  const used = uses.find((text) => text !== "") ?? "";
  return `${act} Their pages are removed from the public site immediately. ${used}`.trim();
}

/** The select of the release to add documents to; null if there is none. */
function releaseChoice(root: HTMLElement): HTMLSelectElement | null {
  return root.querySelector("[data-bulk-release]");
}

/** By document the languages that a release publishes already. */
async function plannedLanguages(release: string): Promise<Record<string, Languages>> {
  const { body } = await call<ReleaseView>("GET", `/api/admin/releases/${release}`);
  return Object.fromEntries(
    (body?.documents ?? []).map(({ id, languages }) => [id, languages]),
  );
}

function ask(
  verb: string,
  id: string,
  release: string | undefined,
  languages: Languages,
): Promise<Reply> {
  if (verb === "release") {
    return call("PUT", `/api/admin/releases/${release}/documents/${id}`, {
      body: { action: "publish", ...(languages && { languages }) },
    });
  }
  return verb === "trash"
    ? call("DELETE", `/api/admin/documents/${id}`)
    : call("POST", `/api/admin/documents/${id}/${verb}`);
}

function moveByKey(event: KeyboardEvent, root: HTMLElement): void {
  if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
  if (openModal() !== null) return;
  const links = all<HTMLAnchorElement>(root, "tbody th a");
  const row = document.activeElement?.closest("tbody tr");
  const at = links.findIndex((link) => link.closest("tr") === row);
  if (event.key === "j") links[Math.min(at + 1, links.length - 1)]?.focus();
  if (event.key === "k") links[Math.max(at - 1, 0)]?.focus();
  if (event.key === "x" && row) get<HTMLInputElement>(row, "[data-select]").click();
}
