/**
 * Runs in the browser. The order and groups of collections, saved after each move.
 *
 * @module
 */
import { type Arrangement, arrangementsFor } from "../../collection_order.ts";
import type { call } from "../page/call.ts";
import type { get } from "../page/elements.ts";
import type { freshPage } from "../page/fresh_page.ts";
import type { startRowOrder } from "../forms/row_order.ts";
import type { toast } from "../page/toast.ts";

/** What the page has loaded already. */
export interface OrderTools {
  call: typeof call;
  freshPage: typeof freshPage;
  get: typeof get;
  startRowOrder: typeof startRowOrder;
  toast: typeof toast;
}

/** Makes the rows of the list of collections movable. */
export function startCollectionOrder(tools: OrderTools, list: HTMLElement): void {
  let saving: Promise<void> | null = null;
  let isMovedSince = false;
  tools.startRowOrder(list, (row) => {
    keepHeadingFirst(list, row);
    if (arrangementsOf(list).length === 0 && saving === null) return;
    announce(tools, list, row);
    isMovedSince = true;
    saving ??= (async () => {
      // Moves during a save are saved together.
      while (isMovedSince) {
        isMovedSince = false;
        await save(tools, list);
      }
      saving = null;
    })();
  });
}

/** Every collection stands below the heading of a group. */
function keepHeadingFirst(list: HTMLElement, row: HTMLElement): void {
  if (list.firstElementChild !== row) return;
  const next = row.nextElementSibling as HTMLElement | null;
  if (next?.dataset.group !== undefined) next.after(row);
}

/** Says where a collection is now. */
function announce({ get, toast }: OrderTools, list: HTMLElement, row: HTMLElement): void {
  const inGroup = groupsOf(list).find(({ rows }) => rows.includes(row));
  if (inGroup === undefined) return;
  const { heading, rows } = inGroup;
  const place = `${rows.indexOf(row) + 1} of ${rows.length}`;
  get(document, "#toasts").replaceChildren();
  toast(`${row.dataset.name}: ${place}${heading === null ? "" : ` in ${heading}`}`);
}

interface Group {
  heading: string | null;
  /** Undefined for no group. */
  group: string | undefined;
  rows: HTMLElement[];
}

function groupsOf(list: HTMLElement): Group[] {
  const groups: Group[] = [];
  let current: Group = { heading: null, group: undefined, rows: [] };
  for (const row of [...list.children] as HTMLElement[]) {
    if (row.dataset.group === undefined) {
      if (current.rows.length === 0) groups.push(current);
      current.rows.push(row);
    } else {
      const heading = row.querySelector("h2")?.textContent ?? null;
      current = { heading, group: row.dataset.group || undefined, rows: [] };
    }
  }
  return groups;
}

function arrangementsOf(list: HTMLElement): Arrangement[] {
  return arrangementsFor(
    groupsOf(list).flatMap(({ group: newGroup, rows }) =>
      rows.map(({ dataset: { collection = "", formerGroup, position } }) => ({
        slug: collection,
        group: formerGroup || undefined,
        newGroup,
        position: position === undefined ? undefined : Number(position),
      }))
    ),
  );
}

async function save(tools: OrderTools, list: HTMLElement): Promise<void> {
  list.setAttribute("aria-busy", "true");
  const failure = await saveArrangements(tools, list);
  list.removeAttribute("aria-busy");
  if (failure !== null) {
    tools.get(document, "#toasts").replaceChildren();
    tools.toast(failure, { bad: true });
  }
  const fresh = await tools.freshPage();
  const navigation = fresh?.querySelector(".nav");
  if (navigation) tools.get(document, ".nav").replaceChildren(...navigation.childNodes);
}

/** Returns the error message, if any. */
async function saveArrangements({ call }: OrderTools, list: HTMLElement): Promise<string | null> {
  for (const { slug, ...change } of arrangementsOf(list)) {
    const reply = await call("PATCH", `/api/admin/collections/${slug}`, { body: change });
    if (!reply.ok) return reply.message;
    const row = list.querySelector<HTMLElement>(`[data-collection="${slug}"]`);
    if (row === null) continue;
    if (change.position !== undefined) row.dataset.position = String(change.position);
    if (change.group !== undefined) row.dataset.formerGroup = change.group;
  }
  return null;
}
