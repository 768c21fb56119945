/** The content API. Next.js keeps the answers until a webhook tells of a change. */
const CMS = process.env.CMS_URL ?? "http://127.0.0.1:8000";
/** Where editors have the studio, whose script lets previews follow what they type. */
export const STUDIO = process.env.CMS_STUDIO_URL ?? CMS;
const TOKEN = process.env.CMS_TOKEN ?? "";

export const COLLECTION = process.env.CMS_COLLECTION ?? "posts";
/** The field with the text of a document. */
export const BODY = process.env.CMS_BODY_FIELD ?? "body";
/** The cache tag of all answers. */
export const TAG = "content";

export interface Post {
  id: string;
  slug: string;
  title: string;
  [field: string]: unknown;
}

const KEPT: RequestInit = { cache: "force-cache", next: { tags: [TAG] } };

async function ask<T>(path: string, init: RequestInit, token = TOKEN): Promise<T | null> {
  const response = await fetch(`${CMS}/api/v1/${path}`, {
    ...init,
    headers: { authorization: `Bearer ${token}` },
  });
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return await response.json();
}

export async function newest(cursor: string): Promise<{ posts: Post[]; older: string | null }> {
  const query = new URLSearchParams({ sort: "-publishedAt", fields: "title,slug", cursor });
  const page = await ask<{ data: Post[]; meta: { nextCursor: string | null } }>(
    `${COLLECTION}?${query}`,
    KEPT,
  );
  return { posts: page?.data ?? [], older: page?.meta.nextCursor ?? null };
}

export function bySlug(slug: string): Promise<Post | null> {
  return ask<Post>(`${COLLECTION}/by-slug/${encodeURIComponent(slug)}?richText=html`, KEPT);
}

export async function search(q: string): Promise<Post[]> {
  const query = new URLSearchParams({ q, fields: "title,slug,_snippet" });
  const page = await ask<{ data: Post[] }>(`${COLLECTION}?${query}`, { cache: "no-store" });
  return page?.data ?? [];
}

/** A draft, or what is prepared of a published document, by the token of a preview. */
export async function preview(id: string, token: string): Promise<Post | null> {
  const path = `${COLLECTION}/${encodeURIComponent(id)}?draft=true&richText=html`;
  return await ask<Post>(path, { cache: "no-store" }, token).catch(() => null);
}
