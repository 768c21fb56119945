/**
 * An authenticator in software: makes passkeys (ES256, no attestation) and signs challenges with them, as browsers
 * answer them in JSON.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { encode } from "cborg";

const UP = 0x01;
const UV = 0x04;
const BE = 0x08;
const BS = 0x10;
const AT = 0x40;

/** What the options of a request name. */
interface Options {
  challenge: string;
  rpId?: string;
  rp?: { id?: string };
  user?: { id: string };
  allowCredentials?: { id: string }[];
}

/** One passkey. */
interface Credential {
  id: string;
  rpId: string;
  userHandle: string;
  keys: CryptoKeyPair;
}

/** An authenticator on a page of an origin. */
export class Authenticator {
  /** The signature counter; 0 for authenticators that have none. */
  counter = 0;
  isVerifying = true;
  isSynced = false;
  readonly #credentials: Credential[] = [];

  constructor(readonly origin = "http://localhost") {}

  /** Makes a passkey. */
  async create(options: Options) {
    const keys = await crypto.subtle.generateKey(
      { name: "ECDSA", namedCurve: "P-256" },
      true,
      ["sign", "verify"],
    );
    const rawId = crypto.getRandomValues(new Uint8Array(16));
    const id = base64url(rawId);
    const rpId = options.rp?.id ?? new URL(this.origin).hostname;
    this.#credentials.push({ id, rpId, userHandle: options.user!.id, keys });
    const length = new Uint8Array([0, rawId.length]);
    const attested = [new Uint8Array(16), length, rawId, await coseKey(keys.publicKey)];
    const authData = Buffer.concat([await this.#authData(rpId, AT), ...attested]);
    const attestationObject = encode(
      new Map<string, unknown>([
        ["fmt", "none"],
        ["attStmt", new Map()],
        ["authData", new Uint8Array(authData)],
      ]),
    );
    return {
      id,
      rawId: id,
      type: "public-key",
      authenticatorAttachment: "platform",
      clientExtensionResults: { credProps: { rk: true } },
      response: {
        clientDataJSON: this.#clientData("webauthn.create", options.challenge),
        attestationObject: base64url(attestationObject),
        transports: ["internal"],
      },
    };
  }

  /** Signs a challenge with the newest passkey that fits. */
  async get(options: Options) {
    const allowed = options.allowCredentials ?? [];
    const credential = this.#credentials.findLast(({ id, rpId }) =>
      rpId === options.rpId && (allowed.length === 0 || allowed.some((one) => one.id === id))
    );
    if (credential === undefined) throw new Error("No passkey fits the request");
    if (this.counter > 0) this.counter += 1;
    const authData = await this.#authData(credential.rpId, 0);
    const clientDataJSON = this.#clientData("webauthn.get", options.challenge);
    const clientHash = await sha256(Buffer.from(clientDataJSON, "base64url"));
    const signature = await crypto.subtle.sign(
      { name: "ECDSA", hash: "SHA-256" },
      credential.keys.privateKey,
      new Uint8Array(Buffer.concat([authData, clientHash])),
    );
    return {
      id: credential.id,
      rawId: credential.id,
      type: "public-key",
      clientExtensionResults: {},
      response: {
        clientDataJSON,
        authenticatorData: base64url(authData),
        signature: base64url(derSignature(new Uint8Array(signature))),
        userHandle: credential.userHandle,
      },
    };
  }

  async #authData(rpId: string, flags: number): Promise<Uint8Array> {
    const verified = this.isVerifying ? UV : 0;
    const backup = this.isSynced ? BE | BS : 0;
    const counter = new Uint8Array(4);
    new DataView(counter.buffer).setUint32(0, this.counter);
    const hash = await sha256(new TextEncoder().encode(rpId));
    const head = new Uint8Array([flags | UP | verified | backup]);
    return Buffer.concat([hash, head, counter]);
  }

  #clientData(type: string, challenge: string): string {
    const data = { type, challenge, origin: this.origin, crossOrigin: false };
    return base64url(new TextEncoder().encode(JSON.stringify(data)));
  }
}

async function coseKey(key: CryptoKey): Promise<Uint8Array> {
  const { x, y } = await crypto.subtle.exportKey("jwk", key);
  return encode(
    new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x!, "base64url"))],
      [-3, new Uint8Array(Buffer.from(y!, "base64url"))],
    ]),
  );
}

/** WebCrypto answers r and s as they are; WebAuthn wants them in DER. */
function derSignature(raw: Uint8Array): Uint8Array {
  const integer = (bytes: Uint8Array) => {
    let start = 0;
    while (start < bytes.length - 1 && bytes[start] === 0) start += 1;
    const trimmed = bytes.slice(start);
    const body = trimmed[0]! >= 0x80 ? [0, ...trimmed] : [...trimmed];
    return [0x02, body.length, ...body];
  };
  const body = [...integer(raw.slice(0, 32)), ...integer(raw.slice(32))];
  return new Uint8Array([0x30, body.length, ...body]);
}

async function sha256(bytes: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new Uint8Array(bytes)));
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}
