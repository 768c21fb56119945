/**
 * Runs in the browser. Sends the files of a transfer, or the address of one.
 *
 * @module
 */
import type { TransferTools } from "./transfer_tools.ts";

/** Makes the form send itself; files can be dropped on it. */
export function startTransferSource(tools: TransferTools, form: HTMLFormElement): void {
  const { get } = tools;
  const input = get<HTMLInputElement>(form, "input[type=file]");
  const zone = get(form, "[data-drop]");
  const show = () => {
    const names = [...input.files ?? []].map(({ name }) => name);
    if (names.length > 0) get(form, "[data-chosen]").textContent = names.join(", ");
  };
  input.addEventListener("change", show);
  zone.addEventListener("dragover", (event) => {
    event.preventDefault();
    zone.dataset.over = "";
  });
  zone.addEventListener("dragleave", () => delete zone.dataset.over);
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    delete zone.dataset.over;
    input.files = event.dataTransfer?.files ?? null;
    show();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void send(tools, form, input.files);
  });
}

async function send(
  { call, clearFailures, dataOf, get, showFailures }: TransferTools,
  form: HTMLFormElement,
  files: FileList | null,
): Promise<void> {
  clearFailures(form);
  const button = get<HTMLButtonElement>(form, "button[type=submit]");
  button.disabled = true;
  button.ariaBusy = "true";
  const { url, kind, token } = Object.fromEntries(new FormData(form)) as Record<string, string>;
  const query = kind ? `?kind=${kind}` : "";
  const reply = await call<{ id: string }>("POST", `${dataOf(form, "to")}${query}`, {
    body: files?.length === 0 && url ? { url, ...(token && { token }) } : bodyOf(files, token),
  });
  if (reply.ok) return location.assign(`/admin/transfers/${reply.body.id}`);
  button.disabled = false;
  button.ariaBusy = "false";
  showFailures(form, reply, (field) => form.querySelector<HTMLElement>(`[name="${field}"]`));
}

function bodyOf(files: FileList | null, key = ""): FormData {
  const body = new FormData();
  if (key !== "") body.append("key", key);
  for (const file of files ?? []) body.append("file", file);
  return body;
}
