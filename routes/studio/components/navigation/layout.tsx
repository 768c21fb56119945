/**
 * The layout of every page of a signed-in user: sidebar, title, palette.
 *
 * @module
 */
import type { Child } from "@hono/hono/jsx";
import type { PageFacts } from "../../serving/page.tsx";
import type { Visit } from "../../serving/studio_env.ts";
import { IconButton } from "../button.tsx";
import { Icon, Mark } from "../icon.tsx";
import { KeysDialog } from "../overlays/keys_dialog.tsx";
import { Palette } from "../overlays/palette.tsx";
import { Bell, NotificationPanel } from "./bell.tsx";
import { RolePreviewBar } from "./role_preview_bar.tsx";
import { Sidebar } from "./sidebar.tsx";

/** A page above the present one. */
export interface Crumb {
  label: string;
  href: string;
}

/** The sidebar (or its button on narrow screens) and the page. */
export function Layout(
  { visit, facts, pins, children }: {
    visit: Visit;
    facts: PageFacts;
    /** Ids of the collections that the user has pinned. */
    pins: ReadonlySet<string>;
    children: Child;
  },
) {
  const main = (
    <main id="content" class={pageClass(facts)} tabindex={-1}>
      {visit.previewedRole !== null && <RolePreviewBar role={visit.previewedRole} />}
      <Heading facts={facts} />
      {children}
    </main>
  );
  if (facts.sheet) return main;
  return (
    <>
      <a class="skip" href="#content">Skip to content</a>
      <header class="topbar">
        <IconButton icon="menu" label="Navigation" popovertarget="navigation" />
        <a class="brand" href="/admin">
          <Mark />
          <span>{visit.siteTitle}</span>
        </a>
        <Bell visit={visit} />
        <IconButton icon="search" label="Search or go to" data-palette-open />
      </header>
      <Sidebar visit={visit} facts={facts} pins={pins} />
      {main}
      <NotificationPanel visit={visit} />
      <Palette visit={visit} pins={pins} />
      <KeysDialog visit={visit} />
    </>
  );
}

function pageClass({ wide, editing }: PageFacts): string {
  return ["page", wide && "wide", editing && "editing"].filter(Boolean).join(" ");
}

function Heading({ facts: { title, crumbs = [], actions, intro } }: { facts: PageFacts }) {
  return (
    <div class="page-head">
      <div>
        {crumbs.length > 0 && (
          <nav class="crumbs" aria-label="Breadcrumbs">
            {crumbs.map(({ label, href }, index) => (
              <span>
                {index > 0 && <Icon name="right" />}
                <a href={href}>{label}</a>
              </span>
            ))}
          </nav>
        )}
        <h1 dir="auto">{title}</h1>
        {intro && <p class="intro">{intro}</p>}
      </div>
      {actions && <div class="page-actions">{actions}</div>}
    </div>
  );
}
