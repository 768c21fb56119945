/**
 * Themes and plugins: what is installed, what it may do, installing with consent.
 *
 * @module
 */
import { type Context as HttpContext, Hono } from "@hono/hono";
import { listDeliveries } from "../../../kv/packages/deliveries.ts";
import type { PackageState } from "../../../kv/model/package.ts";
import { PACKAGE_BYTES_MAX, type PackageKind } from "../../../kv/model/package_manifest.ts";
import { ACTIVE_THEME, getPackage, listPackages } from "../../../kv/packages/packages.ts";
import { shownConfig } from "../../../kv/packages/plugin_configs.ts";
import { findHealth } from "../../../kv/packages/plugin_health.ts";
import { may } from "../../admin/admin_env.ts";
import type { Deps } from "../../deps.ts";
import { ApiForm } from "../components/api_form.tsx";
import { EmbeddedJson } from "../components/embedded_json.tsx";
import { Icon } from "../components/icon.tsx";
import { page } from "../page.tsx";
import type { StudioEnv } from "../studio_env.ts";
import { Deliveries, PluginSettings } from "./plugin_parts.tsx";
import { sizeText } from "../components/size.ts";

/** `/themes`, `/plugins` and `/plugins/:id`. */
export function packagePages(deps: Deps): Hono<StudioEnv> {
  const { content: { context }, settings } = deps;
  const managed = may("packages.manage");
  return new Hono<StudioEnv>()
    .get("/themes", managed, async (c) => {
      const themes = await listPackages(context, "theme");
      const active = await settings.get<string | null>(ACTIVE_THEME);
      return await listPage(c, "theme", themes, <ThemeList themes={themes} active={active} />);
    })
    .get("/plugins", managed, async (c) => {
      const plugins = await listPackages(context, "plugin");
      return await listPage(c, "plugin", plugins, <PluginList plugins={plugins} />);
    })
    .get("/plugins/:id", managed, async (c) => {
      const plugin = await getPackage(context, "plugin", c.req.param("id"));
      const [config, health, deliveries] = await Promise.all([
        shownConfig(context, plugin),
        findHealth(context, plugin.id),
        listDeliveries(context, plugin.id),
      ]);
      const facts = {
        title: plugin.name,
        crumbs: [{ label: "Plugins", href: "/admin/plugins" }],
        actions: <Switch plugin={plugin} />,
      };
      return await page(
        c,
        facts,
        <div class="stack">
          {health?.pausedAt && (
            <p class="alert bad">{`Paused: ${health.reason ?? "it failed too often"}`}</p>
          )}
          <Rights plugin={plugin} />
          <PluginSettings plugin={plugin} config={config} />
          <Deliveries deliveries={deliveries} visit={c.get("visit")} />
          <Removal state={plugin} />
        </div>,
      );
    });
}

function listPage(
  c: HttpContext<StudioEnv>,
  kind: PackageKind,
  installed: PackageState[],
  list: unknown,
): Promise<Response> {
  const plural = kind === "theme" ? "Themes" : "Plugins";
  const intro = kind === "theme"
    ? "How the public site looks. Packages are signed by publishers whose keys the settings hold."
    : "What others add to this site. A plugin can do only what you accept when you install it.";
  const actions = (
    <button type="button" class="button primary" data-opens="install">
      <Icon name="upload" /> {`Install a ${kind}`}
    </button>
  );
  return page(
    c,
    { title: plural, intro, actions },
    <>
      {list as never}
      {kind === "plugin" && installed.length === 0 && (
        <div class="empty">
          <h2>No plugins</h2>
          <p>A plugin is told when something is published, and can answer for itself elsewhere.</p>
        </div>
      )}
      <InstallDialog kind={kind} installed={installed} />
    </>,
  );
}

function ThemeList({ themes, active }: { themes: PackageState[]; active: string | null }) {
  return (
    <ul class="cards">
      <li class="card">
        <h2>Default theme</h2>
        <p class="muted">Comes with the service.</p>
        <p class="row">
          {active === null ? <span class="badge good">Active</span> : <Activate id="default" />}
        </p>
      </li>
      {themes.map((theme) => (
        <li class="card">
          <h2>{theme.name}</h2>
          <PackageFacts state={theme} />
          <p class="row">
            {theme.id === active
              ? <span class="badge good">Active</span>
              : <Activate id={theme.id} />}
            <a
              class="button small"
              href={`/api/admin/themes/${theme.id}/preview`}
              target="_blank"
              rel="noopener"
            >
              <Icon name="eye" /> Preview
            </a>
            {theme.id !== active && <Remove state={theme} />}
          </p>
        </li>
      ))}
    </ul>
  );
}

