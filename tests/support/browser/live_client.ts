/**
 * A live connection as a test has it: what has arrived, and waiting for what has not.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";

// deno-lint-ignore no-explicit-any
type Message = any;

/** How long a test waits for a message. */
const TIMEOUT_MS = 8_000;

/** A client of `/api/admin/documents/{id}/live`. */
export class LiveClient implements AsyncDisposable {
  readonly messages: Message[] = [];
  readonly #socket: WebSocket;
  readonly #closed: Promise<CloseEvent>;
  #waiting: { matches: (message: Message) => boolean; done: (message: Message) => void }[] = [];
  #clientSeq = 0;
  readonly #read = new Set<Message>();

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    this.#closed = new Promise((done) => socket.onclose = done);
    socket.onmessage = ({ data: text }) => {
      this.messages.push(JSON.parse(text));
      this.#deliver();
    };
  }

  /**
   * Connects to a document, or a translation (`{id}/translations/{language}`), as the owner of the cookie; throws if
   * that is refused.
   */
  static async connect(
    origin: string,
    cookie: string,
    path: string,
    query = "",
  ): Promise<LiveClient> {
    const address = `${origin.replace("http", "ws")}/api/admin/documents/${path}/live${query}`;
    const socket = new WebSocket(address, { headers: { cookie } } as unknown as string[]);
    const client = new LiveClient(socket);
    await new Promise<void>((done, fail) => {
      socket.onopen = () => done();
      socket.onerror = () => fail(new Error("The connection was refused"));
    });
    return client;
  }

  /** The next message that has not been read, of this type. */
  next(type: string): Promise<Message> {
    return this.#wait((message) => message.type === type);
  }

  /** Changes something; answers the acknowledgement or the error. */
  async change(set: Record<string, Json>, unset: string[] = []): Promise<Message> {
    const clientSeq = ++this.#clientSeq;
    this.send({ type: "op", clientSeq, set, unset });
    return await this.answer(clientSeq);
  }

  /** What became of an operation. */
  async answer(clientSeq: number): Promise<Message> {
    return await this.#wait((message) =>
      ["ack", "error"].includes(message.type) && message.clientSeq === clientSeq
    );
  }

  send(message: Json): void {
    this.sendText(JSON.stringify(message));
  }

  sendText(text: string): void {
    this.#socket.send(text);
  }

  async closed(): Promise<CloseEvent> {
    return await this.#closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.close();
    await this.#closed;
  }

  #wait(matches: (message: Message) => boolean): Promise<Message> {
    return new Promise((done, fail) => {
      const timer = setTimeout(
        () => fail(new Error(`Nothing came: ${JSON.stringify(this.messages)}`)),
        TIMEOUT_MS,
      );
      this.#waiting.push({
        matches,
        done: (message) => {
          clearTimeout(timer);
          done(message);
        },
      });
      this.#deliver();
    });
  }

  /** Each message is read once. */
  #deliver(): void {
    for (const waiter of [...this.#waiting]) {
      const found = this.messages.find((message) =>
        !this.#read.has(message) && waiter.matches(message)
      );
      if (found === undefined) continue;
      this.#read.add(found);
      this.#waiting = this.#waiting.filter((one) => one !== waiter);
      waiter.done(found);
    }
  }
}
