/**
 * Signed addresses of private media: each covers the medium, its name, the end of its validity and everything
 * that changes the image.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Context } from "../context.ts";
import { mediaSigningKeyKey } from "../keys.ts";
import type { Addressed } from "../model/entities/media.ts";
import { mediaUrl, servedName } from "../model/entities/media.ts";
import { randomBase62 } from "../model/values/token_text.ts";
import { IMAGE_PARAMETERS } from "../model/values/image_request.ts";
import { Operation } from "../store/operation.ts";

/** Characters of the store's key: as many random bits as a SHA-256 has. */
const KEY_CHARS = 43;
const EPOCH_SECONDS = /^[1-9]\d{0,11}$/;

/** The address of a private medium that is valid until `expires`, in epoch seconds. */
export async function signedMediaUrl(
  context: Pick<Context, "store">,
  medium: Addressed,
  query: URLSearchParams,
  expires: number,
): Promise<string> {
  const signed = new URLSearchParams(parametersOf(query));
  const sig = signature(await signingKey(context), medium, query, String(expires));
  signed.set("expires", String(expires));
  signed.set("sig", sig);
  return `${mediaUrl(medium)}?${signed}`;
}

/** Until when a request for a private medium may be answered, in epoch seconds; null if it may not. */
export async function signedUntil(
  context: Pick<Context, "store" | "now">,
  medium: Addressed,
  query: URLSearchParams,
): Promise<number | null> {
  const [expires = "", ...otherExpires] = query.getAll("expires");
  const [sig = "", ...otherSigs] = query.getAll("sig");
  if (otherExpires.length + otherSigs.length > 0 || !EPOCH_SECONDS.test(expires)) return null;
  const wanted = Buffer.from(signature(await signingKey(context), medium, query, expires));
  const given = Buffer.from(sig);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return null;
  return Number(expires) * 1000 > context.now() ? Number(expires) : null;
}

/** The parameters that a signature covers, in their order. */
function parametersOf(query: URLSearchParams): [string, string][] {
  return IMAGE_PARAMETERS.flatMap((name) =>
    query.getAll(name).map((value): [string, string] => [name, value])
  );
}

function signature(
  key: string,
  medium: Addressed,
  query: URLSearchParams,
  expires: string,
): string {
  const covered = [medium.id, servedName(medium), expires, parametersOf(query)];
  return createHmac("sha256", key).update(JSON.stringify(covered)).digest("base64url");
}

/** The key of the store, which the first use makes. */
async function signingKey({ store }: Pick<Context, "store">): Promise<string> {
  const entry = await store.get<string>(mediaSigningKeyKey);
  if (entry.value !== null) return entry.value;
  const key = randomBase62(KEY_CHARS);
  const { ok } = await store.commit(new Operation().check(entry).set(mediaSigningKeyKey, key));
  return ok ? key : await signingKey({ store });
}
