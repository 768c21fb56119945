/**
 * Days and months of the calendar as texts, `2026-07-01` and `2026-07`; no time zone is concerned.
 *
 * @module
 */

/** The day that is some days later. */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** Monday is 0. */
export function weekdayOf(day: string): number {
  return (new Date(`${day}T00:00Z`).getUTCDay() + 6) % 7;
}

/** Whether a text names a day that there is. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && text > "0001-01-01" &&
    !Number.isNaN(Date.parse(`${text}T00:00Z`)) && dayAfter(text, 0) === text;
}

/** The month that is some months later. */
export function monthAfter(month: string, months: number): string {
  const [year, number] = month.split("-").map(Number) as [number, number];
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7);
}

/** The same day some months later, or the last day of a shorter month. */
export function dayInMonth(day: string, months: number): string {
  const month = monthAfter(day.slice(0, 7), months);
  const last = dayAfter(`${monthAfter(month, 1)}-01`, -1);
  const same = `${month}-${day.slice(8)}`;
  return same < last ? same : last;
}

/** The weeks that a month touches, seven days each, from Monday on. */
export function weeksOf(month: string): string[][] {
  const first = `${month}-01`;
  const weeks: string[][] = [];
  for (let day = dayAfter(first, -weekdayOf(first)); day.slice(0, 7) <= month;) {
    const start = day;
    weeks.push(Array.from({ length: 7 }, (_, index) => dayAfter(start, index)));
    day = dayAfter(start, 7);
  }
  return weeks;
}
