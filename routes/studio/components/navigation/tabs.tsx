/**
 * Tabs: links to neighbouring views of one list.
 *
 * @module
 */

/** A tab with its count. */
export interface Tab {
  label: string;
  href: string;
  current: boolean;
  count?: number;
}

/** A row of tabs. */
export function Tabs({ label, tabs }: { label: string; tabs: Tab[] }) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ label, href, current, count }) => (
        <a href={href} aria-current={current ? "page" : undefined}>
          {label}
          {count !== undefined && <span class="count">{count.toLocaleString("en")}</span>}
        </a>
      ))}
    </nav>
  );
}
