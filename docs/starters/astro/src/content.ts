import type { Edition } from "./languages";

/** The content API, with what it answered kept until a webhook tells of a change. */
const CMS = process.env.CMS_URL ?? "http://127.0.0.1:8000";
/** Where editors have the studio, whose script lets previews follow what they type. */
export const STUDIO = process.env.CMS_STUDIO_URL ?? CMS;
const TOKEN = process.env.CMS_TOKEN ?? "";

export const COLLECTION = process.env.CMS_COLLECTION ?? "posts";
/** The field with the text of a document. */
export const BODY = process.env.CMS_BODY_FIELD ?? "body";

export interface Post {
  id: string;
  slug: string;
  title: string;
  /** The language that it is shown in; this and the next two on sites in several languages. */
  _language?: string;
  /** Fields whose values come from another language. */
  _fallback?: Record<string, string>;
  /** The languages that it has. */
  _languages?: Record<string, Edition>;
  [field: string]: unknown;
}

/** Answers since the last change. */
const kept = new Map<string, unknown>();
const ANSWERS_KEPT = 1_000;

async function ask<T>(path: string, token = TOKEN): Promise<T | null> {
  const response = await fetch(`${CMS}/api/v1/${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return await response.json();
}

async function askOnce<T>(path: string): Promise<T | null> {
  if (!kept.has(path)) {
    const answer = await ask<T>(path);
    if (kept.size >= ANSWERS_KEPT) kept.clear();
    if (answer !== null) kept.set(path, answer);
    return answer;
  }
  return kept.get(path) as T;
}

export function forget(): void {
  kept.clear();
}

/** Parameters for readers of a language: what is not translated is shown in the languages it falls back to. */
function inLanguage(language: string | undefined): Record<string, string> {
  return language === undefined ? {} : { language, fallback: "documents" };
}

export async function newest(
  cursor: string,
  language?: string,
): Promise<{ posts: Post[]; older: string | null }> {
  const query = new URLSearchParams({
    sort: "-publishedAt",
    fields: language === undefined ? "title,slug" : "title,slug,_language",
    cursor,
    ...inLanguage(language),
  });
  const page = await askOnce<{ data: Post[]; meta: { nextCursor: string | null } }>(
    `${COLLECTION}?${query}`,
  );
  return { posts: page?.data ?? [], older: page?.meta.nextCursor ?? null };
}

export function bySlug(slug: string, language?: string): Promise<Post | null> {
  const query = new URLSearchParams({ richText: "html", ...inLanguage(language) });
  if (language !== undefined) {
    query.set("fields", `title,slug,${BODY},_language,_fallback,_languages`);
  }
  return askOnce<Post>(`${COLLECTION}/by-slug/${encodeURIComponent(slug)}?${query}`);
}

export async function search(q: string, language?: string): Promise<Post[]> {
  const query = new URLSearchParams({
    q,
    fields: "title,slug,_snippet",
    ...(language !== undefined && { language }),
  });
  return (await ask<{ data: Post[] }>(`${COLLECTION}?${query}`))?.data ?? [];
}

/** A draft, or what is prepared of a published document, by the token of a preview. */
export async function preview(
  id: string,
  token: string,
  language?: string,
): Promise<Post | null> {
  const query = new URLSearchParams({
    draft: "true",
    richText: "html",
    ...inLanguage(language),
  });
  const path = `${COLLECTION}/${encodeURIComponent(id)}?${query}`;
  return await ask<Post>(path, token).catch(() => null);
}
