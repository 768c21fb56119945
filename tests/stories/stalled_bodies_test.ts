/** Many bodies that stall: they are answered and let go, and the service goes on. */
import { assert, assertEquals } from "@std/assert";
import { UPLOAD_GRACE_MS } from "../../kv/limits/requests.ts";
import { Client } from "../support/harness/client.ts";
import { startService } from "../tour.ts";

const STALLED = 50;

Deno.test("bodies that stall are refused in time, and their connections are closed", async () => {
  await using service = await startService();
  const client = new Client(service.origin);
  await client.setUp({ slug: "notes", name: "Notes", fields: [] });
  const { hostname, port } = new URL(service.origin);
  const encoder = new TextEncoder();
  const heads = [
    "content-type: application/json\r\ncontent-length: 1000",
    "content-type: application/json\r\ntransfer-encoding: chunked",
  ];
  const paths = ["/api/v1/notes", "/api/admin/session", "/mcp"];
  const connections = await Promise.all(
    Array.from({ length: STALLED }, async (_, n) => {
      const connection = await Deno.connect({ hostname, port: Number(port) });
      const head = heads[n % heads.length]!;
      await connection.write(encoder.encode(
        `POST ${paths[n % paths.length]} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ` +
          `${client.token}\r\n${head}\r\n\r\n${head.includes("chunked") ? "1\r\n{\r\n" : "{"}`,
      ));
      return connection;
    }),
  );
  const begun = performance.now();
  const ended = await Promise.all(connections.map(async (connection) => {
    let text = "";
    for await (const piece of connection.readable) text += new TextDecoder().decode(piece);
    return text;
  }));
  const ms = performance.now() - begun;
  assert(ms < UPLOAD_GRACE_MS + 10_000, `${ms} ms`);
  assertEquals(ended.filter((text) => !/^HTTP\/1.1 (400|401|429) /.test(text)), []);
  // For a moment between two servers nothing listens.
  await new Promise((done) => setTimeout(done, 200));
  assertEquals((await client.call("GET", "/api/v1/notes")).status, 200);
});
