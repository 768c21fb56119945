/**
 * `/api/admin/webhooks`: webhooks and their messages. A secret is answered once, when it is made or
 * rotated.
 *
 * @module
 */
import { type Context as HttpContext, Hono } from "@hono/hono";
import { z } from "zod";
import { AddressRefused } from "../../../jobs/network/guarded_request.ts";
import type { Context } from "../../../kv/context.ts";
import {
  type Delivery,
  findDelivery,
  listDeliveries,
  queueOf,
  type Recipient,
  requestDelivery,
  resendDelivery,
  shownDeliveries,
  stageMessage,
} from "../../../kv/deliveries/deliveries.ts";
import { addJob } from "../../../kv/jobs/jobs.ts";
import { INSTANT_SECONDS_MAX } from "../../../kv/limits/requests.ts";
import {
  parseWebhook,
  parseWebhookPatch,
  type WebhookInput,
  type WebhookState,
} from "../../../kv/model/entities/webhook.ts";
import { refuseEventsBeyond } from "../../../kv/model/entities/token_cover.ts";
import { parseBody } from "../../../kv/model/input/zod_details.ts";
import { invalid, Refusal } from "../../../kv/refusals.ts";
import { Operation } from "../../../kv/store/operation.ts";
import {
  createWebhook,
  patchWebhook,
  removeWebhook,
  rotateWebhookSecret,
  webhookView,
} from "../../../kv/webhooks/webhooks.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import { audited } from "../people/audit.ts";
import type { Deps } from "../../deps/deps.ts";
import { readJsonObject } from "../../input/body.ts";
import { refuseWrongFilter } from "../../query/webhook_filter.ts";
import { actorOf, may, pageOf } from "../admin_env.ts";

/** From when events are sent again, epoch seconds. */
export const Replay = z.strictObject({ since: z.int().min(0).max(INSTANT_SECONDS_MAX) });

/** Secrets are for the one who asked. */
const NO_STORE = { "cache-control": "no-store" };

/** Webhooks: list, make, change, remove; rotate, test, replay; messages. */
export function webhookRoutes(deps: Deps): Hono<AdminEnv> {
  const { content } = deps;
  const mayManage = may("tokens.manage");
  return new Hono<AdminEnv>()
    .get("/", mayManage, async (c) => {
      const schema = await content.schema.current();
      const all = (await deps.webhooks.webhooks.current()).toReversed();
      return c.json(pageOf(c, all.map((webhook) => webhookView(webhook, schema))));
    })
    .post("/", mayManage, async (c) => {
      const input = parseWebhook(await readJsonObject(c.req.raw));
      refuseEventsBeyond(c.get("session"), input, await content.schema.current());
      await refuseWrongAddress(deps, input.url);
      await refuseFilter(deps, input, null);
      audited(c, "webhook_secret");
      const { view, secret } = await createWebhook(content, actorOf(c), input);
      const location = `/api/admin/webhooks/${view.id}`;
      return c.json({ ...view, secret }, 201, { location, ...NO_STORE });
    })
    .get("/:id", mayManage, async (c) => {
      const webhook = await getWebhook(deps, c.req.param("id"));
      return c.json(webhookView(webhook, await content.schema.current()));
    })
    .patch("/:id", mayManage, async (c) => {
      const patch = parseWebhookPatch(await readJsonObject(c.req.raw));
      const id = c.req.param("id");
      await refuseBeyond(deps, c, id, patch);
      if (patch.url !== undefined) await refuseWrongAddress(deps, patch.url);
      if (patch.filter || patch.collections !== undefined) {
        await refuseFilter(deps, patch, await getWebhook(deps, id));
      }
      return c.json(await patchWebhook(content, actorOf(c), id, patch));
    })
    .delete("/:id", mayManage, async (c) => {
      await removeWebhook(content, actorOf(c), c.req.param("id"));
      return c.body(null, 204);
    })
    .post("/:id/rotate-secret", mayManage, async (c) => {
      const id = c.req.param("id");
      await refuseBeyond(deps, c, id);
      audited(c, "webhook_secret");
      const { view, secret } = await rotateWebhookSecret(content, actorOf(c), id);
      return c.json({ ...view, secret }, 200, NO_STORE);
    })
    .post("/:id/test", mayManage, async (c) => {
      const webhook = await getWebhook(deps, c.req.param("id"));
      return c.json(await sendTest(content.context, webhook), 202);
    })
    .post("/:id/replay", mayManage, async (c) => {
      const { since } = parseBody(Replay, await readJsonObject(c.req.raw));
      const { id: webhookId } = await getWebhook(deps, c.req.param("id"));
      await refuseBeyond(deps, c, webhookId);
      const operation = new Operation();
      const payload = { webhookId, since };
      const jobId = addJob(operation, content.context, { type: "REPLAY_WEBHOOK", payload });
      await content.context.store.commit(operation);
      return c.json({ jobId }, 202);
    })
    .get("/:id/deliveries", mayManage, async (c) => {
      const { id } = await getWebhook(deps, c.req.param("id"));
      const all = await listDeliveries(content.context, id);
      return c.json(pageOf(c, shownDeliveries(all, c.get("session"))));
    })
    .post("/:id/deliveries/:deliveryId/resend", mayManage, async (c) => {
      const { id } = await getWebhook(deps, c.req.param("id"));
      return c.json(await resend(content.context, c, id, c.req.param("deliveryId")), 202);
    });
}

