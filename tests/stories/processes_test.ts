import { assert, assertEquals } from "@std/assert";
import { Client } from "../support/client.ts";
import { startService } from "../tour.ts";

const NOTES = {
  slug: "notes",
  name: "Notes",
  fields: [
    { name: "count", type: "number", indexed: true, sortable: true },
    { name: "code", type: "text", unique: true },
  ],
};

Deno.test("two processes over one database stay correct under concurrent writes", async () => {
  await using first = await startService();
  const one = new Client(first.origin);
  await one.setUp(NOTES);
  await using second = await startService({}, first.dataDir);
  const two = new Client(second.origin);
  Object.assign(two, { cookie: one.cookie, token: one.token });
  const clients = [one, two];

  // The same slug and the same unique value from both at once: each is given away once.
  const racing = await Promise.all(
    Array.from(
      { length: 20 },
      (_, i) =>
        clients[i % 2]!.call("POST", "/api/v1/notes", {
          title: "Race",
          slug: `race-${i >> 1}`,
          code: `c${i >> 1}`,
        }),
    ),
  );
  assertEquals(racing.filter(({ status }) => status === 201).length, 10);
  assert(racing.every(({ status }) => [201, 409, 422].includes(status)));

  // Everybody derives slugs from one title: all distinct.
  const derived = await Promise.all(
    Array.from(
      { length: 30 },
      (_, i) => clients[i % 2]!.call("POST", "/api/v1/notes", { title: "Same title" }),
    ),
  );
  assertEquals(new Set(derived.map(({ json }) => json.slug)).size, 30);

  // Both change one document: each acknowledged change is a version, none is lost.
  const [{ json: shared }] = derived as [typeof derived[number]];
  const patches = await Promise.all(
    Array.from(
      { length: 30 },
      (_, i) =>
        clients[i % 2]!.call("PATCH", `/api/v1/notes/${shared.id}`, { title: `Change ${i}` }),
    ),
  );
  assert(patches.every(({ status }) => status === 200));
  const history = await two.call("GET", `/api/admin/versions/document/${shared.id}?perPage=100`);
  assertEquals(history.json.meta.total, 31);
  const titles = patches.map(({ json }) => json.title);
  assertEquals(new Set(titles).size, 30);

  // What one has acknowledged the other shows at once, in lists and by id.
  for (let i = 0; i < 20; i++) {
    const [writer, reader] = [clients[i % 2]!, clients[(i + 1) % 2]!];
    const created = await writer.call("POST", "/api/v1/notes", { title: `Turn ${i}`, count: i });
    const listed = await reader.call("GET", `/api/v1/notes?field.count=${i}`);
    assertEquals(listed.json.data.map(({ id }: { id: string }) => id), [created.json.id]);
    assertEquals((await reader.call("GET", `/api/v1/notes/${created.json.id}`)).status, 200);
  }

  // A collection defined by one has its routes in the other with the next request.
  await two.call("POST", "/api/admin/collections", { slug: "later", name: "Later" });
  assertEquals((await one.call("GET", "/api/v1/later")).status, 200);
});

Deno.test("what was acknowledged survives SIGKILL at any moment", async () => {
  const dataDir = await Deno.makeTempDir({ prefix: "cms-kill-" });
  try {
    const client = new Client("");
    const acknowledged = new Map<string, number>();
    {
      await using service = await startService({}, dataDir);
      client.origin = service.origin;
      await client.setUp(NOTES);
    }
    for (let round = 0; round < 4; round++) {
      await using service = await startService({}, dataDir);
      client.origin = service.origin;
      let stopped = false;
      const writers = Array.from({ length: 4 }, async (_, writer) => {
        for (let i = 0; !stopped; i++) {
          try {
            const title = `R${round} W${writer} N${i}`;
            const created = await client.call("POST", "/api/v1/notes", { title, count: i });
            if (created.status !== 201) continue;
            acknowledged.set(created.json.id, 1);
            const path = `/api/v1/notes/${created.json.id}`;
            const patched = await client.call("PATCH", path, { count: -i - 1 });
            if (patched.status === 200) acknowledged.set(created.json.id, 2);
          } catch (error) {
            assert(stopped, `${error}`);
          }
        }
      });
      await new Promise((done) => setTimeout(done, 150 + 70 * round));
      stopped = true;
      service.kill("SIGKILL");
      await Promise.all(writers);
    }

    await using service = await startService({}, dataDir);
    client.origin = service.origin;
    assert(acknowledged.size > 20, `only ${acknowledged.size} writes were acknowledged`);
    for (const [id, versions] of acknowledged) {
      const read = await client.call("GET", `/api/v1/notes/${id}`);
      assertEquals(read.status, 200);
      const history = await client.call("GET", `/api/admin/versions/document/${id}`);
      assert(history.json.meta.total >= versions);
      assertEquals(history.json.meta.total, history.json.data[0].version_number);
    }
    const listed = await client.call("GET", "/api/v1/notes");
    assert(listed.json.meta.total >= acknowledged.size);
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
});
