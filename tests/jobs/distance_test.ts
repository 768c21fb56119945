/**
 * Jobs that go through a whole site, over a store at a distance: how many calls wait for one another. With 20 ms a
 * call six documents in the time of one call are 300 a second; what a job asks for once, however much there is,
 * comes on top.
 */
import { assert } from "../support/assert.ts";
import { DISTANT_WORKS, DistantSite } from "../support/distant_site.ts";
import { TurnDriver } from "../support/turn_driver.ts";

const SIZE = { documents: 1_200, media: 300 };
/** Calls in sequence at the most; a machine that stands still for a moment makes two of one. */
const MOST: Record<typeof DISTANT_WORKS[number], number> = {
  "EXPORT": 90,
  "unique field": 110,
  "RESTORE": 330,
  "RENDER_SITE": 110,
  "MIGRATE": 105,
  "PRUNE": 240,
  "SWEEP_MEDIA": 80,
  "IMPORT": 690,
};

Deno.test("jobs that go through a site have many calls under way at a time", async () => {
  let driver: TurnDriver;
  await using site = await DistantSite.open((near) => {
    driver = new TurnDriver(near);
    driver.isNear = true;
    return driver;
  }, SIZE);
  const found = {} as typeof MOST;
  for (const work of DISTANT_WORKS) {
    driver!.turns = [];
    driver!.isNear = false;
    await site.run(work);
    found[work] = driver!.turns.length;
    driver!.isNear = true;
    await site.settle();
  }

  for (const work of DISTANT_WORKS) {
    assert(found[work] <= MOST[work], `${work}: ${JSON.stringify(found)} calls in sequence`);
  }
});
