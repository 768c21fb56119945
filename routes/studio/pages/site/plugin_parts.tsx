/**
 * The parts of a plugin's page: health, permissions, settings, deliveries.
 *
 * @module
 */
import type { Delivery } from "../../../../kv/deliveries/deliveries.ts";
import type { Json } from "../../../../kv/model/entities/entity.ts";
import type { PackageState } from "../../../../kv/model/entities/package.ts";
import type { PluginHealth } from "../../../../kv/model/entities/plugin_health.ts";
import { isSecret, type SettingDefinition } from "../../../../kv/model/entities/plugin_setting.ts";
import { capabilityWords } from "../../wording/capability_words.ts";
import { ApiForm } from "../../components/forms/api_form.tsx";
import { DeliveryList, shownDelivery } from "../../components/delivery_list.tsx";
import { Checkbox, Field, Select } from "../../components/forms/field.tsx";
import { Time } from "../../components/time.tsx";
import type { Visit } from "../../serving/studio_env.ts";
import { Button } from "../../components/button.tsx";
import { PackageFacts } from "./package_parts.tsx";

/** A control for each setting that the plugin declares. */
export function PluginSettings(
  { plugin, config }: { plugin: PackageState; config: Record<string, Json> },
) {
  const settings = Object.entries(plugin.settings);
  if (settings.length === 0) return null;
  return (
    <section class="card">
      <h2>Settings</h2>
      <ApiForm
        to={`PUT /api/admin/plugins/${plugin.id}/config`}
        after="reload"
        done="Saved"
        class="narrow"
        guard
      >
        {settings.map(([key, definition]) => (
          <Setting name={key} definition={definition} value={config[key] ?? null} />
        ))}
        <Button type="submit" variant="primary">Save</Button>
      </ApiForm>
    </section>
  );
}

function Setting(
  { name, definition, value }: { name: string; definition: SettingDefinition; value: Json },
) {
  const { type, label, help, required, choices } = definition;
  const shared = { name, label: label || name, ...(help && { help }) };
  if (isSecret(name, definition)) {
    const isSet = value === true;
    return (
      <Field
        {...shared}
        type="password"
        autocomplete="off"
        placeholder={isSet ? "Already set. Leave empty to keep it." : ""}
      />
    );
  }
  if (type === "boolean") return <Checkbox {...shared} checked={value === true} />;
  if (type === "select") {
    const known = choices.map((choice) => [String(choice), String(choice)] as const);
    return <Select {...shared} value={String(value ?? "")} choices={known} />;
  }
  const isNumber = type === "number" || type === "integer";
  return (
    <Field
      {...shared}
      type={isNumber ? "number" : type === "url" || type === "email" ? type : "text"}
      nullable
      value={typeof value === "string" || typeof value === "number" ? value : ""}
      required={required}
    />
  );
}

/** Whether the plugin receives events, and the button to resume it. */
export function Health(
  { plugin, health, visit }: { plugin: PackageState; health: PluginHealth | null; visit: Visit },
) {
  if (!plugin.enabled) {
    return (
      <p class="alert info">
        This plugin is disabled. It receives no events until you enable it.
      </p>
    );
  }
  if (!health?.pausedAt) return null;
  return (
    <div class="alert bad">
      <p>
        <strong>{health.reason ?? "Paused after repeated failures"}</strong>
      </p>
      <p>
        {"It has received no events since "}
        <Time at={health.pausedAt} clock={visit} />. You can resend the failed deliveries below.
      </p>
      <Button
        size="small"
        data-action={`POST /api/admin/plugins/${plugin.id}/enable`}
        data-then="reload"
        data-done={`${plugin.name} is resumed`}
      >
        Resume
      </Button>
    </div>
  );
}

/** Turns a plugin on and off. */
export function Switch({ plugin }: { plugin: PackageState }) {
  const verb = plugin.enabled ? "disable" : "enable";
  return (
    <Button
      variant={plugin.enabled ? "plain" : "primary"}
      data-action={`POST /api/admin/plugins/${plugin.id}/${verb}`}
      data-then="reload"
      data-done={plugin.enabled ? "Disabled" : "Enabled"}
    >
      {plugin.enabled ? "Disable" : "Enable"}
    </Button>
  );
}

/** The granted permissions of a plugin. */
export function Rights({ plugin }: { plugin: PackageState }) {
  return (
    <section class="card">
      <h2>Permissions</h2>
      <PackageFacts state={plugin} />
      {plugin.capabilities.length === 0 ? <p>No permissions required.</p> : (
        <ul class="plain-list">
          {plugin.capabilities.map((name) => (
            <li>
              {sentence(capabilityWords(name, plugin.hosts))}{" "}
              <code class="muted small">{name}</code>
            </li>
          ))}
        </ul>
      )}
      <p class="small">
        {`Receives these events: ${plugin.hooks.map(({ event }) => event).join(", ") || "none"}.`}
      </p>
    </section>
  );
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** The last messages to a plugin, and how they fared. */
export function Deliveries(
  { plugin, deliveries, visit }: { plugin: PackageState; deliveries: Delivery[]; visit: Visit },
) {
  return (
    <section class="card">
      <h2>Deliveries</h2>
      <DeliveryList
        deliveries={deliveries.map((delivery) =>
          shownDelivery(delivery, {
            target: delivery.url ?? "its own code",
            address: `/api/admin/plugins/${plugin.id}`,
          })
        )}
        visit={visit}
        empty="No deliveries yet."
      />
    </section>
  );
}
