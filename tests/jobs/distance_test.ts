/**
 * Jobs that go through a whole site, over a store at a distance: how many calls wait for one another. With 20 ms a
 * call six documents in the time of one call are 300 a second; what a job asks for once, however much there is,
 * comes on top.
 */
import { assert } from "../support/assert.ts";
import { DISTANT_WORKS, DistantSite, type SiteSize } from "../support/distant_site.ts";
import { TurnDriver } from "../support/turn_driver.ts";

type Turns = Record<typeof DISTANT_WORKS[number], number>;

/** Calls in sequence at the most; a machine that stands still for a moment makes two of one. */
const MOST: Turns = {
  "EXPORT": 45,
  "unique field": 65,
  "RESTORE": 165,
  "RENDER_SITE": 65,
  "MIGRATE": 105,
  "PRUNE": 90,
  "SWEEP_MEDIA": 28,
  "IMPORT": 220,
};
/** The same where there is next to nothing. */
const MOST_ONCE: Turns = {
  "EXPORT": 28,
  "unique field": 32,
  "RESTORE": 65,
  "RENDER_SITE": 28,
  "MIGRATE": 36,
  "PRUNE": 48,
  "SWEEP_MEDIA": 26,
  "IMPORT": 85,
};

Deno.test("jobs that go through a site have many calls under way at a time", async () => {
  await assertTurns({ documents: 1_200, media: 300 }, MOST);
});

Deno.test("jobs that go through a site ask for little in sequence however much there is", async () => {
  await assertTurns({ documents: 8, media: 2 }, MOST_ONCE);
});

async function assertTurns(size: SiteSize, most: Turns): Promise<void> {
  let driver: TurnDriver;
  await using site = await DistantSite.open((near) => {
    driver = new TurnDriver(near);
    driver.isNear = true;
    return driver;
  }, size);
  const found = {} as Turns;
  for (const work of DISTANT_WORKS) {
    driver!.turns = [];
    driver!.isNear = false;
    await site.run(work);
    found[work] = driver!.turns.length;
    driver!.isNear = true;
    await site.settle();
  }

  for (const work of DISTANT_WORKS) {
    assert(found[work] <= most[work], `${work}: ${JSON.stringify(found)} calls in sequence`);
  }
}
