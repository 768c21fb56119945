/** Codes of an authenticator app, by the test vectors of RFC 6238 (Appendix B, SHA-1), of which six digits count. */
import { verifyTotp } from "../../../../kv/people/factors/totp.ts";
import type { User } from "../../../../kv/model/people/user.ts";
import { assertEquals } from "../../../support/harness/assert.ts";
import { testContext } from "../../../support/harness/context.ts";

/** The ASCII text 12345678901234567890 in base32. */
const SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
/** Epoch seconds, and the code of eight digits. */
const VECTORS: [at: number, code: string][] = [
  [59, "94287082"],
  [1_111_111_109, "07081804"],
  [1_111_111_111, "14050471"],
  [1_234_567_890, "89005924"],
  [2_000_000_000, "69279037"],
  [20_000_000_000, "65353130"],
];

const USER: User = {
  id: "01J000000000000000000000AA",
  email: "ada@example.org",
  displayName: "Ada",
  passwordHash: null,
  passwordId: null,
  factors: { totp: { secret: SECRET, since: 0 } },
  createdAt: 0,
  updatedAt: 0,
};

Deno.test("the codes of RFC 6238 are accepted in their step and the steps beside it", async () => {
  await using context = await testContext();
  for (const [at, code] of VECTORS) {
    const isValid = async (seconds: number) => {
      const then = { ...context, now: () => seconds * 1000 };
      return await verifyTotp(then, USER, code.slice(2)) !== null;
    };
    const shifts = [0, 30, -30, 60, -60].filter((shift) => at + shift >= 0);
    const valid = await Promise.all(shifts.map((shift) => isValid(at + shift)));
    assertEquals(valid, shifts.map((shift) => Math.abs(shift) <= 30), `at ${at}`);
  }
});
