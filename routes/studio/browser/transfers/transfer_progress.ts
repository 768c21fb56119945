/**
 * Runs in the browser. Follows a job of a transfer; the page is loaded again once the transfer is in another state.
 *
 * @module
 */
import type { TransferTools } from "./transfer_tools.ts";

const POLL_MS = 1_000;

/** The parts of a transfer that its progress is shown from. */
interface TransferBody {
  state: string;
  progress: { phase: string; done: number; total: number };
}

/** Follows. */
export function startTransferProgress(tools: TransferTools, element: HTMLElement): void {
  setTimeout(() => void poll(tools, element), POLL_MS);
}

async function poll(tools: TransferTools, element: HTMLElement): Promise<void> {
  const { call, dataOf } = tools;
  const path = `/api/admin/transfers/${dataOf(element, "transfer")}`;
  const reply = document.visibilityState === "visible"
    ? await call<TransferBody>("GET", path)
    : null;
  if (reply?.ok) {
    if (reply.body.state !== element.dataset.state) return location.reload();
    show(tools, element, reply.body.progress);
  }
  startTransferProgress(tools, element);
}

function show(
  { dataOf, get }: TransferTools,
  element: HTMLElement,
  { phase, done, total }: TransferBody["progress"],
): void {
  const name = get(element, "[data-phase]");
  const phases: Record<string, string> = JSON.parse(dataOf(name, "phases"));
  const text = phases[phase] ?? phase;
  // Screen readers announce only a text that has changed.
  if (name.textContent !== text) name.textContent = text;
  const bar = get<HTMLProgressElement>(element, "progress");
  if (total > 0) {
    bar.max = total;
    bar.value = done;
  } else bar.removeAttribute("value");
  const count = total > 0 ? `${done} of ${total}` : `${done.toLocaleString("en")} rows`;
  get(element, "[data-progress]").textContent = count;
}
