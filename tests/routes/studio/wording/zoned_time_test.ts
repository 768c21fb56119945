import { instantOf } from "../../../../routes/studio/browser/document/dates.ts";
import { Zone } from "../../../../routes/studio/wording/zoned_time.ts";
import { assertEquals } from "../../../support/harness/assert.ts";

Deno.test("Zone.instantOf() is the way back from Zone.timeAt(), in summer and winter", () => {
  for (const name of ["UTC", "Europe/Berlin", "America/St_Johns", "Pacific/Chatham"]) {
    const zone = new Zone(name);
    for (let at = 1_760_000_000; at < 1_795_000_000; at += 7_777_777) {
      assertEquals(zone.instantOf(zone.timeAt(at)), at, `${name} ${at}`);
    }
  }
  const berlin = new Zone("Europe/Berlin");
  assertEquals(berlin.timeAt(Date.UTC(2026, 6, 1, 18, 30) / 1000), "2026-07-01T20:30:00");
  assertEquals(berlin.instantOf("2026-01-01T20:30"), Date.UTC(2026, 0, 1, 19, 30) / 1000);
  assertEquals(berlin.instantOf("2026-07-01"), Date.UTC(2026, 5, 30, 22) / 1000);
  assertEquals(berlin.dayAt(Date.UTC(2026, 5, 30, 22) / 1000), "2026-07-01");
});

Deno.test("Zone.instantOf() replaces a time that clocks skip by one next to it, and refuses nonsense", () => {
  const berlin = new Zone("Europe/Berlin");
  const skipped = berlin.timeAt(berlin.instantOf("2026-03-29T02:30")!);
  assertEquals(["2026-03-29T01:30:00", "2026-03-29T03:30:00"].includes(skipped), true);
  for (
    const text of ["", "now", "2026-13-01", "2026-01-01T25:00", "20260-01-01T00:00", "2026-1-1"]
  ) {
    assertEquals(berlin.instantOf(text), null, text);
  }
});

Deno.test("Zone.skips() tells the times that no clock shows", () => {
  const berlin = new Zone("Europe/Berlin");
  const skipped = ["2026-03-29T02:00", "2026-03-29T02:30", "2026-03-29T02:59:59"];
  for (const text of skipped) assertEquals([text, berlin.skips(text)], [text, true]);
  const shown = ["2026-03-29T01:59", "2026-03-29T03:00", "2026-10-25T02:30", "2026-03-29", "x"];
  for (const text of shown) assertEquals([text, berlin.skips(text)], [text, false]);
});

Deno.test("instantOf() of the browser knows no instant of a time that its clocks skip", () => {
  const before = Deno.env.get("TZ");
  try {
    Deno.env.set("TZ", "Europe/Berlin");
    assertEquals(instantOf("2026-03-29T02:30"), null);
    assertEquals(instantOf("2026-03-29T02:30:15"), null);
    assertEquals(instantOf("2026-03-29T03:30"), Date.UTC(2026, 2, 29, 1, 30) / 1000);
    assertEquals(instantOf("2026-03-29T01:30:15"), Date.UTC(2026, 2, 29, 0, 30, 15) / 1000);
    assertEquals(instantOf("2026-10-25T02:30"), Date.UTC(2026, 9, 25, 0, 30) / 1000);
    Deno.env.set("TZ", "America/New_York");
    assertEquals(instantOf("2026-03-08T02:30"), null);
    assertEquals(instantOf("2026-03-29T02:30"), Date.UTC(2026, 2, 29, 6, 30) / 1000);
  } finally {
    if (before === undefined) Deno.env.delete("TZ");
    else Deno.env.set("TZ", before);
  }
});
