/**
 * Objects out of reach, on a real S3 server: what needs none is answered as ever, what needs one is refused,
 * and afterwards everything that was acknowledged is there.
 */
import { assert, assertEquals } from "@std/assert";
import { RETRY_DELAYS_MS } from "../../jobs/runner/backoff.ts";
import { Client } from "../support/harness/client.ts";
import { hasStrictS3, startStrictS3, type StrictS3 } from "../support/stores/strict_s3.ts";
import { startService } from "../tour.ts";

const OUTAGE_MS = 20_000;
/** A document of so much text is kept as an object. */
const LARGE_CHARS = 900_000;

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

const NOTES = {
  slug: "notes",
  name: "Notes",
  fields: [{ name: "text", type: "text" }],
};

const OUTAGES: Record<string, (s3: StrictS3, begins: boolean) => void> = {
  "cut off": ({ proxy }, begins) => proxy.mode = begins ? "cut" : "pass",
  "frozen": (s3, begins) => s3.signal(begins ? "SIGSTOP" : "SIGCONT"),
};

for (const [name, change] of Object.entries(OUTAGES)) {
  Deno.test({
    name: `objects in a bucket that is ${name} for 20 s delay only what needs them`,
    ignore: !hasStrictS3,
    fn: async () => {
      await using s3 = await startStrictS3();
      await using service = await startService(s3.env);
      const client = new Client(service.origin);
      await client.setUp(NOTES);
      const create = (title: string, chars: number) =>
        client.call("POST", "/api/v1/notes", { title, text: "x".repeat(chars) });
      const large = (await create("Large", LARGE_CHARS)).json;
      const small = (await create("Small", 10)).json;

      change(s3, true);
      let ends = false;
      const answers = {
        small: client.call("GET", `/api/v1/notes/${small.id}`),
        large: client.call("GET", `/api/v1/notes/${large.id}`),
        list: client.call("GET", "/api/v1/notes"),
        createSmall: create("Small, meanwhile", 10),
        createLarge: create("Large, meanwhile", LARGE_CHARS),
        ready: client.call("GET", "/readyz"),
        backUp: client.call("POST", "/api/admin/exports", {}),
      };
      const ended = pause(OUTAGE_MS).then(() => {
        ends = true;
        change(s3, false);
      });
      const statuses: Record<string, number> = {};
      for (const [name, answer] of Object.entries(answers)) {
        statuses[name] = (await answer).status;
        assert(!ends, `${name} was answered after the outage`);
      }
      const refused = { large: 503, createLarge: 503, ready: 503 };
      const accepted = { small: 200, list: 200, createSmall: 201, backUp: 202 };
      assertEquals(statuses, { ...statuses, ...refused, ...accepted });
      assertEquals((await answers.list).json.meta.unavailable, [large.id]);
      await ended;

      await until(async () => (await client.call("GET", "/readyz")).status === 200);
      assertEquals((await client.call("GET", `/api/v1/notes/${large.id}`)).json, large);
      assertEquals((await create("Large, afterwards", LARGE_CHARS)).status, 201);
      const { json: { data, meta } } = await client.call("GET", "/api/v1/notes?sort=title");
      const titles = data.map(({ title }: { title: string }) => title);
      assertEquals(titles, ["Large", "Large, afterwards", "Small", "Small, meanwhile"]);
      assertEquals(meta.unavailable, undefined);
      const { jobId } = (await answers.backUp).json;
      const state = async () => (await client.call("GET", `/api/admin/jobs/${jobId}`)).json.state;
      // Its third attempt may have been within the outage; the fourth comes after a minute, give or take.
      await until(async () => await state() === "done", 2 * RETRY_DELAYS_MS[2]);
    },
  });
}

/** Waits for what comes within some time, a minute if it is not told. */
async function until(holds: () => Promise<boolean>, ms = 60_000): Promise<void> {
  const end = performance.now() + ms;
  while (!await holds()) {
    assert(performance.now() < end, "it has not come in time");
    await pause(100);
  }
}
