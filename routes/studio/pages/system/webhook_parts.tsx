/**
 * The parts of a webhook's page: its form, its messages, the dialogs for its secret and for telling again.
 *
 * @module
 */
import {
  AUDIT_EVENT,
  WEBHOOK_EVENTS,
  type WebhookEvent,
} from "../../../../kv/model/entities/webhook.ts";
import type { Delivery } from "../../../../kv/deliveries/deliveries.ts";
import type { WebhookView } from "../../../../kv/webhooks/webhooks.ts";
import { ApiForm } from "../../components/forms/api_form.tsx";
import { Button } from "../../components/button.tsx";
import { type ShownDelivery, shownDelivery } from "../../components/delivery_list.tsx";
import { Dialog, DialogFoot } from "../../components/overlays/dialog.tsx";
import { LanguageChoice } from "../../components/forms/language_choice.tsx";
import { Checkbox, Choices, Field, named } from "../../components/forms/field.tsx";
import type { Visit } from "../../serving/studio_env.ts";

const EVENT_WORDS: Readonly<Record<WebhookEvent, string>> = {
  "document.published": "A document is published",
  "document.updated": "A published document is changed",
  "document.unpublished": "A document is unpublished",
  "document.trashed": "A document is moved to the trash",
  "media.changed": "An image is added, changed or removed",
  "release.published": "A release is published",
  "schema.changed": "Collections, fields or blocks change",
  "audit.recorded": "An event is added to the audit log",
};

const FILTER_EXAMPLE = JSON.stringify({ rating: { gte: 4 } });

/** A new webhook, or one that is changed. */
export function WebhookForm({ visit, webhook }: { visit: Visit; webhook: WebhookView | null }) {
  const isNew = webhook === null;
  return (
    <ApiForm
      to={isNew ? "POST /api/admin/webhooks" : `PATCH /api/admin/webhooks/${webhook.id}`}
      class="card narrow"
      island="webhook-form"
      guard
      {...(!isNew && { after: "reload", done: "Saved" })}
    >
      {!isNew && <h2>Settings</h2>}
      <Field
        label="Name"
        name="name"
        value={webhook?.name ?? ""}
        help="What the webhook is for."
        required
        autofocus={isNew}
      />
      <Field
        label="URL"
        name="url"
        type="url"
        value={webhook?.url ?? ""}
        placeholder="https://www.example.org/hooks/content"
        help="Receives a signed POST request for each event."
        required
        mono
      />
      <EventChoice visit={visit} webhook={webhook} />
      <CollectionChoice visit={visit} webhook={webhook} />
      <LanguageChoice
        help="Only changes in these languages. Select none for all languages."
        chosen={webhook?.languages}
        schema={visit.schema}
      />
      <FilterField webhook={webhook} />
      {isNew && <Checkbox label="Enabled" name="enabled" checked />}
      <div>
        <Button type="submit" variant="primary">{isNew ? "Create webhook" : "Save"}</Button>
      </div>
    </ApiForm>
  );
}

function EventChoice({ visit, webhook }: { visit: Visit; webhook: WebhookView | null }) {
  const events = WEBHOOK_EVENTS.filter((event) => visit.administrator || event !== AUDIT_EVENT);
  return (
    <Choices legend="Events" name="events">
      {events.map((event) => (
        <Checkbox
          name="events"
          value={event}
          label={EVENT_WORDS[event]}
          help={<code>{event}</code>}
          checked={webhook?.events.includes(event) ?? event.startsWith("document.")}
        />
      ))}
    </Choices>
  );
}

function CollectionChoice({ visit, webhook }: { visit: Visit; webhook: WebhookView | null }) {
  if (visit.schema.collections.length === 0) return null;
  return (
    <Choices
      legend="Collections"
      name="collections"
      help="Only documents of these collections. Select none for all collections."
      nullable
    >
      {visit.schema.collections.map(({ slug, name }) => (
        <Checkbox
          name="collections"
          value={slug}
          label={name}
          checked={webhook?.collections?.includes(slug) ?? false}
        />
      ))}
    </Choices>
  );
}

function FilterField({ webhook }: { webhook: WebhookView | null }) {
  return (
    <div class="field" data-type="json" {...named("filter", true)}>
      <label for="f-filter">
        Filter <span class="optional">optional</span>
      </label>
      <textarea
        id="f-filter"
        name="filter"
        rows={3}
        class="mono"
        spellcheck={false}
        placeholder={FILTER_EXAMPLE}
        aria-describedby="f-filter-help"
      >
        {webhook?.filter ? JSON.stringify(webhook.filter, null, 2) : ""}
      </textarea>
      <p class="help" id="f-filter-help">
        Only documents that match, in the JSON syntax of API lists.
      </p>
    </div>
  );
}

/** The secret of a webhook that was made or rotated just now. */
export function SecretDialog() {
  return (
    <Dialog id="secret" title="Copy your secret now: it won't be shown again">
      <p>
        Messages are signed with this secret, as in Standard Webhooks. Store it where your program
        can read it.
      </p>
      <div class="secret">
        <code id="secret-text"></code>
        <Button variant="primary" data-copy="secret-text" icon="copy">Copy</Button>
      </div>
      <DialogFoot>
        <a class="button" href="/admin/webhooks" data-secret-done>I have copied it</a>
      </DialogFoot>
    </Dialog>
  );
}

/** The dialog that replays events since a given time. */
export function ReplayDialog({ webhook }: { webhook: WebhookView }) {
  return (
    <Dialog id="replay" title="Replay">
      <ApiForm
        to={`POST /api/admin/webhooks/${webhook.id}/replay`}
        after="/admin/jobs/{jobId}"
        done="Replay started"
      >
        <p>Resends every event since then with new IDs. You can go back up to 35 days.</p>
        <Field label="Since" name="since" type="datetime-local" required />
        <DialogFoot>
          <Button data-close>Cancel</Button>
          <Button type="submit" variant="primary">Replay</Button>
        </DialogFoot>
      </ApiForm>
    </Dialog>
  );
}

/** A message of a webhook, as lists of messages show it. */
export function webhookDelivery(webhook: WebhookView, delivery: Delivery): ShownDelivery {
  const address = webhook.enabled ? `/api/admin/webhooks/${webhook.id}` : null;
  return shownDelivery(delivery, { target: webhook.url, address });
}
