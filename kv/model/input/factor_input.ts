/**
 * Request bodies about factors: responses of authenticators, codes, and what a proof may be.
 *
 * @module
 */
import { z } from "zod";
import { NAME_CHARS_MAX } from "../../limits/content.ts";
import {
  CREDENTIAL_CHARS_MAX,
  CREDENTIAL_ID_CHARS_MAX,
  PASSKEY_TEXT_CHARS_MAX,
  TRANSPORT_CHARS_MAX,
  TRANSPORTS_MAX,
} from "../../limits/people.ts";
import { lineText } from "../values/text_check.ts";
import { customIssue } from "./zod_details.ts";

/** Only right or wrong, so nothing but its length is checked. */
const given = z.string().max(CREDENTIAL_CHARS_MAX);
const encoded = z.string().max(PASSKEY_TEXT_CHARS_MAX);

const credential = {
  id: z.string().min(1).max(CREDENTIAL_ID_CHARS_MAX),
  rawId: z.string().max(CREDENTIAL_ID_CHARS_MAX),
  type: z.string().max(NAME_CHARS_MAX),
  authenticatorAttachment: z.string().max(NAME_CHARS_MAX).nullable().optional(),
  clientExtensionResults: z.record(z.string().max(NAME_CHARS_MAX), z.unknown()).optional().default(
    {},
  ),
};

/** What `navigator.credentials.get()` answers, as JSON. */
export const AssertionInput = z.looseObject({
  ...credential,
  response: z.looseObject({
    clientDataJSON: encoded,
    authenticatorData: encoded,
    signature: encoded,
    userHandle: z.string().max(NAME_CHARS_MAX).nullable().optional(),
  }),
});
export type AssertionInput = z.infer<typeof AssertionInput>;

/** What `navigator.credentials.create()` answers, as JSON. */
export const RegistrationInput = z.looseObject({
  ...credential,
  response: z.looseObject({
    clientDataJSON: encoded,
    attestationObject: encoded,
    transports: z.array(z.string().max(TRANSPORT_CHARS_MAX)).max(TRANSPORTS_MAX).optional(),
  }),
});
export type RegistrationInput = z.infer<typeof RegistrationInput>;

const passkeyName = lineText(NAME_CHARS_MAX);

/** A new passkey. */
export const NewPasskey = z.strictObject({ name: passkeyName, response: RegistrationInput });

/** A passkey's new name. */
export const PasskeyPatch = z.strictObject({ name: passkeyName });

/** A code of an authenticator app. */
export const Code = z.strictObject({ code: given });

/** Options for signing in, or for the second factor of a challenge. */
export const PasskeyOptions = z.strictObject({ challenge: given.optional() });

/** Signing in with a passkey. */
export const PasskeySignIn = z.strictObject({ response: AssertionInput });

/** Refuses bodies that have not exactly one of some members; the first is the one to name. */
function exactlyOne(names: readonly string[]) {
  return (body: Record<string, unknown>, context: z.RefinementCtx) => {
    const count = names.filter((name) => body[name] !== undefined).length;
    if (count === 1) return;
    const message = count === 0 ? "Required" : `Give one of ${names.join(", ")}`;
    context.addIssue(customIssue(count === 0 ? "REQUIRED" : "UNKNOWN_KEY", message, [names[0]!]));
  };
}

/** The second factor of a sign-in. */
export const SecondFactorInput = z.strictObject({
  challenge: given,
  code: given.optional(),
  assertion: AssertionInput.optional(),
  recoveryCode: given.optional(),
}).superRefine(exactlyOne(["code", "assertion", "recoveryCode"]));
export type SecondFactorInput = z.infer<typeof SecondFactorInput>;

/** Showing again who one is. */
export const Proof = z.strictObject({
  password: given.optional(),
  code: given.optional(),
  response: AssertionInput.optional(),
}).superRefine(exactlyOne(["password", "code", "response"]));
export type Proof = z.infer<typeof Proof>;

/** Turning codes off. */
export const TotpRemoval = z.strictObject({ password: given.optional(), code: given.optional() })
  .superRefine(exactlyOne(["code", "password"]));
