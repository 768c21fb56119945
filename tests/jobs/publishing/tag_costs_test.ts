/**
 * What a publish of a tagged document costs: counted in calls of the store, one after the other, beside a
 * document without tags on the same site.
 *
 * @module
 */
import { assert } from "@std/assert";
import { createDocument, patchDocument } from "../../../kv/documents/documents.ts";
import { UNATTENDED } from "../../../kv/model/entities/entity.ts";
import { parseCollection } from "../../../kv/model/input/collection_input.ts";
import { createField } from "../../../kv/schema/fields.ts";
import { createCover } from "../../support/harness/covers.ts";
import { pretendPublished } from "../../bench/publish_site.ts";
import { openTurnSite } from "../../support/sites/turn_site.ts";
import { bodyOf } from "../../support/short_documents.ts";

/** Without the look that finds the job. */
const IN_SEQUENCE_MAX = { plain: 7, tagged: 9, pictured: 9, renamed: 37 };
/** Calls of the jobs that bring two tags, the documents behind, and the aggregates up to date. */
const FOLLOWING_CALLS_MAX = 21;
/** Of three tags, where all that is shown has covers. */
const PICTURED_CALLS_MAX = 19;

const [TOPICS, COVER] = parseCollection({
  slug: "any",
  name: "Any",
  fields: [{
    name: "topics",
    type: "multi_select",
    label: "Topics",
    indexed: true,
    options: { choices: ["Light", "Fog", "Tides"] },
  }, { name: "cover", type: "media", label: "Cover" }],
} as never).fields;

for (const count of [300, 6_000]) {
  Deno.test(`PUBLISH of a document with tags keeps to its calls among ${count} documents`, async () => {
    await using site = await openTurnSite();
    await site.settle();
    await createField(site.content, UNATTENDED, "posts", TOPICS!);
    await site.settle();
    await pretendPublished(site, count);
    const write = async (n: number, topics: string[], cover?: string) => {
      const shown = cover === undefined ? { topics } : { topics, cover };
      const body = { ...bodyOf(n), ...shown, status: "published" } as never;
      return (await createDocument(site.content, UNATTENDED, "posts", body)).state.id;
    };
    const first = await write(0, ["Light", "Fog"]);
    for (let n = 1; n < 29; n++) await write(n, n % 2 === 0 ? ["Light", "Fog"] : ["Light"]);
    await site.settle();
    const last = await write(29, ["Light", "Fog"]);
    await site.settle();
    let isTagged = true;
    const cost = async (
      name: string,
      act: () => Promise<unknown>,
      followingMax = FOLLOWING_CALLS_MAX,
    ) => {
      // Takes the second in which the jobs that follow would begin at once.
      await site.pass(1_100);
      isTagged = !isTagged;
      const topics = isTagged ? ["Light", "Fog"] : ["Light", "Fog", "Tides"];
      await patchDocument(site.content, UNATTENDED, last, { lead: name, topics });
      await site.drain();
      await act();
      const inSequence = await site.drainInTurns();
      site.driver.take();
      await site.pass(1_100);
      await site.settle();
      const { calls } = site.driver.take();
      assert(calls <= followingMax, `${name}: ${calls} calls follow`);
      return inSequence;
    };

    const plain = await cost("plain", () => write(30, []));
    const tagged = await cost("tagged", () => write(31, ["Light", "Fog"]));
    const thrice = await cost("tagged thrice", () => write(32, ["Light", "Fog", "Tides"]));
    await createField(site.content, UNATTENDED, "posts", COVER!);
    await site.settle();
    const media = await site.run(
      Promise.all([0, 1, 2, 3, 4].map((n) => createCover(site.context, n))),
    );
    for (let n = 33; n < 37; n++) await write(n, ["Light", "Fog"], media[n - 33]);
    await site.settle();
    const pictured = await cost(
      "pictured",
      () => write(37, ["Light", "Fog", "Tides"], media[4]),
      PICTURED_CALLS_MAX,
    );
    const renamed = await cost(
      "renamed",
      () => patchDocument(site.content, UNATTENDED, first, { title: "Renamed" }),
    );

    assert(plain <= IN_SEQUENCE_MAX.plain, `${plain} one after the other`);
    assert(tagged <= IN_SEQUENCE_MAX.tagged, `${tagged} one after the other with two tags`);
    assert(pictured <= IN_SEQUENCE_MAX.pictured, `${pictured} one after the other with covers`);
    assert(renamed <= IN_SEQUENCE_MAX.renamed, `${renamed} one after the other when renamed`);
    assert(thrice <= IN_SEQUENCE_MAX.tagged, `${thrice} one after the other with three tags`);
  });
}
