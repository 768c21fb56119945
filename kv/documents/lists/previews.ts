/**
 * Previews: secrets, with an end, that show one document as its editors see it, or the site as a release will
 * make it, to clients that have them. Only their hashes are stored.
 *
 * @module
 */
import { type Context, seconds } from "../../context.ts";
import { previewKey, previewPrefix } from "../../keys.ts";
import {
  mintPreviewToken,
  previewIdOf,
  secretHash,
  secretMatches,
} from "../../model/values/token_text.ts";
import { Refusal } from "../../refusals.ts";
import { Operation } from "../../store/operation.ts";

/** Seconds that a preview lasts by default, at least, and at most. */
export const PREVIEW_TTL = { initial: 3_600, min: 60, max: 604_800 };

/** Previews that one commit ends. */
const ENDED_PER_COMMIT = 500;

/** The content of a preview. */
export type PreviewTarget = { documentId: string } | { releaseId: string };

/** Other facts about a preview. */
interface PreviewFacts {
  hash: string;
  createdBy: string | null;
  /** Epoch seconds. */
  createdAt: number;
  expiresAt: number;
}

/** A preview as it is kept. */
type PreviewRow = PreviewFacts & PreviewTarget;

/** A preview as it is shown. */
export type Preview = Omit<PreviewFacts, "hash"> & PreviewTarget & { id: string };

/** A preview of a document. */
export type DocumentPreview = Preview & { documentId: string };

/** Makes a preview; answers it with its secret, which is shown once. */
export async function createPreview(
  context: Context,
  previewed: PreviewTarget,
  { createdBy, ttl }: { createdBy: string | null; ttl: number },
): Promise<Preview & { token: string }> {
  const id = context.newId(context.now());
  const token = mintPreviewToken(id);
  const createdAt = seconds(context);
  const facts = { ...previewed, createdBy, createdAt, expiresAt: createdAt + ttl };
  const row: PreviewRow = { ...facts, hash: secretHash(token) };
  await context.store.commit(
    new Operation().set(previewKey(id), row, { expireIn: ttl * 1_000 }),
  );
  return { id, ...facts, token };
}

/** The preview that a secret opens; null for one that has ended, was revoked, or never was. */
export async function findPreview(context: Context, token: string): Promise<Preview | null> {
  const id = previewIdOf(token);
  if (id === null) return null;
  const { value } = await context.store.get<PreviewRow>(previewKey(id));
  if (value === null || value.expiresAt <= seconds(context)) return null;
  return secretMatches(token, value.hash) ? shown(id, value) : null;
}

/** The previews that have not ended, newest first. */
export async function listPreviews(context: Context): Promise<Preview[]> {
  const rows = await context.store.listAll<PreviewRow>({ prefix: previewPrefix });
  return rows.filter(({ value }) => value.expiresAt > seconds(context))
    .map(({ key, value }) => shown(key[1] as string, value)).reverse();
}

/** A preview that has not been revoked; refuses with NOT_FOUND. */
export async function getPreview(context: Context, id: string): Promise<Preview> {
  const { value } = await context.store.get<PreviewRow>(previewKey(id));
  if (value === null) throw new Refusal("NOT_FOUND");
  return shown(id, value);
}

/** Revokes a preview. */
export async function revokePreview(context: Context, id: string): Promise<void> {
  await getPreview(context, id);
  await context.store.commit(new Operation().delete(previewKey(id)));
}

/** Ends every preview that a user has made. */
export async function endPreviewsOf(context: Context, userId: string): Promise<void> {
  const previews = await listPreviews(context);
  const ids = previews.filter(({ createdBy }) => createdBy === userId).map(({ id }) => id);
  for (let start = 0; start < ids.length; start += ENDED_PER_COMMIT) {
    const operation = new Operation();
    for (const id of ids.slice(start, start + ENDED_PER_COMMIT)) operation.delete(previewKey(id));
    await context.store.commit(operation);
  }
}

function shown(id: string, { hash: _hash, ...facts }: PreviewRow): Preview {
  return { id, ...facts };
}
