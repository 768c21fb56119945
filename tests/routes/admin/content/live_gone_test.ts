/**
 * Clients of live editing that leave before they are answered.
 */
import { assertEquals } from "@std/assert";
import { inTime } from "../../../support/harness/in_time.ts";
import { liveSite } from "../../../support/sites/live_site.ts";

Deno.test("live: clients that leave before the upgrade hold no connection open", async () => {
  const site = await liveSite();
  const { hostname, port } = new URL(site.origin);
  const request = [
    `GET /api/admin/documents/${site.id}/live HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    `Origin: ${site.origin}`,
    `Cookie: ${site.cookie}`,
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  ].join("\r\n") + "\r\n\r\n";
  for (let n = 0; n < 60; n++) {
    const connection = await Deno.connect({ hostname, port: Number(port) });
    await connection.write(new TextEncoder().encode(request));
    await new Promise((done) => setTimeout(done, n % 6));
    connection.close();
  }

  const disposed = site[Symbol.asyncDispose]().then(() => "ended");
  const ended = await inTime(disposed, 20_000, () => "still open");
  assertEquals(ended, "ended");
});
