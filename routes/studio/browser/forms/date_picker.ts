/**
 * Runs in the browser. The calendar of every date control: a grid for keyboard and touch, and the time of day
 * if the control has one. It writes the control's own value, so that code that reads the control need not know
 * of it.
 *
 * @module
 */
import { dayAfter, dayInMonth, monthAfter, weekdayOf, weeksOf } from "../../wording/days.ts";
import { get, icon, make, parentOf, removeWhenClosed, showBeside } from "../page/elements.ts";

/** The time of a day that is chosen first. */
const FIRST_TIME = "09:00";
const MINUTES_STEP = 5;
const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const EARLIER = "m15 18-6-6 6-6";
const LATER = "m9 18 6-6-6-6";

/** Opens the calendar of whichever control is asked, also of those to come. */
export function startDatePickers(): void {
  const picker = new DatePicker();
  document.addEventListener("click", (event) => {
    const button = (event.target as Element).closest<HTMLElement>("[data-date-open]");
    if (button !== null) picker.toggle(parentOf(button));
  });
  document.addEventListener("keydown", (event) => {
    const input = event.target as HTMLInputElement;
    const opens = event.key === "F4" || event.key === " " ||
      event.altKey && event.key === "ArrowDown";
    if (!opens || input.parentElement?.className !== "date-input" || input.readOnly) return;
    event.preventDefault();
    picker.toggle(input.parentElement);
  });
}

