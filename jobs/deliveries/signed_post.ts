/**
 * A message to an address, signed as the Standard Webhooks describe: the id is the message's, time and
 * signature are those of the attempt.
 *
 * @module
 */
import { createHmac } from "node:crypto";
import { DELIVERY_ANSWER_BYTES_MAX, DELIVERY_ANSWER_MS_MAX } from "../limits.ts";
import type { GuardedRequest } from "../network/guarded_request.ts";
import type { Answer } from "./receiver.ts";

const SECRET_PREFIX = "whsec_";
/** Says that the receiver wants no more messages. */
const GONE = 410;

/** A message on its way. */
interface SignedMessage {
  id: string;
  url: string;
  body: string;
  /** `whsec_…`, newest first: each signs, so that a receiver may know either. */
  secrets: readonly string[];
  /** Epoch seconds of the attempt. */
  at: number;
  signal: AbortSignal;
}

/** Sends a message; a redirect is not followed, and a failure like every answer but 2xx. */
export async function signedPost(
  request: GuardedRequest,
  message: SignedMessage,
): Promise<Answer> {
  const { status, body } = await request({
    url: message.url,
    method: "POST",
    headers: { ...signatureHeaders(message), "content-type": "application/json" },
    body: new TextEncoder().encode(message.body),
    bytesMax: DELIVERY_ANSWER_BYTES_MAX,
    msMax: DELIVERY_ANSWER_MS_MAX,
    signal: message.signal,
  });
  const isTaken = status >= 200 && status < 300;
  return {
    status,
    error: isTaken ? null : `The receiver answered ${status}`,
    response: new TextDecoder().decode(body),
    isFinal: status === GONE,
  };
}

/** The headers that prove a message. */
function signatureHeaders(
  { id, body, secrets, at }: Pick<SignedMessage, "id" | "body" | "secrets" | "at">,
): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = Uint8Array.from(
      atob(secret.slice(SECRET_PREFIX.length)),
      (character) => character.charCodeAt(0),
    );
    return `v1,${createHmac("sha256", key).update(`${id}.${at}.${body}`).digest("base64")}`;
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": String(at),
    "webhook-signature": signatures.join(" "),
  };
}
