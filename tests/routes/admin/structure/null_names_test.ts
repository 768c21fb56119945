/** Forms send null for a control that was left empty: the answer says what is missing in plain words. */
import { assertEquals } from "../../../support/harness/assert.ts";
import { testApp } from "../../../support/sites/app.ts";

const BODIES: [path: string, body: Record<string, null | string>][] = [
  ["/collections", { slug: null, name: null }],
  ["/collections/{posts}/fields", { name: null, label: null, type: null }],
  ["/collections/{posts}/fields", { name: null, label: "A", type: "text" }],
  ["/blocks", { name: null, label: null }],
  ["/roles", { name: null }],
  ["/users", { email: null, displayName: null }],
  ["/tokens", { name: null, scopes: null }],
  ["/webhooks", { name: null, url: null }],
  ["/releases", { name: null }],
  ["/views", { name: null }],
];

Deno.test("no admin route answers a null with the words of its validator", async () => {
  await using test = await testApp();
  await test.setUp();
  const { json: posts } = await test.admin("POST", "/collections", {
    slug: "posts",
    name: "Posts",
    fields: [],
  });
  for (const [path, body] of BODIES) {
    const answer = await test.admin("POST", path.replace("{posts}", posts.id), body);
    const details = (answer.json?.error?.details ?? []) as { message: string }[];
    const technical = details.filter(({ message }) => /received null|Invalid input/.test(message));
    assertEquals(technical, [], `${path} ${JSON.stringify(body)}`);
  }
});
