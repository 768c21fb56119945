import { assertEquals } from "@std/assert";
import { renderAfterUpgrade, type RenderedBy } from "../../../jobs/publishing/upgrade.ts";
import { lookOf } from "../../../jobs/publishing/look.ts";
import type { Context } from "../../../kv/context.ts";
import { askedJobs } from "../../../kv/jobs/jobs.ts";
import { pageKey, renderedByKey } from "../../../kv/pages/page_keys.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { testContext } from "../../support/harness/context.ts";
import { rendering } from "../../support/sites/site.ts";

const FIRST: RenderedBy = { version: "1.2.0", theme: "a" };

const asked = async ({ store }: Context) =>
  [...(await askedJobs(store)).values()].map(({ type }) => type);

Deno.test("renderAfterUpgrade() has the pages of an older release, and of another theme, rendered once", async () => {
  await using context = await testContext();
  await context.store.commit(new Operation().set(pageKey("/posts/fog"), {}));

  for (const own of [FIRST, { ...FIRST, theme: "b" }, { version: "1.10.0", theme: "b" }]) {
    assertEquals(await renderAfterUpgrade(context, own), true);
    assertEquals(await renderAfterUpgrade(context, own), false);
    assertEquals((await context.store.get(renderedByKey)).value, own);
  }
  assertEquals(await asked(context), ["RENDER_SITE"]);
});

Deno.test("lookOf() is another one for another release: lists and feeds are rendered again, too", () => {
  const looks = ["1.2.0", "1.2.1"].map((release) => lookOf({ ...rendering([]), release }));

  assertEquals(new Set(looks).size, 2);
});

Deno.test("renderAfterUpgrade() leaves the pages of a newer release, and a site without any, as they are", async () => {
  await using context = await testContext();

  assertEquals(await renderAfterUpgrade(context, FIRST), false);
  await context.store.commit(new Operation().set(pageKey("/posts/fog"), {}));
  assertEquals(await renderAfterUpgrade(context, { version: "1.1.9", theme: "z" }), false);

  assertEquals((await context.store.get(renderedByKey)).value, FIRST);
  assertEquals(await asked(context), []);
});
