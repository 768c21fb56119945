/**
 * A site with one document that is edited live, over real WebSockets.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { type TestApp, testApp } from "./app.ts";
import { LiveClient } from "../browser/live_client.ts";

const COLLECTION = {
  slug: "notes",
  name: "Notes",
  fields: [
    { name: "lead", type: "text", options: { maxLength: 50 } },
    { name: "code", type: "text", unique: true },
    { name: "body", type: "rich_text" },
    {
      name: "gallery",
      type: "repeater",
      options: { fields: [{ name: "caption", type: "text" }] },
    },
  ],
};

/** The site, its administrator, and the document that is edited. */
export interface LiveSite extends AsyncDisposable {
  test: TestApp;
  origin: string;
  cookie: string;
  id: string;
  userId: string;
  // deno-lint-ignore no-explicit-any
  ask(method: string, path: string, body?: Json): Promise<any>;
  connect(query?: string): Promise<LiveClient>;
}

/** A fresh site; `await using` closes it. */
export async function liveSite(): Promise<LiveSite> {
  const test = await testApp();
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, test.app.fetch);
  const origin = `http://127.0.0.1:${server.addr.port}`;
  const setup = await test.call("POST", "/api/admin/setup", {
    body: {
      code: "setup-code",
      email: "ada@example.org",
      displayName: "Ada",
      password: "correct horse battery",
      siteTitle: "Test",
    },
  });
  const cookie = setup.headers.get("set-cookie")!.split(";")[0]!;
  const ask = async (method: string, path: string, body?: Json) => {
    const call = { headers: { cookie }, ...(body !== undefined && { body }) };
    return (await test.call(method, `/api/admin${path}`, call)).json;
  };
  await test.collection(COLLECTION);
  const { id } = await ask("POST", "/documents", { collection: "notes", title: "One" });
  return {
    test,
    origin,
    cookie,
    id,
    userId: setup.json.user.id,
    ask,
    connect: (query = "") => LiveClient.connect(origin, cookie, id, query),
    [Symbol.asyncDispose]: async () => {
      await test.deps.live.stop();
      await server.shutdown();
      await test[Symbol.asyncDispose]();
    },
  };
}
