import {
  dayAfter,
  dayInMonth,
  isDay,
  monthAfter,
  weekdayOf,
  weeksOf,
} from "../../../../routes/studio/wording/days.ts";
import { assertEquals } from "../../../support/harness/assert.ts";

Deno.test("days are counted by the calendar", () => {
  assertEquals(dayAfter("2026-02-28", 1), "2026-03-01");
  assertEquals(dayAfter("2028-03-01", -1), "2028-02-29");
  assertEquals(weekdayOf("2026-06-01"), 0);
  assertEquals(["2026-02-30", "2026-2-3", "x", "2026-02-03"].map(isDay), [
    false,
    false,
    false,
    true,
  ]);
});

Deno.test("months are counted by the calendar, and a day never leaves its month", () => {
  assertEquals([monthAfter("2026-12", 1), monthAfter("2026-01", -13)], ["2027-01", "2024-12"]);
  assertEquals(dayInMonth("2026-01-31", 1), "2026-02-28");
  assertEquals(dayInMonth("2024-02-29", 12), "2025-02-28");
  assertEquals(dayInMonth("2026-03-15", -1), "2026-02-15");
});

Deno.test("weeksOf() begins with Monday and shows every day of the month once", () => {
  for (let month = "2023-11"; month < "2028-05"; month = monthAfter(month, 1)) {
    const weeks = weeksOf(month);
    assertEquals(weeks.every((week) => week.length === 7 && weekdayOf(week[0]!) === 0), true);
    const days = weeks.flat().filter((day) => day.startsWith(month));
    assertEquals([days[0], days.at(-1)], [
      `${month}-01`,
      dayAfter(`${monthAfter(month, 1)}-01`, -1),
    ]);
    assertEquals(weeks.length >= 4 && weeks.length <= 6, true, month);
    assertEquals(weeks.at(-1)!.some((day) => day.startsWith(month)), true, month);
  }
});