/** Sends a message again that the user may see. */
async function resend(
  context: Context,
  c: HttpContext<AdminEnv>,
  receiverId: string,
  deliveryId: string,
): Promise<Delivery> {
  const delivery = await findDelivery(context, receiverId, deliveryId);
  if (delivery !== null && shownDeliveries([delivery], c.get("session")).length === 0) {
    throw new Refusal("NOT_FOUND");
  }
  return await resendDelivery(context, { kind: "webhook", receiverId }, deliveryId);
}

/** Refuses a change of a webhook that receives, before or after it, more than the user may see. */
async function refuseBeyond(
  deps: Deps,
  c: HttpContext<AdminEnv>,
  id: string,
  patch: Partial<WebhookInput> = {},
): Promise<void> {
  const schema = await deps.content.schema.current();
  const before = webhookView(await getWebhook(deps, id), schema);
  for (const subscription of [before, { ...before, ...patch }]) {
    refuseEventsBeyond(c.get("session"), subscription, schema);
  }
}

async function getWebhook({ webhooks }: Deps, id: string): Promise<WebhookState> {
  const found = (await webhooks.webhooks.current()).find((webhook) => webhook.id === id);
  if (found === undefined) throw new Refusal("NOT_FOUND");
  return found;
}

/** Refuses a filter that is valid for none of the collections; omitted values stay unchanged. */
async function refuseFilter(
  { content }: Deps,
  input: Partial<WebhookInput>,
  before: WebhookState | null,
): Promise<void> {
  const schema = await content.schema.current();
  const view = before && webhookView(before, schema);
  const { filter, collections } = { ...view, ...input };
  if (filter) refuseWrongFilter(filter, collections ?? null, schema);
}

async function refuseWrongAddress({ webhooks }: Deps, url: string): Promise<void> {
  try {
    await webhooks.refuseAddress(url);
  } catch (error) {
    if (!(error instanceof AddressRefused)) throw error;
    throw invalid("url", "INVALID_CHOICE", error.message);
  }
}

/** A test message, sent before all waiting ones. */
async function sendTest(context: Context, { id }: WebhookState) {
  const operation = new Operation();
  const at = Math.floor(context.now() / 1000);
  const body = JSON.stringify({
    type: "webhook.test",
    timestamp: new Date(at * 1000).toISOString(),
    data: { id, collection: null, version: 0, changedAt: at },
  });
  const message = { event: "webhook.test", subject: `test ${context.newId(context.now())}`, body };
  const recipient: Recipient = { kind: "webhook", receiverId: id };
  const delivery = stageMessage(operation, context, recipient, ["", id, 0], message);
  requestDelivery(operation, context, queueOf(recipient));
  await context.store.commit(operation);
  return delivery;
}
