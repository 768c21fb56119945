/**
 * The story of two processes over one store that write the same things at once.
 *
 * @module
 */
import { assert, assertEquals } from "../harness/assert.ts";
import { Client } from "../harness/client.ts";

/** A collection with a unique field and an indexed one. */
export const NOTES = {
  slug: "notes",
  name: "Notes",
  fields: [
    { name: "count", type: "number", indexed: true, sortable: true },
    { name: "code", type: "text", unique: true },
  ],
};

/**
 * Sets the first up, and writes from both; throws when anything is lost, doubled or late. `changes` is how many
 * changes of one document are asked for at once: what fits into the deadline of a write, one after the other.
 */
export async function writeFromTwoProcesses(
  first: { origin: string },
  second: { origin: string },
  { changes = 30 } = {},
): Promise<void> {
  const one = new Client(first.origin);
  await one.setUp(NOTES);
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
      { length: changes },
      (_, i) =>
        clients[i % 2]!.call("PATCH", `/api/v1/notes/${shared.id}`, { title: `Change ${i}` }),
    ),
  );
  assertEquals(patches.map(({ status }) => status), patches.map(() => 200));
  const history = await two.call("GET", `/api/admin/versions/document/${shared.id}?perPage=100`);
  assertEquals(history.json.meta.total, changes + 1);
  const titles = patches.map(({ json }) => json.title);
  assertEquals(new Set(titles).size, changes);

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
}
