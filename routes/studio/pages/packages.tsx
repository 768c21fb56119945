/**
 * Themes and plugins: what is installed, and the pages of each.
 *
 * @module
 */
import { type Context as HttpContext, Hono } from "@hono/hono";
import { listDeliveries } from "../../../kv/packages/deliveries.ts";
import type { PackageState } from "../../../kv/model/package.ts";
import type { PackageKind } from "../../../kv/model/package_manifest.ts";
import type { PluginHealth } from "../../../kv/model/plugin_health.ts";
import { ACTIVE_THEME, getPackage, listPackages } from "../../../kv/packages/packages.ts";
import { shownConfig } from "../../../kv/packages/plugin_configs.ts";
import { findHealth } from "../../../kv/packages/plugin_health.ts";
import { may } from "../../admin/admin_env.ts";
import type { Deps } from "../../deps.ts";
import { Icon } from "../components/icon.tsx";
import { page } from "../page.tsx";
import type { StudioEnv } from "../studio_env.ts";
import { InstallDialog } from "./install_dialog.tsx";
import { earlierPackages, EarlierVersions, PackageFacts, Removal } from "./package_parts.tsx";
import { Deliveries, Health, PluginSettings, Rights, Switch } from "./plugin_parts.tsx";
import { publisherPages } from "./publishers.tsx";
import { Activate, themePages } from "./theme.tsx";

/** `/themes`, `/themes/:id`, `/plugins`, `/plugins/:id` and `/publishers`. */
export function packagePages(deps: Deps): Hono<StudioEnv> {
  const { content: { context }, settings } = deps;
  const managed = may("packages.manage");
  return new Hono<StudioEnv>()
    .route("/", publisherPages(deps))
    .route("/", themePages(deps))
    .get("/themes", managed, async (c) => {
      const themes = await listPackages(context, "theme");
      const active = await settings.get<string | null>(ACTIVE_THEME);
      return await listPage(c, "theme", themes, <ThemeList themes={themes} active={active} />);
    })
    .get("/plugins", managed, async (c) => {
      const plugins = await listPackages(context, "plugin");
      const health = await Promise.all(plugins.map(({ id }) => findHealth(context, id)));
      const list = <PluginList plugins={plugins} health={health} />;
      return await listPage(c, "plugin", plugins, list);
    })
    .get("/plugins/:id", managed, async (c) => {
      const plugin = await getPackage(context, "plugin", c.req.param("id"));
      const [config, health, deliveries, earlier] = await Promise.all([
        shownConfig(context, plugin),
        findHealth(context, plugin.id),
        listDeliveries(context, plugin.id),
        earlierPackages(context, plugin),
      ]);
      const visit = c.get("visit");
      const facts = {
        title: plugin.name,
        crumbs: [{ label: "Plugins", href: "/admin/plugins" }],
        actions: <Switch plugin={plugin} />,
      };
      return await page(
        c,
        facts,
        <div class="stack">
          <Health plugin={plugin} health={health} visit={visit} />
          <Rights plugin={plugin} />
          <PluginSettings plugin={plugin} config={config} />
          <Deliveries deliveries={deliveries} visit={visit} />
          <EarlierVersions state={plugin} earlier={earlier} visit={visit} />
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
    ? "How the public site looks. Packages are signed by publishers that you trust."
    : "What others add to this site. A plugin can do only what you accept when you install it.";
  const actions = (
    <>
      <a class="button" href="/admin/publishers">
        <Icon name="key" /> Publishers
      </a>
      <button type="button" class="button primary" data-opens="install">
        <Icon name="upload" /> {`Install a ${kind}`}
      </button>
    </>
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
      <InstallDialog kind={kind} />
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
          <h2>
            <a href={`/admin/themes/${theme.id}`}>{theme.name}</a>
          </h2>
          <PackageFacts state={theme} />
          <p class="row">
            {theme.id === active
              ? <span class="badge good">Active</span>
              : <Activate id={theme.id} />}
            <a class="button small" href={`/admin/themes/${theme.id}`}>
              <Icon name="eye" /> Preview
            </a>
          </p>
        </li>
      ))}
    </ul>
  );
}

function PluginList(
  { plugins, health }: { plugins: PackageState[]; health: (PluginHealth | null)[] },
) {
  return (
    <ul class="cards">
      {plugins.map((plugin, place) => (
        <li class="card linked">
          <h2>
            <a href={`/admin/plugins/${plugin.id}`}>{plugin.name}</a>
          </h2>
          <PackageFacts state={plugin} />
          <p>
            <StateBadge plugin={plugin} health={health[place] ?? null} />
          </p>
        </li>
      ))}
    </ul>
  );
}

function StateBadge({ plugin, health }: { plugin: PackageState; health: PluginHealth | null }) {
  if (plugin.enabled && health?.pausedAt) {
    return (
      <span class="badge bad" title={health.reason ?? undefined}>Paused: it failed too often</span>
    );
  }
  return (
    <span class={plugin.enabled ? "badge good" : "badge"}>
      {plugin.enabled ? "Enabled" : "Disabled"}
    </span>
  );
}
