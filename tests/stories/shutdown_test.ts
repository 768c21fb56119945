/**
 * SIGTERM while clients are talking: a body that has half arrived is read to its end, connections that are
 * kept open are closed with notice, and no client sees a reset.
 */
import { assert, assertEquals } from "@std/assert";
import { type StartedService, startService } from "../tour.ts";

/** A connection on which requests are written by hand. */
class Raw implements Disposable {
  readonly #connection: Deno.TcpConn;
  #rest = "";

  private constructor(connection: Deno.TcpConn) {
    this.#connection = connection;
  }

  static async open({ origin }: StartedService): Promise<Raw> {
    return new Raw(
      await Deno.connect({ hostname: "127.0.0.1", port: Number(new URL(origin).port) }),
    );
  }

  async send(text: string): Promise<void> {
    const bytes = new TextEncoder().encode(text);
    for (let sent = 0; sent < bytes.byteLength;) {
      sent += await this.#connection.write(bytes.subarray(sent));
    }
  }

  /** The next answer: its status and head; its body is passed over. */
  async answer(): Promise<{ status: number; head: string }> {
    while (!this.#rest.includes("\r\n\r\n")) await this.#read();
    const [head] = this.#rest.split("\r\n\r\n", 1);
    const length = Number(/^content-length: (\d+)/im.exec(head!)?.[1] ?? 0);
    const end = head!.length + 4 + length;
    while (this.#rest.length < end) await this.#read();
    this.#rest = this.#rest.slice(end);
    return { status: Number(head!.split(" ")[1]), head: head!.toLowerCase() };
  }

  async #read(): Promise<void> {
    const buffer = new Uint8Array(65_536);
    const count = await this.#connection.read(buffer);
    if (count === null) throw new Error("The connection has ended");
    this.#rest += new TextDecoder("latin1").decode(buffer.subarray(0, count));
  }

  [Symbol.dispose](): void {
    this.#connection.close();
  }
}

const SETUP = JSON.stringify({
  code: "the tour code",
  email: "ada@example.org",
  displayName: "Ada",
  password: "correct horse battery",
  siteTitle: "Notes",
});
const POST = `POST /api/admin/setup HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n` +
  `Content-Length: ${SETUP.length}\r\n\r\n`;
const GET = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

Deno.test("SIGTERM lets a body that has half arrived be read, and closes kept connections with notice", async () => {
  await using service = await startService();
  using writer = await Raw.open(service);
  using keeper = await Raw.open(service);
  await writer.send(POST + SETUP.slice(0, 40));
  await keeper.send(GET);
  const before = await keeper.answer();
  assertEquals([before.status, before.head.includes("connection: close")], [200, false]);

  service.kill("SIGTERM");
  await pause(500);
  await keeper.send(GET);
  const after = await keeper.answer();
  assertEquals(after.status, 200);
  assert(after.head.includes("connection: close"), after.head);
  await writer.send(SETUP.slice(40));
  const { status } = await writer.answer();
  assertEquals(status, 201);
});

Deno.test("connections that are in use when the service stops end with an answer, never with a reset", async () => {
  await using service = await startService();
  const seen: Record<string, number> = { answered: 0, closed: 0 };
  const client = async () => {
    using connection = await Raw.open(service);
    for (;;) {
      await connection.send(GET);
      const { status, head } = await connection.answer();
      assertEquals(status, 200);
      if (head.includes("connection: close")) {
        seen.closed! += 1;
        return;
      }
      seen.answered! += 1;
      await pause(Math.random() * 20);
    }
  };
  const clients = Array.from({ length: 16 }, client);
  // All of them are in the midst of it then, however fast the machine is.
  while (seen.answered! <= 100) await pause(10);
  service.kill("SIGTERM");
  await Promise.all(clients);
  assertEquals(seen.closed, 16);
});
