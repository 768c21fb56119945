/**
 * Themes and plugins: the lists of installed packages and the page of each.
 *
 * @module
 */
import type { Context as HttpContext } from "@hono/hono";
import { listDeliveries } from "../../../../kv/deliveries/deliveries.ts";
import type { PackageState } from "../../../../kv/model/entities/package.ts";
import type { PackageKind } from "../../../../kv/model/entities/package_manifest.ts";
import type { PluginHealth } from "../../../../kv/model/entities/plugin_health.ts";
import {
  activeThemeId,
  BUILT_IN_THEMES,
  isBuiltInTheme,
} from "../../../../kv/packages/built_in_themes.ts";
import { ACTIVE_THEME, getPackage, listPackages } from "../../../../kv/packages/packages.ts";
import { shownConfig } from "../../../../kv/packages/plugin_configs.ts";
import { findHealth } from "../../../../kv/packages/plugin_health.ts";
import type { Deps } from "../../../deps/deps.ts";
import { page } from "../../serving/page.tsx";
import type { StudioEnv } from "../../serving/studio_env.ts";
import { InstallDialog } from "./install_dialog.tsx";
import { earlierPackages, EarlierVersions, PackageFacts, Removal } from "./package_parts.tsx";
import { Deliveries, Health, PluginSettings, Rights, Switch } from "./plugin_parts.tsx";
import { Activate } from "./theme.tsx";
import { Button, ButtonLink } from "../../components/button.tsx";
import { EmptyState } from "../../components/empty_state.tsx";
import type { Handlers } from "../../screens.ts";

/** `/themes`, `/plugins` and `/plugins/:id`. */
export function packageScreens(deps: Deps): Handlers<"themes" | "plugins" | "plugin"> {
  const { content: { context }, settings } = deps;
  return {
    themes: async (c) => {
      const themes = await listPackages(context, "theme");
      const active = activeThemeId(await settings.get(ACTIVE_THEME));
      return await listPage(c, "theme", themes, <ThemeList themes={themes} active={active} />);
    },
    plugins: async (c) => {
      const plugins = await listPackages(context, "plugin");
      const health = await Promise.all(plugins.map(({ id }) => findHealth(context, id)));
      const list = <PluginList plugins={plugins} health={health} />;
      return await listPage(c, "plugin", plugins, list);
    },
    plugin: async (c) => {
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
          <Deliveries plugin={plugin} deliveries={deliveries} visit={visit} />
          <EarlierVersions state={plugin} earlier={earlier} visit={visit} />
          <Removal state={plugin} />
        </div>,
      );
    },
  };
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
    : "Extensions for this site. A plugin can do only what you allow when you install it.";
  const actions = (
    <>
      <ButtonLink href="/admin/publishers" icon="key">
        Publishers
      </ButtonLink>
      <Button variant="primary" data-opens="install" icon="upload">{`Install a ${kind}`}</Button>
    </>
  );
  return page(
    c,
    {
      title: plural,
      intro,
      actions,
      ...(kind === "theme" && { crumbs: [{ label: "Design", href: "/admin/design" }] }),
    },
    <>
      {list as never}
      {kind === "plugin" && installed.length === 0 && (
        <EmptyState icon="plugin" title="No plugins">
          <p>A plugin runs when content changes, for example when a document is published.</p>
        </EmptyState>
      )}
      <InstallDialog kind={kind} />
    </>,
  );
}

function ThemeList({ themes, active }: { themes: PackageState[]; active: string }) {
  return (
    <ul class="cards">
      {BUILT_IN_THEMES.map(({ id, name, description }) => (
        <li class="card">
          <h2>{name}</h2>
          <p class="muted">{`${description} Included with the service.`}</p>
          <ThemeActions id={id} name={name} isActive={id === active} />
        </li>
      ))}
      {themes.map((theme) => (
        <li class="card">
          <h2>
            <a href={`/admin/themes/${theme.id}`}>{theme.name}</a>
          </h2>
          <PackageFacts state={theme} />
          <ThemeActions id={theme.id} name={theme.name} isActive={theme.id === active} />
        </li>
      ))}
    </ul>
  );
}

function ThemeActions({ id, name, isActive }: { id: string; name: string; isActive: boolean }) {
  return (
    <p class="row">
      {isActive ? <span class="badge good">Active</span> : <Activate id={id} name={name} />}
      <ButtonLink
        size="small"
        href={isBuiltInTheme(id) ? `/admin/design?theme=${id}` : `/admin/themes/${id}`}
        icon="eye"
      >
        Preview<span class="sr">{` ${name}`}</span>
      </ButtonLink>
    </p>
  );
}

function PluginList(
  { plugins, health }: { plugins: PackageState[]; health: (PluginHealth | null)[] },
) {
  return (
    <ul class="cards">
      {plugins.map((plugin, index) => (
        <li class="card linked">
          <h2>
            <a href={`/admin/plugins/${plugin.id}`}>{plugin.name}</a>
          </h2>
          <PackageFacts state={plugin} />
          <p>
            <StateBadge plugin={plugin} health={health[index] ?? null} />
          </p>
        </li>
      ))}
    </ul>
  );
}

function StateBadge({ plugin, health }: { plugin: PackageState; health: PluginHealth | null }) {
  if (plugin.enabled && health?.pausedAt) {
    return (
      <span class="badge bad" title={health.reason ?? undefined}>
        Paused after repeated failures
      </span>
    );
  }
  return (
    <span class={plugin.enabled ? "badge good" : "badge"}>
      {plugin.enabled ? "Enabled" : "Disabled"}
    </span>
  );
}