function Activate({ id }: { id: string }) {
  return (
    <button
      type="button"
      class="button small"
      data-action={`POST /api/admin/themes/${id}/activate`}
      data-then="reload"
      data-done="The site is drawn anew"
      data-ask="Every page of the site is drawn anew with it."
      data-verb="Activate"
    >
      Activate
    </button>
  );
}

function PluginList({ plugins }: { plugins: PackageState[] }) {
  return (
    <ul class="cards">
      {plugins.map((plugin) => (
        <li class="card linked">
          <h2>
            <a href={`/admin/plugins/${plugin.id}`}>{plugin.name}</a>
          </h2>
          <PackageFacts state={plugin} />
          <p>
            <span class={plugin.enabled ? "badge good" : "badge"}>
              {plugin.enabled ? "Enabled" : "Disabled"}
            </span>
          </p>
        </li>
      ))}
    </ul>
  );
}

function PackageFacts({ state }: { state: PackageState }) {
  return (
    <p class="muted small">
      <code>{state.packageId}</code>
      {` · ${state.version} · ${sizeText(state.archive.bytes)} · by ${state.publisher}`}
    </p>
  );
}

function Switch({ plugin }: { plugin: PackageState }) {
  const verb = plugin.enabled ? "disable" : "enable";
  return (
    <button
      type="button"
      class={plugin.enabled ? "button" : "button primary"}
      data-action={`POST /api/admin/plugins/${plugin.id}/${verb}`}
      data-then="reload"
      data-done={plugin.enabled ? "Disabled" : "Enabled"}
    >
      {plugin.enabled ? "Disable" : "Enable"}
    </button>
  );
}

function Rights({ plugin }: { plugin: PackageState }) {
  return (
    <section class="card">
      <h2>What it may do</h2>
      <PackageFacts state={plugin} />
      {plugin.capabilities.length === 0 ? <p>Nothing but be told.</p> : (
        <ul class="row">
          {plugin.capabilities.map((name) => (
            <li>
              <code class="badge">{name}</code>
            </li>
          ))}
        </ul>
      )}
      {plugin.hosts.length > 0 && <p class="small">{`It may call ${plugin.hosts.join(", ")}.`}</p>}
      <p class="small">
        {`It is told of ${plugin.hooks.map(({ event }) => event).join(", ") || "nothing"}.`}
      </p>
    </section>
  );
}

function Removal({ state }: { state: PackageState }) {
  return (
    <section class="card">
      <h2>Remove it</h2>
      <p class="muted">Its settings and secrets go too. Its history stays.</p>
      <Remove state={state} />
    </section>
  );
}

function Remove({ state }: { state: PackageState }) {
  return (
    <button
      type="button"
      class="button small danger"
      data-action={`DELETE /api/admin/${state.kind}s/${state.id}`}
      data-then={`/admin/${state.kind}s`}
      data-done={`${state.name} is removed`}
      data-ask={`Remove ${state.name}?`}
    >
      Remove
    </button>
  );
}

function InstallDialog({ kind, installed }: { kind: PackageKind; installed: PackageState[] }) {
  const known = installed.map(({ packageId, version, capabilities, hosts }) => ({
    packageId,
    version,
    capabilities,
    hosts,
  }));
  return (
    <dialog id="install" class="dialog" aria-labelledby="install-title">
      <div class="dialog-head">
        <h2 id="install-title">{`Install a ${kind}`}</h2>
        <button type="button" class="icon-button" data-close aria-label="Close">
          <Icon name="close" />
        </button>
      </div>
      <ApiForm to={`POST /api/admin/${kind}s`} island="install">
        <EmbeddedJson of={{ kind, known, bytesMax: PACKAGE_BYTES_MAX[kind].packed }} />
        <div class="field">
          <label for="package">Package (.tar.gz)</label>
          <input id="package" type="file" accept=".gz,application/gzip" required />
        </div>
        <div data-consent aria-live="polite"></div>
        <div class="dialog-foot">
          <button type="button" class="button" data-close>Cancel</button>
          <button type="submit" class="button primary" disabled>Install</button>
        </div>
      </ApiForm>
    </dialog>
  );
}
