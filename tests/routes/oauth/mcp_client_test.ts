/** The OAuth flow of the official MCP client, from a 401 of `/mcp` to calls of tools and renewed tokens. */
import { auth, type OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type {
  OAuthClientInformationMixed,
  OAuthTokens,
} from "@modelcontextprotocol/sdk/shared/auth.js";
import { assert, assertEquals, assertRejects } from "../../support/harness/assert.ts";
import { answered } from "../../support/sites/admin_answers.ts";
import type { TestApp } from "../../support/sites/app.ts";
import { fieldsOf, get, oauthSite, ORIGIN, submit } from "../../support/sign_in/oauth_site.ts";
import type { Visitor } from "../../support/sign_in/sign_in_site.ts";

const SERVER = new URL(`${ORIGIN}/mcp`);

/** What an MCP client keeps between the steps of its flow. */
class Program implements OAuthClientProvider {
  readonly redirectUrl = "http://127.0.0.1:7777/callback";
  readonly clientMetadata = {
    client_name: "Inspector",
    redirect_uris: [this.redirectUrl],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
  information: OAuthClientInformationMixed | undefined;
  kept: OAuthTokens | undefined;
  authorization: URL | undefined;
  #verifier = "";

  state = () => "a state";
  clientInformation = () => this.information;
  saveClientInformation = (information: OAuthClientInformationMixed) =>
    void (this.information = information);
  tokens = () => this.kept;
  saveTokens = (tokens: OAuthTokens) => void (this.kept = tokens);
  redirectToAuthorization = (url: URL) => void (this.authorization = url);
  saveCodeVerifier = (verifier: string) => void (this.#verifier = verifier);
  codeVerifier = () => this.#verifier;
}

/** A client over the app, without a server. */
function mcpClient(test: TestApp, authProvider: Program) {
  const remoteAddr = { transport: "tcp", hostname: "192.0.2.1", port: 1 };
  const fetchFn = async (input: URL | string, init?: RequestInit) =>
    await test.app.fetch(new Request(input, init), { remoteAddr });
  const transport = () =>
    new StreamableHTTPClientTransport(SERVER, { authProvider, fetch: fetchFn });
  return { fetchFn, transport };
}

/** Lets the user of a browser consent to what a program asks for; answers the code. */
async function consentTo(test: TestApp, client: Visitor, url: URL): Promise<string> {
  const { request, scopes } = fieldsOf(await get(test, client, url.pathname + url.search));
  const answer = await submit(test, client, "/oauth/authorize", [
    ["request", request],
    ...scopes.map((scope): [string, string] => ["scope", scope]),
    ["answer", "allow"],
  ]);
  const { searchParams } = new URL(answer.headers.get("location") ?? "");
  assertEquals(searchParams.get("state"), "a state");
  return searchParams.get("code") ?? "";
}

Deno.test("the official MCP client discovers the server, registers, signs in, calls tools and renews", async () => {
  const { test, client } = await oauthSite();
  await using _ = test;
  const program = new Program();
  const { fetchFn, transport } = mcpClient(test, program);
  const first = new Client({ name: "test", version: "1" });
  await assertRejects(() => first.connect(transport() as never), Error, "Unauthorized");
  const authorization = program.authorization;
  assert(authorization !== undefined && program.information !== undefined);
  assertEquals(authorization.searchParams.get("resource"), SERVER.href);
  assertEquals(authorization.searchParams.get("code_challenge_method"), "S256");

  const authorizationCode = await consentTo(test, client, authorization);
  const result = await auth(program, { serverUrl: SERVER, authorizationCode, fetchFn });
  assertEquals(result, "AUTHORIZED");
  const actions = ["read", "write", "read-drafts", "read-history"];
  const scopes = [...actions.map((action) => `notes:${action}`), "media:read", "media:write"];
  assertEquals(program.kept?.scope, scopes.join(" "), "all that the metadata offers");
  const second = new Client({ name: "test", version: "1" });
  await second.connect(transport() as never);
  const { tools } = await second.listTools();
  assert(tools.some(({ name }: { name: string }) => name === "create_document"));
  const made = await second.callTool({
    name: "create_document",
    arguments: { collection: "notes", body: { title: "By Inspector" } },
  });
  assertEquals(made.isError ?? false, false);

  const before = program.kept?.refresh_token;
  test.context.advance(2 * 3_600_000);
  await second.listTools();
  assert(program.kept?.refresh_token !== before, "the client has renewed its tokens");
  await second.close();
  const [grant] = answered(await client.ask("GET", "/account/grants"), 200).data;
  assertEquals(grant.client.name, "Inspector");
  answered(await client.ask("DELETE", `/account/grants/${grant.id}`), 204);
  const third = new Client({ name: "test", version: "1" });
  await assertRejects(() => third.connect(transport() as never));
});
