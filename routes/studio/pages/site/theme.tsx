/**
 * A theme: pages of the site as it would draw them, before or after it is active.
 *
 * @module
 */
import type { Collection } from "../../../../kv/model/entities/collection.ts";
import { ACTIVE_THEME, getPackage } from "../../../../kv/packages/packages.ts";
import type { Deps } from "../../../deps/deps.ts";
import { PREVIEW_COLLECTIONS_MAX } from "../../../input/limits.ts";
import { page } from "../../serving/page.tsx";
import type { Visit } from "../../serving/studio_env.ts";
import { earlierPackages, EarlierVersions, PackageFacts, Removal } from "./package_parts.tsx";
import { Button } from "../../components/button.tsx";
import type { Handlers } from "../../screens.ts";

const WIDTHS = [["full", "Full"], ["tablet", "Tablet"], ["phone", "Phone"]] as const;

/** `/themes/:id`. */
export function themeScreens(deps: Deps): Handlers<"theme"> {
  const { content: { context }, settings } = deps;
  return {
    theme: async (c) => {
      const theme = await getPackage(context, "theme", c.req.param("id"));
      const visit = c.get("visit");
      const isActive = theme.id === await settings.get<string | null>(ACTIVE_THEME);
      const [paths, earlier] = await Promise.all([
        shownPaths(deps, visit),
        earlierPackages(context, theme),
      ]);
      const facts = {
        title: theme.name,
        crumbs: [
          { label: "Design", href: "/admin/design" },
          { label: "Themes", href: "/admin/themes" },
        ],
        actions: isActive
          ? <span class="badge good">Active</span>
          : <Activate id={theme.id} name={theme.name} primary />,
        wide: true,
      };
      return await page(
        c,
        facts,
        <div class="stack">
          <PackageFacts state={theme} />
          <ThemePreview id={theme.id} name={theme.name} paths={paths} url={visit.url} />
          <EarlierVersions state={theme} earlier={earlier} visit={visit} />
          {!isActive && <Removal state={theme} />}
        </div>,
      );
    },
  };
}

/** Makes a theme the active one. Activating the other one again undoes it, so nothing is asked first. */
export function Activate(
  { id, name, primary = false }: { id: string; name: string; primary?: boolean },
) {
  return (
    <Button
      variant={primary ? "primary" : "plain"}
      size={primary ? "normal" : "small"}
      data-action={`POST /api/admin/themes/${id}/activate`}
      data-then="reload"
      data-done={`${name} is active. The site is being rebuilt.`}
    >
      Activate<span class="sr">{` ${name}`}</span>
    </Button>
  );
}

type ShownPath = readonly [path: string, label: string];

/** The first page, the listings, and the newest document of each collection. */
async function shownPaths(deps: Deps, { schema }: Visit): Promise<ShownPath[]> {
  const collections = schema.collections.slice(0, PREVIEW_COLLECTIONS_MAX);
  const found = await Promise.all(collections.map(async (collection): Promise<ShownPath[]> => {
    const newest = await newestDocument(deps, collection);
    const listing = [`/${collection.slug}`, collection.name] as const;
    return newest === null ? [listing] : [listing, newest];
  }));
  return [["/", "Home page"], ...found.flat(), ["/no-such-page", "Not found page"]];
}

async function newestDocument(
  { content, reader }: Deps,
  collection: Collection,
): Promise<ShownPath | null> {
  const list = await content.index.list({
    collections: [collection],
    statuses: ["published"],
    sort: [{ by: "publishedAt", descending: true }],
    offset: 0,
    limit: 1,
  });
  const [stored] = await reader.ofPage(list);
  if (stored === undefined) return null;
  return [`/${collection.slug}/${stored.state.slug}`, `${collection.name}: ${stored.state.title}`];
}

/** The frame has no origin, runs nothing and leads nowhere, so pages are chosen above it. */
function ThemePreview(
  { id, name, paths, url }: { id: string; name: string; paths: ShownPath[]; url: URL },
) {
  const path = url.searchParams.get("path") ?? "/";
  const width = url.searchParams.get("width") ?? "full";
  const address = `/api/admin/themes/${id}/preview?${new URLSearchParams({ path })}`;
  return (
    <section class="theme-preview preview-pane" aria-label="Preview">
      <form class="row" method="get">
        <div class="field">
          <label for="f-path">Page</label>
          <select id="f-path" name="path">
            {paths.map(([value, label]) => (
              <option value={value} selected={value === path}>{label}</option>
            ))}
          </select>
        </div>
        <div class="field">
          <label for="f-width">Width</label>
          <select id="f-width" name="width">
            {WIDTHS.map(([value, label]) => (
              <option value={value} selected={value === width}>{label}</option>
            ))}
          </select>
        </div>
        <Button type="submit">Show</Button>
      </form>
      <iframe
        title={`Preview of ${name}`}
        src={address}
        data-width={WIDTHS.some(([known]) => known === width) ? width : "full"}
      >
      </iframe>
      <p class="muted small">
        Only you can see this preview. The site doesn't change until you activate the theme.
      </p>
    </section>
  );
}
