/** Answers that are sent in pieces end when their reader takes none, whatever answers them. */
import { ANSWER_STALL_MS } from "../../routes/input/limits.ts";
import { type TestApp, testApp } from "../support/sites/app.ts";
import { assert, assertEquals, assertRejects } from "../support/harness/assert.ts";

/** Timers of {@linkcode ANSWER_STALL_MS} ring at once while this is in use. */
function withShortTimeouts(): Disposable {
  const { setTimeout } = globalThis;
  globalThis.setTimeout =
    ((run: () => void, ms?: number, ...args: unknown[]) =>
      setTimeout(run, ms === ANSWER_STALL_MS ? 20 : ms, ...args)) as typeof setTimeout;
  return { [Symbol.dispose]: () => globalThis.setTimeout = setTimeout };
}

/** A request whose answer has several pieces, of an app that knows `token` and the administrator's `cookie`. */
type Ask = (credentials: { token: string; cookie: string }) => Request;

const origin = "http://localhost";
const notes = (count: number) =>
  Array.from({ length: count }, (_, n) => JSON.stringify({ title: `Note ${n}` })).join("\n");

const ANSWERS: Record<string, Ask> = {
  "events of the change feed": ({ token }) =>
    new Request(`${origin}/api/v1/_changes`, {
      headers: { authorization: `Bearer ${token}`, accept: "text/event-stream" },
    }),
  "lines of a bulk request": ({ token }) =>
    new Request(`${origin}/api/v1/notes/_bulk`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/x-ndjson" },
      body: notes(500),
    }),
  "lines of the audit log": ({ cookie }) =>
    new Request(`${origin}/api/admin/audit`, {
      headers: { cookie, accept: "application/x-ndjson" },
    }),
};

async function opened(test: TestApp) {
  await test.setUp();
  await test.collection({ slug: "notes", name: "Notes", fields: [] });
  const { email, password } = { email: "ada@example.org", password: "correct horse battery" };
  const body = { email, password };
  const session = await test.call("POST", "/api/admin/session", { body });
  await test.call("POST", "/api/admin/session", { body });
  const cookie = session.headers.get("set-cookie")!.split(";")[0]!;
  return { token: await test.token(), cookie };
}

for (const [name, ask] of Object.entries(ANSWERS)) {
  Deno.test(`${name} end when their reader takes none`, async () => {
    await using test = await testApp();
    const credentials = await opened(test);
    using _impatient = withShortTimeouts();
    const remoteAddr = { transport: "tcp", hostname: "192.0.2.1", port: 1 };

    const response = await test.app.fetch(ask(credentials), { remoteAddr });

    assertEquals(response.status, 200);
    const reader = response.body!.getReader();
    assert((await reader.read()).value!.length > 0);
    await new Promise((done) => setTimeout(done, 100));
    await assertRejects(() => reader.read(), Error, "not read");
  });
}
