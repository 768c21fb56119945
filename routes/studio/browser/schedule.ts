/**
 * Runs in the browser. The calendar: an entry is dragged to another day, or moved by keys; both send the
 * form that it has for those without either.
 *
 * @module
 */
import { all, dataOf, get } from "./page/elements.ts";
import { toast } from "./page/toast.ts";

const DAY_MS = 86_400_000;
/** Days by which the arrow keys move an entry. */
const STEPS: Record<string, number> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -7,
  ArrowDown: 7,
};

/** Makes entries movable. */
export function startSchedule(root: HTMLElement): void {
  for (const entry of all(root, "[data-entry][draggable]")) startEntry(entry);
  for (const day of all(root, "[data-day]")) startDay(root, day);
  // Only one form is open, and it closes by Escape.
  const movers = all<HTMLDetailsElement>(root, "details.mover");
  for (const mover of movers) {
    mover.addEventListener("toggle", () => {
      if (!mover.open) return;
      for (const other of movers) if (other !== mover) other.open = false;
      get<HTMLInputElement>(mover, "input[name=when]").focus();
    });
    mover.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      mover.open = false;
      get(mover, "summary").focus();
    });
  }
  const { moved } = root.dataset;
  if (moved !== undefined) root.querySelector<HTMLElement>(`#e-${moved} > a`)?.focus();
}

function startEntry(entry: HTMLElement): void {
  entry.addEventListener("dragstart", (event) => {
    event.dataTransfer?.setData("text/plain", dataOf(entry, "entry"));
    entry.classList.add("dragged");
  });
  entry.addEventListener("dragend", () => entry.classList.remove("dragged"));
  get(entry, "a").addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    if (step === undefined || !event.shiftKey) return;
    event.preventDefault();
    const [day] = dataOf(entry, "when").split("T");
    const moved = new Date(Date.parse(`${day}T00:00Z`) + step * DAY_MS);
    move(entry, moved.toISOString().slice(0, 10));
  });
}

function startDay(root: HTMLElement, day: HTMLElement): void {
  const over = (is: boolean) => day.classList.toggle("over", is);
  day.addEventListener("dragover", (event) => {
    event.preventDefault();
    over(true);
  });
  day.addEventListener("dragleave", () => over(false));
  day.addEventListener("drop", (event) => {
    event.preventDefault();
    over(false);
    const id = event.dataTransfer?.getData("text/plain") ?? "";
    const entry = all(root, "[data-entry]").find((one) => one.dataset.entry === id);
    if (entry !== undefined) move(entry, dataOf(day, "day"));
  });
}

/** The same time on another day, in the zone of the site. */
function move(entry: HTMLElement, day: string): void {
  const [present, time = ""] = dataOf(entry, "when").split("T");
  if (present === day) return;
  const today = document.querySelector<HTMLElement>(".day.today")?.dataset.day;
  if (today !== undefined && day < today) return toast("That day is in the past.", { bad: true });
  const form = get<HTMLFormElement>(entry, "form[data-move]");
  get<HTMLInputElement>(form, "[name=when]").value = time.length > 5 && !time.endsWith(":00")
    ? `${day}T${time}`
    : `${day}T${time.slice(0, 5)}`;
  get<HTMLInputElement>(form, "[name=day]").value = day;
  entry.setAttribute("aria-busy", "true");
  form.submit();
}
