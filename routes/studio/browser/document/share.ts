/**
 * Runs in the browser. Links to a preview: made, copied, listed and revoked.
 *
 * @module
 */
import { call, type ListBody } from "../page/call.ts";
import { dataOf, get, make } from "../page/elements.ts";
import { toast } from "../page/toast.ts";

interface OpenLink {
  id: string;
  documentId: string;
  /** Epoch seconds. */
  expiresAt: number;
}

/** Starts the dialog if the page has it. */
export function startShare(): void {
  const dialog = document.getElementById("share-preview");
  if (dialog === null) return;
  const id = dataOf(get(dialog, "[data-share]"), "id");
  const list = () => void showLinks(dialog, id);
  // Dialogs have no open event, so the button that opens it is observed.
  document.addEventListener("click", (event) => {
    if ((event.target as Element).closest("[data-opens=share-preview]") !== null) list();
  });
  get(dialog, "[data-share-make]").addEventListener("click", async () => {
    const ttl = Number(get<HTMLSelectElement>(dialog, "[data-ttl]").value);
    const reply = await call<{ url: string }>("POST", `/api/admin/documents/${id}/preview`, {
      body: { ttl },
    });
    if (!reply.ok) return toast(reply.message, { bad: true });
    get(dialog, "[data-share-url]").textContent = reply.body.url;
    get(dialog, "[data-share-made]").hidden = false;
    list();
  });
}

async function showLinks(dialog: HTMLElement, documentId: string): Promise<void> {
  const list = get(dialog, "[data-share-list]");
  const reply = await call<ListBody<OpenLink>>(
    "GET",
    `/api/admin/previews?perPage=100&documentId=${documentId}`,
  );
  const links = reply.body?.data ?? [];
  const rows = links.map(({ id, expiresAt }) => {
    const end = new Date(expiresAt * 1_000).toLocaleString("en", {
      dateStyle: "medium",
      timeStyle: "short",
    });
    const revoke = async () => {
      const revoked = await call("DELETE", `/api/admin/previews/${id}`);
      if (!revoked.ok) toast(revoked.message, { bad: true });
      await showLinks(dialog, documentId);
    };
    const button = { type: "button", class: "button small", onclick: () => void revoke() };
    return make("li", {}, make("span", {}, `Works until ${end}`), make("button", button, "Revoke"));
  });
  list.replaceChildren(...(rows.length > 0 ? rows : [make("li", { class: "muted" }, "None")]));
}
