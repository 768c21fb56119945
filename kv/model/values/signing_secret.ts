/**
 * Secrets that outgoing calls are signed with, as Standard Webhooks spell them.
 *
 * @module
 */
import { randomBytes } from "node:crypto";

const SECRET_BYTES = 32;

/** How long the secret before the present one still signs, seconds. */
export const OLD_SECRET_SECONDS = 86_400;

/** A new secret, `whsec_…`. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
}
