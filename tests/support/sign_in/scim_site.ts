/**
 * A site with a directory: a token that provisions, and its requests.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { assert, assertEquals } from "../harness/assert.ts";
import { answered } from "../sites/admin_answers.ts";
import { type Answer, type TestApp, testApp } from "../sites/app.ts";

/** A site with a directory. */
export async function directory() {
  const test = await testApp();
  const { user } = answered(await test.setUp(), 201);
  const minted = await test.admin("POST", "/tokens", { name: "Entra", scopes: ["scim"] });
  const { token, quotaPerMinute } = answered(minted, 201);
  assertEquals(quotaPerMinute, 1_000);
  return { test, ada: user, token, ask: asker(test, token) };
}

/** Requests of a directory with its token. */
export function asker({ call }: Pick<TestApp, "call">, token: string) {
  return (method: string, path: string, body?: Json, headers: Record<string, string> = {}) =>
    call(method, `/scim/v2${path}`, {
      token,
      headers: {
        ...headers,
        ...(body !== undefined && { "content-type": "application/scim+json" }),
      },
      ...(body !== undefined && { raw: JSON.stringify(body) }),
    });
}

/** The body of a patch. */
export const patch = (...Operations: Json[]): Json => ({
  schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
  Operations,
});

/** Asserts a refusal in the form of SCIM. */
export function assertScimError(answer: Answer, status: number, scimType?: string): void {
  assertEquals(answer.status, status, answer.text);
  assertEquals([answer.json.status, answer.json.scimType], [String(status), scimType]);
  assertEquals(answer.json.schemas, ["urn:ietf:params:scim:api:messages:2.0:Error"]);
  assert(answer.headers.get("content-type")?.startsWith("application/scim+json"));
}
