/** The admin API holds whatever it is sent. */
import { assert, assertEquals } from "../support/harness/assert.ts";
import { endpointsOf } from "../support/sites/admin_endpoints.ts";
import { seedCount } from "../support/harness/whole_run.ts";
import { testApp } from "../support/sites/app.ts";
import { BODIES } from "./admin_bodies.ts";
import { fuzzAdmin, LEFT_OUT } from "./admin_fuzz.ts";
import { fuzzAdminOnce } from "./admin_fuzz_site.ts";

/**
 * What is sent, and refused as a rule: it wants a password, a token from a mail, a job that has failed or
 * waits, a public address that answers, or takes back all that the others need.
 */
const UNREACHED = new Set([
  ...LEFT_OUT,
  "POST /setup",
  "POST /setup/code",
  "POST /session",
  "POST /session/prove",
  "POST /session/second-factor",
  "POST /session/passkey",
  "DELETE /account/grants/:id",
  "POST /account/identities/:id/link",
  "DELETE /account/identities/:id",
  "POST /account/passkeys",
  "PATCH /account/passkeys/:id",
  "DELETE /account/passkeys/:id",
  "POST /account/recovery-codes",
  "PUT /account/totp",
  "DELETE /account/totp",
  "POST /auth/providers/:id/test",
  "POST /address-confirmation",
  "POST /password-reset/confirm",
  "POST /media/import",
  "POST /jobs/:id/retry",
  "POST /jobs/:id/cancel",
  "POST /restore",
  // A transfer whose source is never found has no plan.
  "PATCH /transfers/:id",
  "GET /transfers/:id/sample",
  "GET /transfers/exports/:jobId",
  "GET /translations/exports/:jobId",
  "POST /transfers/:id/files",
  "POST /transfers/:id/run",
  "POST /transfers/:id/retry",
  "POST /transfers/:id/undo",
  "POST /transfers/:id/pause",
  "POST /transfers/:id/resume",
]);

Deno.test("fuzzAdmin() finds nothing that fails, hangs, leaks or locks out", async () => {
  const report = await fuzzAdminOnce(7, seedCount(15, 20));

  assertEquals(report.problems, []);
  await using test = await testApp();
  const every = endpointsOf(test.app).map(({ method, path }) => `${method} ${path}`);
  assertEquals(every.filter((one) => !report.reached.has(one) && !UNREACHED.has(one)), []);
});

Deno.test("fuzzAdmin() tells a failure, a secret and an answer without the envelope", async () => {
  const answers: [number, string][] = [
    [500, JSON.stringify({ error: { code: "INTERNAL", message: "!" } })],
    [200, JSON.stringify({ passwordHash: "x" })],
    [404, "not here"],
  ];
  for (const [status, text] of answers) {
    await using test = await testApp();
    await test.setUp();
    const headers = new Headers({ "x-request-id": "1" });
    const json = text.startsWith("{") ? JSON.parse(text) : null;
    const faulty = { ...test, admin: async () => ({ status, headers, text, json }) };
    const report = await fuzzAdmin(faulty, { seed: 1, rounds: 1 });
    assert(report.problems.length > 0, text);
  }
});

Deno.test("every endpoint of the admin API that reads JSON has a body to fuzz it with", async () => {
  await using test = await testApp();
  const readers = endpointsOf(test.app).filter(({ body }) =>
    ["json", "any", "late", "package"].includes(body)
  ).map(({ method, path }) => `${method} ${path}`);
  assert(readers.length > 20);
  assertEquals(readers.filter((reader) => !(reader in BODIES)), []);
});
