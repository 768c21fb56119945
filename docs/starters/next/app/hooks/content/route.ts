import { revalidateTag } from "next/cache";
import { Webhook } from "standardwebhooks";
import { TAG } from "../../../content";

/** Called by a webhook of the service: what was kept is asked for again. */
export async function POST(request: Request): Promise<Response> {
  const secret = process.env.CMS_WEBHOOK_SECRET;
  if (secret === undefined) return new Response("no secret", { status: 503 });
  try {
    new Webhook(secret).verify(await request.text(), Object.fromEntries(request.headers));
  } catch {
    return new Response("not signed", { status: 401 });
  }
  revalidateTag(TAG, { expire: 0 });
  return new Response(null, { status: 204 });
}
