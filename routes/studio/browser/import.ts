/**
 * Runs in the browser. Restores a backup: inspects it first, then asks for a typed confirmation.
 *
 * @module
 */
import { call, type JobStarted, type Reply } from "./page/call.ts";
import { get, make } from "./page/elements.ts";

interface BackupInspection {
  valid: boolean;
  errors: unknown[];
  tables: Record<string, { rows: number; entities: number; present: number | null }>;
}

/** Makes the import card work. */
export function startImport(card: HTMLElement): void {
  const input = get<HTMLInputElement>(card, "input[type=file]");
  const confirm = get<HTMLFormElement>(card, "[data-import-confirm]");
  const typed = get<HTMLInputElement>(confirm, "input");
  const button = get<HTMLButtonElement>(confirm, "button");
  const say = (text: string) => get(card, "[data-import-message]").textContent = text;
  let file: File | undefined;

  input.addEventListener("change", async () => {
    file = input.files?.[0];
    if (file === undefined) return;
    confirm.hidden = true;
    say(`Checking ${file.name} …`);
    const reply = await send<BackupInspection>(file, "?dryRun=true");
    say("");
    const inspection = reply.body;
    get(card, "[data-import-result]").replaceChildren(
      inspection === null
        ? make("p", { class: "alert bad" }, reply.message)
        : inspectionView(inspection),
    );
    confirm.hidden = inspection?.valid !== true;
  });
  typed.addEventListener("input", () => {
    button.disabled = typed.value.trim() !== card.dataset.title;
  });
  confirm.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (file === undefined || button.disabled) return;
    button.disabled = true;
    say("Uploading …");
    const reply = await send<JobStarted>(file, "");
    if (reply.ok) location.assign(`/admin/jobs/${reply.body.jobId}`);
    else say(reply.message);
  });
}

async function send<T>(file: File, query: string): Promise<Reply<T>> {
  const headers = { "content-type": "application/gzip" };
  return await call<T>("POST", `/api/admin/imports${query}`, { headers, body: file });
}

function inspectionView({ valid, errors, tables }: BackupInspection): HTMLElement {
  if (!valid) {
    const list = errors.slice(0, 20).map((error) =>
      make("li", {}, typeof error === "string" ? error : JSON.stringify(error))
    );
    return make(
      "div",
      { class: "alert bad" },
      make("p", {}, "This backup can't be restored:"),
      make("ul", {}, ...list),
    );
  }
  const rows = Object.entries(tables).map(([name, { entities, present }]) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, name.replaceAll("_", " ")),
      make("td", {}, present === null ? "–" : String(present)),
      make("td", {}, String(entities)),
    )
  );
  const head = make(
    "tr",
    {},
    ...["Kind", "Now", "After"].map((text) => make("th", { scope: "col" }, text)),
  );
  const table = make(
    "table",
    { class: "table" },
    make("thead", {}, head),
    make("tbody", {}, ...rows),
  );
  return make("div", { class: "table-frame", tabindex: "0" }, table);
}
