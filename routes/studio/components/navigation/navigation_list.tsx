/**
 * The navigation in groups that open and close. A star at each collection pins it.
 *
 * @module
 */
import type { NavLink, NavSection } from "../../navigation.ts";
import { Icon } from "../icon.tsx";

/** From so many links on, a section can be searched. */
const FILTER_FROM = 10;

interface NavigationListProps {
  sections: readonly NavSection[];
  /** The address of the link that the page belongs to. */
  current: string | undefined;
  /** Keys of the sections that the user has closed. */
  closed: ReadonlySet<string>;
}

/** All sections. */
export function NavigationList({ sections, current, closed }: NavigationListProps) {
  // A pinned collection is the current link among the pins only.
  const own = sections.find(({ links }) => links.some(({ href }) => href === current));
  return (
    <div class="nav">
      {sections.map((section) => (
        <Section
          section={section}
          current={section === own ? current : undefined}
          closed={closed}
        />
      ))}
    </div>
  );
}

function Section(
  { section: { heading, key, links }, current, closed }: {
    section: NavSection;
    current: string | undefined;
    closed: ReadonlySet<string>;
  },
) {
  const list = (
    <ul>
      {links.map((link) => (
        <li>
          <a
            href={link.href}
            aria-current={link.href === current ? "page" : undefined}
            title={link.label}
          >
            <Icon name={link.icon} />
            <span>{link.label}</span>
          </a>
          {link.pin && <PinButton label={link.label} pin={link.pin} />}
        </li>
      ))}
    </ul>
  );
  if (heading === "") return <div class="nav-group">{list}</div>;
  // The group of the page that is shown is open whatever was chosen before.
  const isOpen = !closed.has(key) || current !== undefined;
  return (
    <details class="nav-group" open={isOpen} data-nav-group={key}>
      <summary>
        <span>{heading}</span>
        <Icon name="down" />
      </summary>
      {links.length >= FILTER_FROM && (
        <div class="nav-filter">
          <input
            type="search"
            data-nav-filter
            aria-label={`Filter ${heading.toLowerCase()}`}
            placeholder="Filter"
          />
        </div>
      )}
      {list}
    </details>
  );
}

function PinButton({ label, pin }: { label: string; pin: NonNullable<NavLink["pin"]> }) {
  return (
    <button
      type="button"
      class="nav-pin"
      data-pin={pin.collection}
      aria-pressed={String(pin.isPinned)}
      aria-label={`Pin ${label}`}
      title={pin.isPinned ? "Unpin" : "Pin"}
    >
      <Icon name="star" />
    </button>
  );
}