class DatePicker {
  readonly #root = make("div", {
    class: "date-picker",
    popover: "auto",
    role: "dialog",
    "aria-label": "Calendar",
  });
  #input!: HTMLInputElement;
  /** The day that keys start from. */
  #day = "";

  constructor() {
    this.#root.addEventListener("keydown", (event) => this.#move(event));
    removeWhenClosed(this.#root);
    // The controls in here are no part of the form around them.
    for (const type of ["input", "change"]) {
      this.#root.addEventListener(type, (event) => event.stopPropagation());
    }
  }

  /** Opens the calendar at a control, or closes it if it is already open there. */
  toggle(owner: HTMLElement): void {
    const isOpen = this.#root.matches(":popover-open");
    if (isOpen) this.#root.hidePopover();
    if (isOpen && this.#root.parentElement === owner) return;
    this.#input = get<HTMLInputElement>(owner, "input");
    this.#day = this.#chosen || today();
    owner.append(this.#root);
    this.#draw();
    showBeside(this.#root, get(owner, "[data-date-open]"));
    this.#focus();
  }

  get #chosen(): string {
    return this.#input.value.slice(0, 10);
  }

  get #time(): string {
    return this.#input.value.slice(11);
  }

  get #hasTime(): boolean {
    return this.#input.type === "datetime-local";
  }

  #isAllowed(day: string): boolean {
    const { min, max } = this.#input;
    return (min === "" || day >= min.slice(0, 10)) && (max === "" || day <= max.slice(0, 10));
  }

  #write(value: string): void {
    this.#input.value = value;
    for (const type of ["input", "change"]) {
      this.#input.dispatchEvent(new Event(type, { bubbles: true }));
    }
  }

  #choose(day: string): void {
    if (!this.#isAllowed(day)) return;
    this.#day = day;
    this.#write(this.#hasTime ? `${day}T${this.#time || FIRST_TIME}` : day);
    if (this.#hasTime) this.#redraw();
    else this.#close();
  }

  #close(): void {
    this.#root.hidePopover();
    this.#input.focus();
  }

  #focus(): void {
    get(this.#root, `[data-day="${this.#day}"]`).focus();
  }

  #redraw(): void {
    this.#draw();
    this.#focus();
  }

  #draw(): void {
    const parts = [this.#head(), this.#grid()];
    if (this.#hasTime) parts.push(this.#clock());
    this.#root.replaceChildren(...parts, this.#foot());
  }

  #head(): HTMLElement {
    const turn = (months: number, label: string, path: string) => {
      const onclick = () => {
        this.#day = dayInMonth(this.#day, months);
        this.#draw();
        get(this.#root, `[aria-label="${label}"]`).focus();
      };
      const look = { class: "icon-button", "aria-label": label };
      return make("button", { type: "button", ...look, onclick }, icon(path));
    };
    return make(
      "div",
      { class: "date-head" },
      turn(-1, "Previous month", EARLIER),
      make("p", { "aria-live": "polite" }, monthName(this.#day)),
      turn(1, "Next month", LATER),
    );
  }

  #grid(): HTMLElement {
    const month = this.#day.slice(0, 7);
    const heads = WEEKDAYS.map((name) =>
      make("th", { scope: "col", abbr: name, "aria-label": name }, name.slice(0, 2))
    );
    const rows = weeksOf(month).map((week) =>
      make("tr", {}, ...week.map((day) => this.#cell(day, day.startsWith(month))))
    );
    return make(
      "table",
      { role: "grid", "aria-label": monthName(this.#day) },
      make("thead", {}, make("tr", {}, ...heads)),
      make("tbody", {}, ...rows),
    );
  }

  #cell(day: string, isInside: boolean): HTMLElement {
    const button = make("button", {
      type: "button",
      "data-day": day,
      "aria-label": dayName(day),
      "aria-current": day === today() && "date",
      tabindex: day === this.#day ? "0" : "-1",
      disabled: !this.#isAllowed(day) && day !== this.#day,
      "aria-disabled": !this.#isAllowed(day) && "true",
      class: isInside ? "" : "outside",
      onclick: () => this.#choose(day),
    }, String(Number(day.slice(8))));
    return make(
      "td",
      { role: "gridcell", "aria-selected": String(day === this.#chosen) },
      button,
    );
  }

  /** Hours and minutes. */
  #clock(): HTMLElement {
    const [hour, minute] = (this.#time || FIRST_TIME).split(":") as [string, string];
    const minutes = new Set([...numbers(60, MINUTES_STEP), minute].sort());
    const set = () => {
      const [hours, minutes] = [...root.querySelectorAll("select")].map(({ value }) => value);
      this.#write(`${this.#chosen || this.#day}T${hours}:${minutes}`);
    };
    const list = (label: string, values: Iterable<string>, value: string) => {
      const options = [...values].map((one) =>
        make("option", { value: one, selected: one === value }, one)
      );
      return make("select", { "aria-label": label, onchange: set }, ...options);
    };
    const root = make(
      "div",
      { class: "date-time" },
      list("Hour", numbers(24, 1), hour),
      ":",
      list("Minute", minutes, minute),
    );
    return root;
  }

  #foot(): HTMLElement {
    const button = (label: string, look: string, onclick: () => void) =>
      make("button", { type: "button", class: `button small ${look}`, onclick }, label);
    const clear = button("Clear", "quiet", () => {
      this.#write("");
      this.#close();
    });
    const now = button("Today", "quiet", () => this.#choose(today()));
    now.disabled = !this.#isAllowed(today());
    return make(
      "div",
      { class: "date-foot" },
      now,
      ...(this.#input.required ? [] : [clear]),
      button("Done", "", () => this.#close()),
    );
  }

  #move(event: KeyboardEvent): void {
    if (event.key === "Escape") event.stopPropagation();
    if ((event.target as HTMLElement).dataset.day === undefined) return;
    const day = this.#day;
    const months = event.shiftKey ? 12 : 1;
    const moved: Record<string, () => string> = {
      ArrowLeft: () => dayAfter(day, -1),
      ArrowRight: () => dayAfter(day, 1),
      ArrowUp: () => dayAfter(day, -7),
      ArrowDown: () => dayAfter(day, 7),
      Home: () => dayAfter(day, -weekdayOf(day)),
      End: () => dayAfter(day, 6 - weekdayOf(day)),
      PageUp: () => dayInMonth(day, -months),
      PageDown: () => dayInMonth(day, months),
    };
    const to = moved[event.key]?.();
    if (to === undefined) return;
    event.preventDefault();
    this.#day = to;
    this.#redraw();
  }
}

/** `00`, `05`, … below an end. */
function numbers(end: number, step: number): string[] {
  return Array.from(
    { length: Math.ceil(end / step) },
    (_, index) => String(index * step).padStart(2, "0"),
  );
}

/** Today in the browser's time zone. */
function today(): string {
  const now = new Date();
  const month = monthAfter(`${now.getFullYear()}-01`, now.getMonth());
  return `${month}-${String(now.getDate()).padStart(2, "0")}`;
}

function monthName(day: string): string {
  return written(day, { month: "long", year: "numeric" });
}

function dayName(day: string): string {
  return written(day, { dateStyle: "full" });
}

function written(day: string, options: Intl.DateTimeFormatOptions): string {
  const format = new Intl.DateTimeFormat("en-GB", { ...options, timeZone: "UTC" });
  return format.format(new Date(`${day}T00:00Z`));
}
