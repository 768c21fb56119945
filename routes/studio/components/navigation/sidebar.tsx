/**
 * The column at the side: the site, search, the navigation, the user's menu.
 *
 * @module
 */
import { SegmentedChoice } from "./segmented_choice.tsx";
import { currentLink, navigationOf } from "../../navigation.ts";
import type { PageFacts } from "../../serving/page.tsx";
import type { Visit } from "../../serving/studio_env.ts";
import { Avatar } from "../avatar.tsx";
import { IconButton } from "../button.tsx";
import { Icon, Mark } from "../icon.tsx";
import { Bell } from "./bell.tsx";
import { NavigationList } from "./navigation_list.tsx";
import { Menu, MenuButton, MenuLink } from "../overlays/menu.tsx";

interface SidebarProps {
  visit: Visit;
  facts: PageFacts;
  pins: ReadonlySet<string>;
}

/** The sidebar; on narrow windows a button of the bar opens it. */
export function Sidebar({ visit, facts, pins }: SidebarProps) {
  const sections = navigationOf(visit, pins);
  const current = facts.crumbs?.map(({ href }) => currentLink(sections, href))
    .find((href) => href !== undefined && href !== "/admin/content") ??
    currentLink(sections, visit.url.pathname);
  return (
    <nav id="navigation" class="sidebar" popover="auto" aria-label="Main">
      <div class="sidebar-head">
        <a class="brand" href="/admin">
          <Mark />
          <span>{visit.siteTitle}</span>
        </a>
        <Bell visit={visit} />
        <IconButton
          icon="sidebar"
          label="Collapse navigation"
          class="collapse-button"
          data-collapse="sidebar"
          aria-pressed={String(visit.sidebar.collapsed)}
        />
      </div>
      <button
        type="button"
        class="search-button"
        data-palette-open
      >
        <Icon name="search" />
        <span>Search or go to …</span>
        <kbd data-command="K" aria-hidden="true">Ctrl K</kbd>
      </button>
      <NavigationList sections={sections} current={current} closed={visit.sidebar.closed} />
      <div class="sidebar-foot">
        <UserMenu visit={visit} />
        {visit.siteUrl && (
          <a
            class="icon-button"
            href="/"
            target="_blank"
            rel="noopener"
            aria-label="View site"
            title="View site"
          >
            <Icon name="external" />
          </a>
        )}
      </div>
    </nav>
  );
}

function UserMenu({ visit: { user, theme, version } }: { visit: Visit }) {
  return (
    <>
      <button type="button" class="user-button" popovertarget="user-menu">
        <Avatar id={user.id} name={user.displayName} />
        <span class="sr">{`Account of ${user.displayName}`}</span>
        <span aria-hidden="true">{user.displayName}</span>
      </button>
      <Menu id="user-menu" side="above">
        <p class="menu-head">
          <strong>{user.displayName}</strong>
          <span>{user.email}</span>
        </p>
        <SegmentedChoice
          legend="Appearance"
          name="theme"
          choices={[["auto", "System"], ["light", "Light"], ["dark", "Dark"]]}
          chosen={theme}
          data-theme-choice
        />
        <MenuLink icon="account" href="/admin/account">Your account</MenuLink>
        <MenuButton icon="keyboard" data-keys-open>Keyboard shortcuts</MenuButton>
        <hr />
        <MenuButton
          icon="leave"
          data-action="DELETE /api/admin/session"
          data-then="{url|/admin/sign-in}"
        >
          Sign out
        </MenuButton>
        <p class="menu-head">
          <span>{`Version ${version}`}</span>
        </p>
      </Menu>
    </>
  );
}
