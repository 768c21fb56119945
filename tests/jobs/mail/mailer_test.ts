import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { SMTPServer } from "smtp-server";
import type { Mail } from "../../../jobs/mail/mail.ts";
import { JobFailure } from "../../../jobs/runner/job_kind.ts";
import { accountText } from "../../../jobs/mail/account_text.ts";
import { createMailer, senderAddress } from "../../../jobs/mail/mailer.ts";
import { SILENT } from "../../../kv/log.ts";

const LINK = "https://lantern.example/admin/choose-password#token=abc";

const MAIL: Mail = {
  key: "01JD-1-send",
  fromName: "The Lantern",
  to: { email: "bob@example.org", name: "Bob Özil" },
  ...accountText("invitation", { displayName: "Bob", title: "The Lantern", link: LINK }),
};

interface Received {
  from: string;
  to: string[];
  text: string;
}

/** A mail server on loopback; `refuse` answers a recipient with this code. */
async function smtpServer(options: { refuse?: number; login?: string } = {}) {
  const received: Received[] = [];
  const server = new SMTPServer({
    disabledCommands: options.login === undefined ? ["AUTH", "STARTTLS"] : ["STARTTLS"],
    allowInsecureAuth: true,
    authOptional: options.login === undefined,
    onAuth({ username, password }, _session, done) {
      const isRight = `${username}:${password}` === options.login;
      if (isRight) done(null, { user: username! });
      else done(new Error("Wrong password"));
    },
    onRcptTo(_address, _session, done) {
      if (options.refuse === undefined) return done();
      done(Object.assign(new Error("Not here"), { responseCode: options.refuse }));
    },
    onData(stream, { envelope }, done) {
      let text = "";
      stream.on("data", (piece: Uint8Array) => text += new TextDecoder().decode(piece));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = envelope;
        const from = mailFrom === false ? "" : mailFrom.address;
        received.push({ from, to: rcptTo.map(({ address }) => address), text });
        done();
      });
    },
  });
  await new Promise<void>((ready) => void server.listen(0, "127.0.0.1", () => ready()));
  const { port } = server.server.address() as { port: number };
  return {
    received,
    port,
    [Symbol.asyncDispose]: () => new Promise<void>((ended) => void server.close(() => ended())),
  };
}

function mailer(smtpUrl: string, emailDomain = "lantern.example") {
  return createMailer({ smtpUrl, emailDomain, outbox: null, log: SILENT });
}

/**
 * Deno 2.5 counts timers inside of its sockets as the test's, and they may end in the next one: after a test that sends
 * over SMTP neither it nor the next can be checked. The file has a process of its own, so there is no other next.
 */
const countsTimers = !Deno.version.deno.startsWith("2.5.");
const sanitize = { sanitizeOps: countsTimers, sanitizeResources: countsTimers };

Deno.test("createMailer() hands a mail to an SMTP server in text and HTML", sanitize, async () => {
  await using server = await smtpServer({ login: "ada:s:cret" });
  await mailer(`smtp://ada:s%3Acret@127.0.0.1:${server.port}`)(MAIL);
  const [mail] = server.received;
  assertEquals([mail!.from, mail!.to], ["noreply@lantern.example", ["bob@example.org"]]);
  assertMatch(mail!.text, /^From: The Lantern <noreply@lantern\.example>\r$/m);
  assertMatch(mail!.text, /^Message-ID: <01JD-1-send@lantern\.example>\r$/m);
  assertMatch(mail!.text, /^Auto-Submitted: auto-generated\r$/m);
  assertMatch(mail!.text, /^Content-Type: text\/plain; charset=utf-8\r$/m);
  assertMatch(mail!.text, /^Content-Type: text\/html; charset=utf-8\r$/m);
});

Deno.test("createMailer() tells a refusal for good from one for now", sanitize, async () => {
  const errorOf = async (refuse: number) => {
    await using server = await smtpServer({ refuse });
    return await assertRejects(() => mailer(`smtp://127.0.0.1:${server.port}`)(MAIL), Error);
  };
  const never = await errorOf(550);
  assert(never instanceof JobFailure && never.message.includes("550"));
  assert(!(await errorOf(451) instanceof JobFailure));
});

Deno.test(
  "createMailer() fails so that it is tried again when nobody answers",
  sanitize,
  async () => {
    const { port } = await smtpServer().then(async (server) => {
      await server[Symbol.asyncDispose]();
      return server;
    });
    const error = await assertRejects(() => mailer(`smtp://127.0.0.1:${port}`)(MAIL), Error);
    assert(!(error instanceof JobFailure));
  },
);

Deno.test(
  "createMailer() writes to the outbox without a server, once per mail",
  sanitize,
  async () => {
    const outbox = await Deno.makeTempDir();
    try {
      const send = createMailer({ smtpUrl: "", emailDomain: " ", outbox, log: SILENT });
      await send(MAIL);
      await send(MAIL);
      const files = [...Deno.readDirSync(outbox)].map(({ name }) => name);
      assertEquals(files, ["01JD-1-send.eml"]);
      const text = await Deno.readTextFile(`${outbox}/${files[0]}`);
      assertMatch(text, /^From: The Lantern <noreply@localhost>\r?$/m);
      assertMatch(text, /^To: =\?UTF-8\?.*<bob@example\.org>\r?$/m);
    } finally {
      await Deno.remove(outbox, { recursive: true });
    }
  },
);

Deno.test(
  "createMailer() lets no name, title or address begin another header",
  sanitize,
  async () => {
    await using server = await smtpServer();
    const send = mailer(`smtp://127.0.0.1:${server.port}`);
    const evil = "A\r\nBcc: eve@example.org\r\n\r\nHello\u2028Bcc: eve";
    await send({ ...MAIL, subject: evil, fromName: evil, to: { ...MAIL.to, name: evil } });
    const [mail] = server.received;
    assertEquals(mail!.to, ["bob@example.org"]);
    const headers = mail!.text.split("\r\n\r\n")[0]!;
    assert(!/^Bcc:/mi.test(headers), headers);
    const addresses = ["a@b.c\r\nBcc: eve@x.y", "a@b.c, eve@x.y", "<a@b.c> eve@x.y", "eve"];
    for (const email of addresses) {
      await assertRejects(() => send({ ...MAIL, to: { email, name: "Bob" } }), JobFailure);
    }
    assertEquals(server.received.length, 1);
  },
);

Deno.test("senderAddress() falls back for an unset, empty or white domain", sanitize, () => {
  for (const domain of [undefined, "", "  \t"]) {
    assertEquals(senderAddress(domain), "noreply@localhost");
  }
  assertEquals(senderAddress(" lantern.example "), "noreply@lantern.example");
});

Deno.test("accountText() escapes what people have typed", () => {
  const displayName = `<script>"&'`;
  const { html, text } = accountText("password_reset", { displayName, title: "<b>", link: LINK });
  assert(!html.includes("<script>") && !html.includes("<b>"));
  assert(text.includes(displayName) && text.includes(LINK));
});
