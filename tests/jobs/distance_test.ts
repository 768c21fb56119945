/**
 * Jobs that go through a whole site, over a store at a distance: how many calls wait for one another. With 20 ms a
 * call six documents in the time of one call are 300 a second; what a job asks for once, however much there is,
 * comes on top.
 */
import { assert } from "../support/harness/assert.ts";
import { REMOTE_WORKS, RemoteSite, type SiteSize } from "../support/sites/remote_site.ts";

type Turns = Record<typeof REMOTE_WORKS[number], number>;

/** Most calls in sequence, over a store with the limits of a remote one. */
const MOST: Turns = {
  "EXPORT": 28,
  "unique field": 72,
  "RESTORE": 115,
  "RENDER_SITE": 38,
  "MIGRATE": 97,
  "PRUNE": 75,
  "SWEEP_MEDIA": 17,
  "IMPORT": 125,
};
/** The same where there is next to nothing. */
const MOST_ONCE: Turns = {
  "EXPORT": 21,
  "unique field": 22,
  "RESTORE": 51,
  "RENDER_SITE": 18,
  "MIGRATE": 25,
  "PRUNE": 41,
  "SWEEP_MEDIA": 16,
  "IMPORT": 63,
};

Deno.test("jobs that go through a site have many calls under way at a time", async () => {
  await assertTurns({ documents: 1_200, media: 300 }, MOST);
});

Deno.test("jobs that go through a site ask for little in sequence however much there is", async () => {
  await assertTurns({ documents: 8, media: 2 }, MOST_ONCE);
});

async function assertTurns(size: SiteSize, most: Turns): Promise<void> {
  const { site: opened, driver, time } = await RemoteSite.openInTurns(size);
  await using site = opened;
  const found = {} as Turns;
  for (const work of REMOTE_WORKS) {
    time.turns = [];
    driver.isNear = false;
    await site.run(work);
    found[work] = time.turns.length;
    driver.isNear = true;
    await site.settle();
  }

  for (const work of REMOTE_WORKS) {
    assert(found[work] <= most[work], `${work}: ${JSON.stringify(found)} calls in sequence`);
  }
}
