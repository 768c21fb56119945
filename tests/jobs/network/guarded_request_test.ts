import { assert, assertEquals, assertRejects } from "@std/assert";
import { AddressRefused, guardedRequest } from "../../../jobs/network/guarded_request.ts";
import { isPublicAddress } from "../../../jobs/network/public_address.ts";

const LIMITS = { bytesMax: 1_000, msMax: 5_000 };

/** A server on loopback for as long as a test needs it. */
async function serving(
  handler: (request: Request) => Response | Promise<Response>,
  work: (origin: string, port: number) => Promise<void>,
): Promise<void> {
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, handler);
  try {
    await work(`http://127.0.0.1:${server.addr.port}`, server.addr.port);
  } finally {
    await server.shutdown();
  }
}

Deno.test("isPublicAddress() recognizes private addresses in all their spellings", () => {
  const near = [
    ["127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.0.1", "169.254.169.254", "0.0.0.0"],
    ["100.64.0.1", "100.100.100.200", "168.63.129.16", "224.0.0.1", "255.255.255.255"],
    ["::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "fd00:ec2::254", "ff02::1"],
    ["::ffff:127.0.0.1", "::ffff:7f00:1", "64:ff9b::7f00:1", "2002:7f00:1::", "not an address"],
  ].flat();
  assertEquals(near.filter(isPublicAddress), []);
  const far = ["1.1.1.1", "93.184.216.34", "2606:4700:4700::1111", "::ffff:1.1.1.1"];
  assertEquals(far.filter(isPublicAddress), far);
});

Deno.test("guardedRequest() calls what it may, with the host's own name", async () => {
  await serving((request) => new Response(request.headers.get("host")), async (_origin, port) => {
    const asked: string[] = [];
    const request = guardedRequest({
      allowLocal: true,
      resolve: (name) => (asked.push(name), Promise.resolve(["127.0.0.1"])),
    });

    const { status, body } = await request({ url: `http://shop.example:${port}/`, ...LIMITS });

    assertEquals([status, new TextDecoder().decode(body)], [200, `shop.example:${port}`]);
    assertEquals(asked, ["shop.example"]);
  });
});

Deno.test("guardedRequest() refuses private, loopback, link-local and metadata addresses", async () => {
  const request = guardedRequest({
    allowLocal: false,
    resolve: () => Promise.resolve(["1.1.1.1"]),
  });
  const hosts = ["127.0.0.1", "2130706433", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]", "10.0.0.1"];
  for (const host of [...hosts, "169.254.169.254", "[fd00:ec2::254]", "192.168.1.1"]) {
    const url = `https://${host}/`;
    await assertRejects(() => request({ url, ...LIMITS }), AddressRefused, "public internet");
  }
  for (const url of ["http://example.org/", "ftp://example.org/", "file:///etc/passwd"]) {
    await assertRejects(() => request({ url, ...LIMITS }), AddressRefused, "not HTTPS");
  }
  const url = "https://user:secret@example.org/";
  const error = await assertRejects(() => request({ url, ...LIMITS }), AddressRefused);
  assert(!error.message.includes("secret"));
});

Deno.test("guardedRequest() refuses a name of which one address is private", async () => {
  const resolve = () => Promise.resolve(["1.1.1.1", "10.0.0.1"]);
  const request = guardedRequest({ allowLocal: false, resolve });

  await assertRejects(
    () => request({ url: "https://two.example/", ...LIMITS }),
    AddressRefused,
    "two.example (10.0.0.1) is not on the public internet",
  );
});

Deno.test("threat: redirect on download to a private address – each hop is looked at", async () => {
  const hits: string[] = [];
  await serving((request) => {
    const { hostname, pathname, port } = new URL(request.url);
    hits.push(hostname + pathname);
    const to = pathname.slice(1);
    return to === "end" ? new Response("end") : Response.redirect(`http://${to}:${port}/end`);
  }, async (_origin, port) => {
    // One address represents the internet; all others are private.
    const names: Record<string, string> = {
      "shop.example": "127.0.0.1",
      "cdn.example": "127.0.0.1",
      "inside.example": "127.0.0.2",
      localhost: "127.0.0.2",
    };
    const request = guardedRequest({
      allowLocal: false,
      allowPlain: true,
      isPublic: (address) => address === "127.0.0.1",
      resolve: (name) => Promise.resolve([names[name]!]),
    });
    const follow = (to: string) =>
      request({ url: `http://shop.example:${port}/${to}`, ...LIMITS, redirectsMax: 3 });

    assertEquals((await follow("cdn.example")).status, 200);
    for (const to of ["inside.example", "127.0.0.2", "localhost", "[::1]"]) {
      await assertRejects(() => follow(to), AddressRefused, "not on the public internet");
    }
  });
  assertEquals(hits.filter((hit) => hit.endsWith("/end")), ["cdn.example/end"]);
});

Deno.test("guardedRequest() follows a bounded number of redirects, or none", async () => {
  await serving((request) => Response.redirect(request.url, 307), async (origin) => {
    const request = guardedRequest({ allowLocal: true });
    const url = `${origin}/`;
    await assertRejects(
      () => request({ url, ...LIMITS, redirectsMax: 3 }),
      AddressRefused,
      "too many redirects",
    );
    assertEquals((await request({ url, ...LIMITS })).status, 307);
  });
});

Deno.test("threat: DNS re-binding – guardedRequest() connects to the address that it looked at", async () => {
  await serving(() => new Response("public"), async (_origin, port) => {
    // The name means the server now, and something that refuses connections ever after.
    const answers = [["127.0.0.1"], ["127.0.0.2"], ["127.0.0.2"]];
    let lookups = 0;
    const request = guardedRequest({
      allowLocal: true,
      resolve: () => Promise.resolve(answers[lookups++]!),
    });

    const { body } = await request({ url: `http://rebind.invalid:${port}/`, ...LIMITS });

    assertEquals([new TextDecoder().decode(body), lookups], ["public", 1]);
  });
});

Deno.test("guardedRequest() bounds the answer in bytes and in time", async () => {
  const endless = () =>
    new Response(new ReadableStream({ pull: (it) => it.enqueue(new Uint8Array(500)) }));
  await serving(endless, async (origin) => {
    const request = guardedRequest({ allowLocal: true });
    await assertRejects(
      () => request({ url: origin, ...LIMITS }),
      AddressRefused,
      "over 1000 bytes",
    );
  });
  const stalled = Promise.withResolvers<Response>();
  await serving(() => stalled.promise, async (origin) => {
    const request = guardedRequest({ allowLocal: true });
    const late = await request({ url: origin, bytesMax: 10, msMax: 50 }).catch(({ name }) => name);
    stalled.resolve(new Response("late"));
    assertEquals(late, "TimeoutError");
  });
});
