import { assertEquals, assertMatch } from "@std/assert";
import type { Mail } from "../../../jobs/mail/mail.ts";
import { listDeliveries } from "../../../kv/deliveries/deliveries.ts";
import { coded, enabled, publish, publishing, resultOf } from "../../support/sites/plugins.ts";
import { type Received, receiver } from "../../support/sites/webhooks.ts";

Deno.test("threat: DNS re-binding for net: calls – cms.fetch looks at what the name means now", async () => {
  const names = [["10.0.0.7"], ["10.0.0.7"]];
  const resolve = (name: string) => Promise.resolve(name === "api.acme.example" ? names[0]! : []);
  await using test = await publishing({ guard: { allowLocal: false, resolve } });
  const body = `
    const tries = ["https://api.acme.example/", "https://other.example/", "https://127.0.0.1/"];
    return await Promise.all(tries.map((url) => cms.fetch(url).catch((e) => e.message)));`;
  const facts = { capabilities: ["net:host"], hosts: ["api.acme.example"] };
  const id = await enabled(test, coded(body, facts), ["net:host"]);

  await publish(test);

  assertEquals(await resultOf(test, id), [
    "api.acme.example (10.0.0.7) is not on the public internet",
    "The manifest does not name the host other.example",
    "The manifest does not name the host 127.0.0.1",
  ]);
  const [delivery] = await listDeliveries(test.context, id);
  assertEquals(delivery!.attempts[0]!.calls, { "net.fetch": 3 });
});

Deno.test("cms.fetch calls the hosts of the manifest", async () => {
  await using to = receiver();
  await using test = await publishing({ guard: { allowLocal: true } });
  const host = new URL(to.url).host;
  const body = `
    const options = { method: "POST", headers: { "x-a": "b", host: "evil" }, body: '"hi"' };
    return (await cms.fetch("${to.url}", options)).status;`;
  const facts = { capabilities: ["net:host"], hosts: [host] };
  const id = await enabled(test, coded(body, facts), ["net:host"]);

  await publish(test);

  assertEquals(await resultOf(test, id), 200);
  const [{ headers, text }] = to.received as [Received];
  assertEquals([headers["x-a"], headers.host, text], ["b", host, '"hi"']);
});

Deno.test("a plugin's code has the capabilities that were granted, and no others", async () => {
  await using test = await publishing();
  await test.collection({ slug: "notes", name: "Notes" });
  const note = { collection: "notes", title: "Secret", status: "published" };
  const { json: { id: noteId } } = await test.admin("POST", "/documents", note);
  const draft = { collection: "posts", title: "Draft" };
  const { json: { id: draftId } } = await test.admin("POST", "/documents", draft);
  await test.runner.drain();
  const body = `
    const asked = [
      cms.content.get(event.data.id).then((it) => it.title),
      cms.content.list("posts").then((it) => it.meta.total),
      cms.content.get("${noteId}"), cms.content.get("${draftId}"), cms.content.get("x"),
      cms.content.list("notes"), cms.content.create("posts", { title: "x" }),
      cms.content.update(event.data.id, { title: "x" }), cms.settings.get(),
      cms.fetch("https://example.org/"),
    ];
    return (await Promise.allSettled(asked)).map((it) => it.value ?? it.reason?.message ?? null);`;
  const facts = { capabilities: ["content:read:posts"] };
  const id = await enabled(test, coded(body, facts), ["content:read:posts"]);

  await publish(test);

  const refused = (what: string) => `The capability ${what} was not granted`;
  assertEquals(await resultOf(test, id), [
    "Hello",
    1,
    null,
    null,
    null,
    refused("content:read:notes"),
    refused("content:write:posts"),
    refused("content:write:posts"),
    refused("settings:own"),
    refused("net:host"),
  ]);
});

Deno.test("cms.mail.send sends what a call that succeeded asked for, once", async () => {
  const sent: Mail[] = [];
  const sendMail = (mail: Mail) => Promise.resolve(void sent.push(mail));
  await using test = await publishing({ sendMail });
  const body = `
    await cms.mail.send({ to: "eve@example.org", subject: "New: " + event.data.id, text: "<b>Hi" });
    const wrong = await cms.mail.send({ to: "x\\r\\nBcc: y", subject: "s", text: "t" })
      .catch((error) => error.message);
    if (!(await cms.settings.get()).ready) throw new Error("not yet");
    return wrong;`;
  const settings = { ready: { type: "boolean", default: false } };
  const capabilities = ["mail:send", "settings:own"];
  const id = await enabled(test, coded(body, { capabilities, settings }), capabilities);
  const { document } = await publish(test);
  assertEquals(sent, []);

  await test.admin("PUT", `/plugins/${id}/config`, { ready: true });
  test.context.advance(5_000);
  await test.runner.drain();

  assertEquals(sent.map(({ to, subject }) => [to.email, subject]), [
    ["eve@example.org", `New: ${document.id}`],
  ]);
  assertMatch(sent[0]!.text, /^<b>Hi\n\n--\nSent by Sample at The Lantern\.\n$/);
  assertMatch(sent[0]!.html, /<html lang="en">[^]*<p lang="" style="[^"]*">&lt;b&gt;Hi<\/p>/);
  assertMatch(sent[0]!.html, /&lt;b>Hi|&lt;b&gt;Hi/);
  assertMatch(String(await resultOf(test, id)), /^Wrong argument: to/);
});

Deno.test("the right to write shows a plugin no draft that it did not write", async () => {
  await using test = await publishing();
  const fields = [{ name: "notes", type: "text" }, { name: "teaser", type: "text" }];
  await test.collection({ slug: "plans", name: "Plans", fields });
  const draft = await test.admin("POST", "/documents", {
    collection: "plans",
    title: "Secret plan",
    notes: "not for plugins",
  });
  const { id: draftId } = draft.json;
  const capabilities = ["content:write"];
  const body = `
    return [
      await cms.content.update("${draftId}", {}),
      await cms.content.update("${draftId}", { teaser: "Soon", createdAt: 1 }),
    ];`;
  const id = await enabled(test, coded(body, { capabilities }), capabilities);

  await publish(test);

  assertEquals(await resultOf(test, id), [
    { id: draftId },
    { id: draftId, teaser: "Soon" },
  ]);
});
