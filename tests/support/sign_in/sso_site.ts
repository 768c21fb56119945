/**
 * A site with an OpenID provider, and sign-ins through it.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { assertEquals } from "../harness/assert.ts";
import { answered } from "../sites/admin_answers.ts";
import { OidcServer } from "./oidc_server.ts";
import { signInSite, type Visitor } from "./sign_in_site.ts";

/** A site with the provider `corp`. */
export async function ssoSite(
  more: Record<string, Json> = {},
  options: Parameters<typeof signInSite>[0] = {},
) {
  const server = await OidcServer.start();
  const site = await signInSite({ guard: { allowLocal: true }, ...options });
  const configure = (changes: Record<string, Json>) =>
    site.test.admin("PATCH", "/settings", {
      "auth.providers": [{
        id: "corp",
        name: "Corp",
        issuer: server.issuer,
        clientId: "cms",
        ...changes,
      }],
      "secret.oidc.corp": "a client secret",
    });
  answered(await configure(more), 200);
  const close = async () => {
    await site.test[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  };
  return { ...site, server, configure, [Symbol.asyncDispose]: close };
}

/** Signs in through the provider; answers where the browser ends. */
export async function through(client: Visitor, server: OidcServer, path = "/admin/auth/corp") {
  const begun = await client.ask("GET", path);
  assertEquals(begun.status, 302, begun.text);
  const callback = server.signIn(begun.headers.get("location") ?? "");
  const answer = await client.ask("GET", callback.pathname + callback.search);
  assertEquals(answer.status, 302, answer.text);
  return answer.headers.get("location") ?? "";
}
