/**
 * Jobs that go through a whole site, over a store at a distance: how many calls wait for one another. With 20 ms a
 * call six documents in the time of one call are 300 a second; what a job asks for once, however much there is,
 * comes on top.
 */
import { assert } from "../support/harness/assert.ts";
import { REMOTE_WORKS, RemoteSite, type SiteSize } from "../support/sites/remote_site.ts";
import { TurnDriver } from "../support/harness/turn_driver.ts";

type Turns = Record<typeof REMOTE_WORKS[number], number>;

/** Calls in sequence at the most; which of them fall into one differs a little from run to run. */
const MOST: Turns = {
  "EXPORT": 32,
  "unique field": 48,
  "RESTORE": 120,
  "RENDER_SITE": 42,
  "MIGRATE": 86,
  "PRUNE": 88,
  "SWEEP_MEDIA": 20,
  "IMPORT": 142,
};
/** The same where there is next to nothing. */
const MOST_ONCE: Turns = {
  "EXPORT": 23,
  "unique field": 25,
  "RESTORE": 53,
  "RENDER_SITE": 20,
  "MIGRATE": 29,
  "PRUNE": 44,
  "SWEEP_MEDIA": 18,
  "IMPORT": 63,
};

Deno.test("jobs that go through a site have many calls under way at a time", async () => {
  await assertTurns({ documents: 1_200, media: 300 }, MOST);
});

Deno.test("jobs that go through a site ask for little in sequence however much there is", async () => {
  await assertTurns({ documents: 8, media: 2 }, MOST_ONCE);
});

async function assertTurns(size: SiteSize, most: Turns): Promise<void> {
  let driver: TurnDriver;
  await using site = await RemoteSite.open((near) => {
    driver = new TurnDriver(near);
    driver.isNear = true;
    return driver;
  }, size);
  const found = {} as Turns;
  for (const work of REMOTE_WORKS) {
    driver!.turns = [];
    driver!.isNear = false;
    await site.run(work);
    found[work] = driver!.turns.length;
    driver!.isNear = true;
    await site.settle();
  }

  for (const work of REMOTE_WORKS) {
    assert(found[work] <= most[work], `${work}: ${JSON.stringify(found)} calls in sequence`);
  }
}
