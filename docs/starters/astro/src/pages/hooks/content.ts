import type { APIRoute } from "astro";
import { Webhook } from "standardwebhooks";
import { forget } from "../../content";

/** Called by a webhook of the service: what was kept is forgotten. */
export const POST: APIRoute = async ({ request }) => {
  const secret = process.env.CMS_WEBHOOK_SECRET;
  if (secret === undefined) return new Response("no secret", { status: 503 });
  try {
    new Webhook(secret).verify(await request.text(), Object.fromEntries(request.headers));
  } catch {
    return new Response("not signed", { status: 401 });
  }
  forget();
  return new Response(null, { status: 204 });
};
