/** Secrets that were stored before SECRETS_KEY was set, or with an earlier key, are encrypted on request. */
import { currentPrefix } from "../../../kv/keys.ts";
import type { TestContext } from "../../support/harness/context.ts";
import { encryptSecrets } from "../../../kv/people/encrypted_secrets.ts";
import { unpackState } from "../../../kv/versioning/state_codec.ts";
import { assert, assertEquals, assertRejects } from "../../support/harness/assert.ts";
import { answered } from "../../support/sites/admin_answers.ts";
import { callApp, secondApp, type TestApp } from "../../support/sites/app.ts";
import { codeAt, setUpTotp, signIn, visitor } from "../../support/sign_in/sign_in_site.ts";
import { ssoSite } from "../../support/sign_in/sso_site.ts";

const FIRST = "a key with enough characters for it";
const SECOND = "another key with enough characters";

/** The same site in a process with keys. */
function withKeys(test: TestApp, ...secretsKeys: string[]) {
  const { app, deps } = secondApp(test.context, { secretsKeys, guard: { allowLocal: true } });
  const process: TestApp = { ...test, call: (...call) => callApp(app, ...call) };
  return { process, context: deps.people.context, deps };
}

/** The current states, and the keys for providers. */
async function currentText({ store }: TestContext): Promise<string> {
  const texts: string[] = [];
  const prefixes = [...(["user", "setting", "webhook"] as const).map(currentPrefix), [
    "oidc_client_key",
  ]];
  for (const prefix of prefixes) {
    for await (const { value } of store.list<{ body?: Uint8Array } | string>({ prefix })) {
      const body = typeof value === "string" ? null : value.body;
      texts.push(body ? new TextDecoder().decode(unpackState(body)) : JSON.stringify(value));
    }
  }
  return texts.join("\n");
}

/** A site without a key that stores a secret of each kind. */
async function plainSite() {
  const site = await ssoSite();
  const { test, client, bo } = site;
  const { secret } = await setUpTotp(test, client);
  answered(await test.call("GET", "/admin/auth/corp/jwks"), 200);
  const hook = answered(
    await test.admin("POST", "/webhooks", {
      name: "Hook",
      url: "https://hook.example/",
      events: ["document.published"],
    }),
    201,
  );
  const secrets = [secret, "a client secret", hook.secret, '\\"qi\\"'];
  const found = async () => {
    const text = await currentText(test.context);
    return secrets.filter((one) => text.includes(one)).length;
  };
  assertEquals(await found(), secrets.length);
  return { ...site, bo, secret, hook, found };
}

Deno.test("encryptSecrets() encrypts every kind once, and all of them work afterwards", async () => {
  await using site = await plainSite();
  const { test, bo, secret, found } = site;
  await assertRejects(() => encryptSecrets(test.context), Error, "SECRETS_KEY");
  const { context, process, deps } = withKeys(test, FIRST);
  assertEquals(await encryptSecrets(context), { encrypted: 4, unreadable: 0 });
  assertEquals(await found(), 0);
  assertEquals(await encryptSecrets(context), { encrypted: 0, unreadable: 0 });
  const [version] = (await test.admin("GET", `/versions/user/${bo.id}`)).json.data;
  assertEquals([version.changed_by, version.change_summary], [null, "secrets encrypted"]);
  assertEquals((await deps.settings.values()).get("secret.oidc.corp"), "a client secret");
  test.context.advance(60_000);
  const client = visitor(process);
  const { challenge } = answered(await signIn(client), 202);
  const code = codeAt(test, secret);
  answered(await client.ask("POST", "/session/second-factor", { challenge, code }), 200);
});

Deno.test("encryptSecrets() replaces an earlier key, and leaves what no key can read", async () => {
  await using site = await plainSite();
  const { test } = site;
  await encryptSecrets(withKeys(test, FIRST).context);
  const stored = await currentText(test.context);
  assertEquals(await encryptSecrets(withKeys(test, SECOND).context), {
    encrypted: 0,
    unreadable: 4,
  });
  assertEquals(await currentText(test.context), stored);
  const both = withKeys(test, SECOND, FIRST);
  assertEquals(await encryptSecrets(both.context), { encrypted: 4, unreadable: 0 });
  const alone = withKeys(test, SECOND);
  assertEquals((await alone.deps.settings.values()).get("secret.oidc.corp"), "a client secret");
});

Deno.test("encryptSecrets() in two processes at once, after one that stopped halfway, loses nothing", async () => {
  await using site = await plainSite();
  const { test, secret, found } = site;
  const halfway = withKeys(test, FIRST).context;
  const commit = halfway.store.commit.bind(halfway.store);
  let commits = 0;
  halfway.store.commit = (...given) => {
    commits += 1;
    if (commits > 2) throw new Error("The process ends");
    return commit(...given);
  };
  await assertRejects(() => encryptSecrets(halfway));
  assert(await found() > 0 && await found() < 4);
  const totals = await Promise.all(
    [withKeys(test, FIRST), withKeys(test, FIRST)].map(({ context }) => encryptSecrets(context)),
  );
  assertEquals(totals.map(({ unreadable }) => unreadable), [0, 0]);
  assertEquals(await found(), 0);
  test.context.advance(60_000);
  const client = visitor(withKeys(test, FIRST).process);
  const { challenge } = answered(await signIn(client), 202);
  const code = codeAt(test, secret);
  answered(await client.ask("POST", "/session/second-factor", { challenge, code }), 200);
});
