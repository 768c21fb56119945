/** `/api/v1/_explorer`: what it answers, and which token it lends. */
import { createHash } from "node:crypto";
import { SORT_KEYS_MAX } from "../../../kv/limits/requests.ts";
import { explorerRoutes } from "../../../routes/v1/explorer.ts";
import { readOperations } from "../../../routes/v1/explorer/browser/operations.ts";
import { browserSource } from "../../../routes/v1/explorer/browser_source.ts";
import { asCurl, asFetch } from "../../../routes/v1/explorer/browser/snippets.ts";
import { openApiDocument } from "../../../routes/v1/openapi/document.ts";
import { everyTypeSite } from "../../contract/sites.ts";
import { assert, assertEquals, assertMatch } from "../../support/harness/assert.ts";

const TOKEN = `svc_pk_01JZ0000000000000000000000_${"a".repeat(32)}`;

function explorer(publicToken = "", scopes: string[] | null = ["*:read"]) {
  const said: string[] = [];
  const token = { scopes };
  const app = explorerRoutes({
    publicToken,
    tokenScopes: () => Promise.resolve(token.scopes),
    isSignedIn: (http) => http.req.header("cookie") !== undefined,
    log: {
      warn: (event: string, facts?: unknown) => void said.push(`${event} ${JSON.stringify(facts)}`),
    },
  });
  const get = (headers = {}) => app.request("http://localhost/_explorer", { headers });
  return { token, said, get };
}

Deno.test("GET /_explorer answers one page whose policy lets only its own code run", async () => {
  const response = await explorer().get();
  const html = await response.text();
  const policy = response.headers.get("content-security-policy")!;

  assertEquals(response.status, 200);
  assertEquals(response.headers.get("content-type"), "text/html; charset=utf-8");
  for (const kind of ["script", "style"]) {
    const parts = [...html.matchAll(new RegExp(`<${kind}[^>]*>([^]*?)</${kind}>`, "g"))];
    assertEquals(parts.length, 1);
    const hash = createHash("sha256").update(parts[0]![1]!).digest("base64");
    assert(policy.includes(`${kind}-src 'sha256-${hash}'`), `${kind} is not allowed`);
  }
  assertMatch(policy, /default-src 'none'/);
  assertMatch(policy, /trusted-types 'none'/);
  assert(!policy.includes("unsafe"));
  assert(!/(?:src|href)="(?:https?:)?\/\//.test(html), "The page refers to a foreign address");
  assert(!/ on[a-z]+=| style=/.test(html.replaceAll(/<script[^]*?<\/script>/g, "")));
});

Deno.test("GET /_explorer answers 304 while the page is the same", async () => {
  const { get } = explorer();
  const etag = (await get()).headers.get("etag")!;
  assertEquals((await get({ "if-none-match": etag })).status, 304);
  assertEquals((await get({ "if-none-match": '"other"' })).status, 200);
});

Deno.test("GET /_explorer lends a token that may read and nothing else", async () => {
  const { get, said } = explorer(TOKEN, ["*:read"]);
  assert((await (await get()).text()).includes(`content="${TOKEN}"`));
  assertEquals(said, []);
});

Deno.test("GET /_explorer says whether its visitor has signed in, and caches keep both apart", async () => {
  const { get } = explorer();
  const [one, other] = [await get(), await get({ cookie: "session=x" })];
  assertEquals(one.headers.get("vary"), "Origin, Cookie");
  assert(one.headers.get("etag") !== other.headers.get("etag"));
  assert(!(await one.text()).includes('name="explorer-session" content'));
  assert((await other.text()).includes('name="explorer-session" content'));
});

const REFUSED: (string[] | null)[] = [
  null,
  [],
  ["*"],
  ["*:write"],
  ["*:read-drafts"],
  ["posts:read"],
  ["*:read", "*:read-drafts"],
  ["*:read", "posts:write"],
  ["*:read", "posts:read"],
];

for (const scopes of REFUSED) {
  Deno.test(`GET /_explorer keeps a token of ${JSON.stringify(scopes)} to itself`, async () => {
    const { get, said } = explorer(TOKEN, scopes);
    assert(!(await (await get()).text()).includes("svc_pk_0"));
    await (await get()).text();
    assertEquals(said.length, 1);
    assert(said[0]!.includes("EXPLORER_PUBLIC_TOKEN"));
    assert(!said[0]!.includes(TOKEN) && !said[0]!.includes("a".repeat(32)));
  });
}

Deno.test("GET /_explorer stops lending a token that gets other scopes", async () => {
  const { get, token, said } = explorer(TOKEN, ["*:read"]);
  assert((await (await get()).text()).includes(TOKEN));
  token.scopes = ["*:read", "*:write"];
  assert(!(await (await get()).text()).includes(TOKEN));
  assertEquals(said.length, 1);
});

Deno.test("readOperations() finds every read request with its parameters", () => {
  const description = openApiDocument(everyTypeSite(), "https://cms.example.net");
  const operations = readOperations(description);
  const list = operations.find(({ id }) => id === "listPosts")!;

  assertEquals(operations.length, 6 + 5 * 3);
  assertEquals(list.parameters.slice(0, 4).map(({ name }) => name), [
    "page",
    "perPage",
    "cursor",
    "status",
  ]);
  const { choices, joined, valuesMax } = list.parameters.find(({ name }) => name === "sort")!;
  assertEquals([choices![0], choices![1], joined, valuesMax], [
    "createdAt",
    "-createdAt",
    true,
    SORT_KEYS_MAX,
  ]);
  const boolean = list.parameters.find(({ name }) => name === "field.booleanField")!;
  assertEquals([boolean.kind, boolean.joined], ["boolean", false]);
  assertEquals(operations.find(({ id }) => id === "searchDocuments")!.open, true);
});

Deno.test("browserSource() holds every function of the browser's code", async () => {
  const source = browserSource();
  const folder = new URL("../../../routes/v1/explorer/browser/", import.meta.url);
  let found = 0;
  for (const { name } of Deno.readDirSync(folder)) {
    const text = await Deno.readTextFile(new URL(name, folder));
    for (const [, functionName] of text.matchAll(/^(?:export )?(?:async )?function (\w+)/gm)) {
      assert(source.includes(`function ${functionName}(`), `${functionName} is missing`);
      found += 1;
    }
    assert(!/^(?:export )?(?:const|let|class) /m.test(text), `${name} has more than functions`);
  }
  assert(found > 20);
});

Deno.test("asCurl() and asFetch() quote what a shell and JavaScript would take apart", () => {
  const url = `https://cms.example.net/a?b='"$(x)\`\\`;
  assertEquals(asCurl(url, true), `curl 'https://cms.example.net/a?b='\\''"$(x)\`\\'`);
  assertEquals(asFetch('https://x/"', true), 'const response = await fetch("https://x/\\"");');
  assert(asCurl(url, false).includes("$TOKEN"));
});
