/** Passkeys by a test vector of Web Authentication, Level 3, section 16: ES256 without attestation. */
import { Buffer } from "node:buffer";
import { verifyAssertion } from "../../../../kv/people/factors/assertion.ts";
import { keepChallenge } from "../../../../kv/people/factors/passkey_challenge.ts";
import { addPasskey } from "../../../../kv/people/factors/passkeys.ts";
import { assertEquals } from "../../../support/harness/assert.ts";
import { signInSite } from "../../../support/sign_in/sign_in_site.ts";

const PARTY = { id: "example.org", origin: "https://example.org" };
const CREDENTIAL_ID = "f91f391db4c9b2fde0ea70189cba3fb63f579ba6122b33ad94ff3ec330084be4";
const REGISTRATION = {
  challenge: "00c30fb78531c464d2b6771dab8d7b603c01162f2fa486bea70f283ae556e130",
  clientDataJSON:
    "7b2274797065223a22776562617574686e2e637265617465222c226368616c6c656e6765223a22414d4d507434557878475453746e63647134313759447742466938767049612d7077386f4f755657345441222c226f726967696e223a2268747470733a2f2f6578616d706c652e6f7267222c2263726f73734f726967696e223a66616c73652c22657874726144617461223a22636c69656e74446174614a534f4e206d617920626520657874656e6465642077697468206164646974696f6e616c206669656c647320696e20746865206675747572652c207375636820617320746869733a20426b5165446a646354427258426941774a544c453551227d",
  attestationObject:
    "a363666d74646e6f6e656761747453746d74a068617574684461746158a4bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b559000000008446ccb9ab1db374750b2367ff6f3a1f0020f91f391db4c9b2fde0ea70189cba3fb63f579ba6122b33ad94ff3ec330084be4a5010203262001215820afefa16f97ca9b2d23eb86ccb64098d20db90856062eb249c33a9b672f26df61225820930a56b87a2fca66334b03458abf879717c12cc68ed73290af2e2664796b9220",
};
const AUTHENTICATION = {
  challenge: "39c0e7521417ba54d43e8dc95174f423dee9bf3cd804ff6d65c857c9abf4d408",
  clientDataJSON:
    "7b2274797065223a22776562617574686e2e676574222c226368616c6c656e6765223a224f63446e55685158756c5455506f334a5558543049393770767a7a59425039745a63685879617630314167222c226f726967696e223a2268747470733a2f2f6578616d706c652e6f7267222c2263726f73734f726967696e223a66616c73657d",
  authenticatorData: "bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b51900000000",
  signature:
    "3046022100f50a4e2e4409249c4a853ba361282f09841df4dd4547a13a87780218deffcd380221008480ac0f0b93538174f575bf11a1dd5d78c6e486013f937295ea13653e331e87",
};

const base64url = (hex: string) => Buffer.from(hex, "hex").toString("base64url");
const id = base64url(CREDENTIAL_ID);
const credential = { id, rawId: id, type: "public-key", clientExtensionResults: {} };

Deno.test("the registration and the authentication of the vector are accepted, without user verification", async () => {
  const { test, bo } = await signInSite({ baseUrl: PARTY.origin });
  await using _ = test;
  const { people } = test.deps;
  const userId: string = bo.id;
  await keepChallenge(test.context, base64url(REGISTRATION.challenge), "registration", userId);
  const passkey = await addPasskey(people, { userId }, PARTY, {
    name: "Vector",
    response: {
      ...credential,
      response: {
        clientDataJSON: base64url(REGISTRATION.clientDataJSON),
        attestationObject: base64url(REGISTRATION.attestationObject),
      },
    },
  });
  assertEquals(passkey.synced, true);

  const response = {
    ...credential,
    response: {
      clientDataJSON: base64url(AUTHENTICATION.clientDataJSON),
      authenticatorData: base64url(AUTHENTICATION.authenticatorData),
      signature: base64url(AUTHENTICATION.signature),
    },
  };
  const verify = async (purpose: "sign-in" | "second factor") => {
    await keepChallenge(test.context, base64url(AUTHENTICATION.challenge), purpose, userId);
    return await verifyAssertion(people, { party: PARTY, purpose, userId }, response);
  };
  assertEquals((await verify("second factor"))?.user.id, userId);
  assertEquals(await verify("sign-in"), null, "a sign-in without a password needs verification");
});
