/**
 * Idempotency-Key when the process dies before or after any of its calls of the store: whoever repeats the
 * request in another process ends with one document, changed once.
 */
import { Store } from "../../../../kv/store/store.ts";
import { callApp, secondApp } from "../../../support/sites/app.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import { type Headless, headless } from "../../../support/sites/headless.ts";
import { HookedDriver, Killed } from "../../../support/stores/hooked_driver.ts";

/** A process of its own over the site's store, which dies at call `n`. */
function dyingApp(test: Headless, n: number, at: "before" | "after") {
  const hooked = new HookedDriver(test.context.store.driver);
  const store = new Store(hooked, { sleep: () => Promise.resolve() });
  let isDead = false;
  hooked.hook = (call, when) => {
    if (call === n && when === at) isDead = true;
    if (isDead) throw new Killed();
  };
  const { app } = secondApp({ ...test.context, store });
  return { app, died: () => isDead };
}

for (const at of ["before", "after"] as const) {
  Deno.test(`a process that dies ${at} any call leaves a request that can be repeated`, async () => {
    await using test = await headless();
    const { id } = await test.post({ title: "Kept", rating: 0 });
    const requests = (n: number) => [
      { method: "POST", path: "/posts", body: { title: `New ${n}`, status: "published" } },
      { method: "PATCH", path: `/posts/${id}`, body: { rating: n % 10, title: `At ${n} ${at}` } },
      { method: "PUT", path: `/posts/by-slug/put-${n}`, body: { title: `Put ${n}` } },
    ];
    let survived = 0;
    let crashes = 0;
    for (let n = 1; survived < 3; n++) {
      survived = 0;
      for (const [index, { method, path, body }] of requests(n).entries()) {
        const before = await counts(test, id);
        const call = {
          token: test.full,
          body,
          headers: { "idempotency-key": `${at}-${n}-${index}` },
        };
        const dying = dyingApp(test, n, at);
        const first = await callApp(dying.app, method, `/api/v1${path}`, call).catch(() => null);
        if (dying.died()) crashes += 1;
        else survived += 1;
        const repeated = await test.v1(method, path, call);
        assert(repeated.status < 300, repeated.text);
        if (first !== null && first.status < 300) assertEquals(repeated.json, first.json);
        const third = await test.v1(method, path, call);
        assertEquals(third.headers.get("idempotency-replayed"), "true");
        assertEquals(third.json, repeated.json);
        const after = await counts(test, id);
        const isChange = method === "PATCH";
        assertEquals(after.documents - before.documents, isChange ? 0 : 1, `${method} at ${n}`);
        assertEquals(after.versions - before.versions, isChange ? 1 : 0, `${method} at ${n}`);
      }
    }
    assert(crashes >= 6, String(crashes));
  });
}

/** How many documents there are, and versions of one of them. */
async function counts(test: Headless, id: string) {
  const list = await test.v1("GET", "/posts?perPage=1");
  const versions = await test.v1("GET", `/posts/${id}/versions?perPage=1`);
  return { documents: list.json.meta.total, versions: versions.json.meta.total };
}
