/** Requests that a change of the schema overtakes. */
import { Store } from "../../../../kv/store/store.ts";
import { callApp, secondApp } from "../../../support/sites/app.ts";
import { assertEquals } from "../../../support/harness/assert.ts";
import { assertRefused, headless } from "../../../support/sites/headless.ts";
import { HookedDriver } from "../../../support/stores/hooked_driver.ts";

Deno.test("a collection whose slug changes during a request is the entity reported as not found", async () => {
  for (
    const [method, query] of [["DELETE", ""], ["PATCH", "?dryRun=false"], ["PATCH", ""]] as const
  ) {
    await using test = await headless();
    await test.setUp();
    const driver = new HookedDriver(test.context.store.driver);
    const { app } = secondApp({ ...test.context, store: new Store(driver) });
    const { id } = await test.post({ title: "Warm" });
    const send = (how: string, path: string, title?: string) =>
      callApp(app, how, `/api/v1/posts/${path}`, {
        token: test.full,
        ...(title !== undefined && { body: { title } }),
      });
    // From then on the process need not say that the token was used.
    for (const title of ["One", "Two"]) assertEquals((await send("PATCH", id, title)).status, 200);
    const commit = driver.commit.bind(driver);
    driver.commit = async (operation) => {
      driver.commit = commit;
      const renamed = await test.admin("PATCH", "/collections/posts", { slug: "articles" });
      assertEquals(renamed.status, 200, renamed.text);
      return await commit(operation);
    };
    const answer = await send(method, `${id}${query}`, method === "PATCH" ? "Late" : undefined);
    assertRefused(answer, 404, "COLLECTION_NOT_FOUND");
    const { json } = await test.v1("GET", `/articles/${id}`);
    assertEquals([json.title, json.status], ["Two", "draft"]);
  }
});
