/**
 * Webhooks: their URLs, events and deliveries.
 *
 * @module
 */
import { listDeliveries, shownDeliveries } from "../../../../kv/deliveries/deliveries.ts";
import { type WebhookView, webhookView } from "../../../../kv/webhooks/webhooks.ts";
import { Refusal } from "../../../../kv/refusals.ts";
import type { Deps } from "../../../deps/deps.ts";
import { Button, ButtonLink, IconButton } from "../../components/button.tsx";
import { DeliveryList } from "../../components/delivery_list.tsx";
import { EmptyState } from "../../components/empty_state.tsx";
import { Menu, MenuButton, MenuLink } from "../../components/overlays/menu.tsx";
import { Table } from "../../components/table.tsx";
import { page } from "../../serving/page.tsx";
import type { Handlers } from "../../screens.ts";
import type { Visit } from "../../serving/studio_env.ts";
import { ReplayDialog, SecretDialog, webhookDelivery, WebhookForm } from "./webhook_parts.tsx";

/** `/webhooks…`. */
export function webhookScreens(
  { content, webhooks }: Deps,
): Handlers<"webhooks" | "newWebhook" | "webhook"> {
  const crumbs = [{ label: "Webhooks", href: "/admin/webhooks" }];
  return {
    webhooks: async (c) => {
      const visit = c.get("visit");
      const all = (await webhooks.webhooks.current()).toReversed()
        .map((one) => webhookView(one, visit.schema));
      const facts = {
        title: "Webhooks",
        intro:
          "URLs that are notified when content changes, for example to rebuild a site or update a search index.",
        wide: true,
        ...(all.length > 0 && { actions: <NewWebhook /> }),
      };
      return await page(c, facts, <WebhookTable webhooks={all} />);
    },
    newWebhook: (c) => {
      const visit = c.get("visit");
      return page(
        c,
        { title: "New webhook", crumbs },
        <>
          <WebhookForm visit={visit} webhook={null} />
          <SecretDialog />
        </>,
      );
    },
    webhook: async (c) => {
      const visit = c.get("visit");
      const id = c.req.param("id");
      const state = (await webhooks.webhooks.current()).find((one) => one.id === id);
      if (state === undefined) throw new Refusal("NOT_FOUND");
      const webhook = webhookView(state, visit.schema);
      const deliveries = shownDeliveries(await listDeliveries(content.context, id), visit);
      const shown = deliveries.map((one) => webhookDelivery(webhook, one));
      return await page(
        c,
        { title: webhook.name, crumbs, actions: <Actions webhook={webhook} visit={visit} /> },
        <div class="stack narrow">
          {webhook.disabledReason !== null && (
            <div class="alert bad">
              <p>
                <strong>This webhook is disabled.</strong> {webhook.disabledReason}
              </p>
              <p>
                When the URL responds again, enable the webhook and replay the events it missed.
              </p>
            </div>
          )}
          <section class="card" id="deliveries" data-island="live-part">
            <h2>Deliveries</h2>
            <DeliveryList
              deliveries={shown}
              visit={visit}
              empty="Nothing was sent in the last seven days. Send a test to see one."
            />
          </section>
          <WebhookForm visit={visit} webhook={webhook} />
          <ReplayDialog webhook={webhook} />
          <SecretDialog />
        </div>,
      );
    },
  };
}

function NewWebhook() {
  return (
    <ButtonLink variant="primary" href="/admin/webhooks/new" icon="plus">
      New webhook
    </ButtonLink>
  );
}

function Actions({ webhook, visit }: { webhook: WebhookView; visit: Visit }) {
  const address = `/api/admin/webhooks/${webhook.id}`;
  const isOn = webhook.enabled;
  return (
    <>
      <IconButton icon="more" label="More" popovertarget="webhook-more" />
      <Menu id="webhook-more">
        <MenuButton icon="history" data-opens="replay">Replay…</MenuButton>
        <MenuButton
          icon="retry"
          data-action={`POST ${address}/rotate-secret`}
          data-ask="This creates a new secret. Messages are also signed with the old one for a day."
          data-verb="Rotate"
          data-rotates
        >
          Rotate secret
        </MenuButton>
        {visit.can("versions.read") && (
          <MenuLink icon="history" href={`/admin/versions/webhook/${webhook.id}`}>History</MenuLink>
        )}
        <MenuButton
          icon="trash"
          danger
          data-action={`DELETE ${address}`}
          data-then="/admin/webhooks"
          data-done="Webhook removed"
          data-ask="The webhook stops receiving events. Its history stays."
          data-verb="Remove"
        >
          Remove
        </MenuButton>
      </Menu>
      <Button
        data-action={`PATCH ${address}`}
        data-body={JSON.stringify({ enabled: !isOn })}
        data-then="reload"
        data-done={isOn ? "Disabled" : "Enabled"}
      >
        {isOn ? "Disable" : "Enable"}
      </Button>
      {isOn && (
        <Button
          variant="primary"
          data-action={`POST ${address}/test`}
          data-then="reload"
          data-done="Test message sent"
        >
          Send a test
        </Button>
      )}
    </>
  );
}

function WebhookTable({ webhooks }: { webhooks: WebhookView[] }) {
  if (webhooks.length === 0) {
    return (
      <EmptyState icon="webhook" title="No webhooks yet" actions={<NewWebhook />}>
        <p>
          A webhook sends a small signed message to your program whenever content is published,
          changed or removed. Use one to rebuild a site, clear a cache or notify a team.
        </p>
      </EmptyState>
    );
  }
  return (
    <Table
      head={
        <>
          <th scope="col">Name</th>
          <th scope="col">Events</th>
          <th scope="col">Collections</th>
          <th scope="col">State</th>
        </>
      }
    >
      {webhooks.map((webhook) => (
        <tr>
          <th scope="row">
            <a href={`/admin/webhooks/${webhook.id}`}>{webhook.name}</a>
            <div>
              <code class="muted small key-text">{webhook.url}</code>
            </div>
          </th>
          <td>{webhook.events.join(", ")}</td>
          <td>{webhook.collections?.join(", ") ?? "All"}</td>
          <td>
            <span class={`badge ${webhook.enabled ? "good" : webhook.disabledReason ? "bad" : ""}`}>
              {webhook.enabled ? "Enabled" : "Disabled"}
            </span>
          </td>
        </tr>
      ))}
    </Table>
  );
}
