/**
 * A message to a plugin's address, signed as the Standard Webhooks describe: the id is the message's, time
 * and signature are those of the attempt.
 *
 * @module
 */
import { createHmac } from "node:crypto";
import { HOOK_ANSWER_BYTES_MAX, HOOK_ANSWER_MS_MAX } from "../limits.ts";
import type { GuardedAnswer, GuardedRequest } from "../packages/guarded_request.ts";

const SECRET_PREFIX = "whsec_";

/** A message on its way. */
export interface WebhookMessage {
  id: string;
  url: string;
  body: string;
  /** `whsec_…`, newest first: each signs, so that a receiver may know either. */
  secrets: readonly string[];
  /** Epoch seconds of the attempt. */
  at: number;
  signal: AbortSignal;
}

/** The headers that prove a message. */
function webhookHeaders(
  { id, body, secrets, at }: Pick<WebhookMessage, "id" | "body" | "secrets" | "at">,
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

/** Sends a message; a redirect is not followed. */
export async function sendWebhook(
  request: GuardedRequest,
  message: WebhookMessage,
  msMax = HOOK_ANSWER_MS_MAX,
): Promise<GuardedAnswer> {
  return await request({
    url: message.url,
    method: "POST",
    headers: { ...webhookHeaders(message), "content-type": "application/json" },
    body: new TextEncoder().encode(message.body),
    bytesMax: HOOK_ANSWER_BYTES_MAX,
    msMax,
    signal: message.signal,
  });
}
