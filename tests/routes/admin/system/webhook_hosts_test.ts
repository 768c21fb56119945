/** Receivers in a private network: named by an administrator, for webhooks alone. */
import {
  AddressRefused,
  guardedRequest,
  refuseAddress,
} from "../../../../jobs/network/guarded_request.ts";
import { testApp } from "../../../support/sites/app.ts";
import { assert, assertEquals, assertRejects } from "../../../support/harness/assert.ts";

const hook = (url: string) => ({
  name: "Front end",
  url,
  events: ["document.published"],
  enabled: true,
});

Deno.test("webhooks call the hosts that webhooks.hosts names, and no others", async () => {
  await using test = await testApp();
  await test.setUp();
  await test.collection({ slug: "posts", name: "Posts", fields: [] });
  const heard: string[] = [];
  await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => {
    heard.push(new URL(request.url).pathname);
    return new Response(null, { status: 204 });
  });
  const host = `127.0.0.1:${server.addr.port}`;
  const refused = await test.admin("POST", "/webhooks", hook(`http://${host}/one`));
  assertEquals(refused.status, 422);

  const set = await test.admin("PATCH", "/settings", { "webhooks.hosts": [host, "receiver:8080"] });
  assertEquals([set.status, set.json["webhooks.hosts"]], [200, [host, "receiver:8080"]]);
  const made = await test.admin("POST", "/webhooks", hook(`http://${host}/two`));
  assertEquals(made.status, 201, made.text);
  for (
    const url of ["http://127.0.0.1:1/", "http://10.0.0.1/", "http://receiver/", "http://[::1]/"]
  ) {
    assertEquals((await test.admin("POST", "/webhooks", hook(url))).status, 422, url);
  }
  const body = { collection: "posts", title: "Light", status: "published" };
  assertEquals((await test.admin("POST", "/documents", body)).status, 201);
  await test.runner.drain();
  for (let attempt = 0; heard.length === 0 && attempt < 50; attempt++) {
    test.context.advance(1_000);
    await test.runner.drain();
  }
  assertEquals(heard, ["/two"]);
});

Deno.test("webhooks.hosts takes hosts alone, from administrators alone", async () => {
  await using test = await testApp();
  await test.setUp();
  for (const wrong of ["http://receiver", "receiver/path", "re ceiver", "user@receiver", ""]) {
    const { status } = await test.admin("PATCH", "/settings", { "webhooks.hosts": [wrong] });
    assertEquals(status, 422, wrong);
  }
  const role = await test.admin("POST", "/roles", {
    name: "operator",
    permissions: ["settings.read", "settings.write"],
  });
  assertEquals(role.status, 201, role.text);
  const user = { email: "bea@example.org", displayName: "Bea", password: "a password of bea's" };
  assertEquals(
    (await test.admin("POST", "/users", { ...user, roles: ["operator"] })).status,
    201,
  );
  const session = await test.call("POST", "/api/admin/session", {
    body: { email: user.email, password: user.password },
  });
  const headers = { cookie: session.headers.get("set-cookie")!.split(";")[0]! };
  const patch = (body: Record<string, unknown>) =>
    test.call("PATCH", "/api/admin/settings", { headers, body: body as never });
  assertEquals((await patch({ "webhooks.hosts": ["receiver"] })).status, 403);
  assertEquals((await patch({ "site.title": "Light" })).status, 200);
});

Deno.test("an allowed host that resolves to a link-local or metadata address is still refused", async () => {
  const options = (address: string) => ({
    allowLocal: false,
    allowedHosts: () => Promise.resolve(["receiver"]),
    resolve: () => Promise.resolve([address]),
  });
  for (const address of ["169.254.169.254", "169.254.1.1", "fe80::1", "168.63.129.16"]) {
    await assertRejects(() => refuseAddress("http://receiver/", options(address)), AddressRefused);
  }
  for (const address of ["10.0.0.7", "127.0.0.1", "fd00::1", "192.168.1.2"]) {
    await refuseAddress("http://receiver/", options(address));
    await assertRejects(() => refuseAddress("http://other/", options(address)), AddressRefused);
  }
  // Nothing is inherited by what a redirect leads to.
  await using server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    () => new Response(null, { status: 302, headers: { location: "http://127.0.0.1:1/" } }),
  );
  const request = guardedRequest({
    allowLocal: false,
    allowedHosts: () => Promise.resolve([`127.0.0.1:${server.addr.port}`]),
  });
  const call = { bytesMax: 1_000, msMax: 2_000, redirectsMax: 2 };
  const error = await assertRejects(
    () => request({ url: `http://127.0.0.1:${server.addr.port}/`, ...call }),
    AddressRefused,
  );
  assert(error.message.includes("127.0.0.1:1"), error.message);
});
