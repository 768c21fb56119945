/**
 * A webhook as a receiver of messages: signed requests to its address. It is disabled when it takes a
 * message in no attempt.
 *
 * @module
 */
import type { Content } from "../../kv/documents/content.ts";
import { UNATTENDED } from "../../kv/model/entities/entity.ts";
import type { WebhookSource } from "../../kv/sources/webhook_source.ts";
import type { ReadFilter } from "../../kv/webhooks/webhook_filter.ts";
import { disableWebhook, webhookSecrets } from "../../kv/webhooks/webhooks.ts";
import type { GuardedRequest } from "../network/guarded_request.ts";
import type { NoReceiver, Receiver } from "./receiver.ts";
import { signedPost } from "./signed_post.ts";

/** The dependencies of webhook delivery. */
export interface WebhookDeps {
  content: Content;
  webhooks: WebhookSource;
  request: GuardedRequest;
  /** Reads filters of documents. */
  readFilter: ReadFilter;
}

/** The webhook with this id, as it is now. */
export async function webhookReceiver(
  { content, webhooks, request }: WebhookDeps,
  id: string,
): Promise<Receiver | NoReceiver> {
  const webhook = (await webhooks.current()).find((one) => one.id === id);
  if (webhook === undefined) return { reason: "The webhook is gone" };
  if (!webhook.enabled) return { reason: "The webhook is disabled" };
  return {
    send: async (delivery, at, signal) => {
      const secrets = webhookSecrets(content.context, webhook, at);
      return await signedPost(request, { ...delivery, url: webhook.url, secrets, at, signal });
    },
    failed: async (_delivery, { reason, isGivenUp }) => {
      if (!isGivenUp) return;
      content.context.log.warn("webhook disabled", { webhook: id, reason });
      await disableWebhook(content, UNATTENDED, id, `Gave up: ${reason}`);
    },
  };
}
