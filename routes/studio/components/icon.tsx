/**
 * Icons, drawn as strokes in a square of 24 units.
 *
 * @module
 */

const PATHS = {
  home: "M4 11l8-7 8 7M6 9.5V20h12V9.5M10 20v-5h4v5",
  document: "M7 3h7l4 4v14H7zM14 3v4h4M10 12h5M10 16h5",
  documents: "M8 3h7l4 4v11H8zM15 3v4h4M5 7v14h11",
  image: "M4 5h16v14H4zM4 16l4.5-4.5L13 16l2.5-2.5L20 18M15.5 9.5h.01",
  calendar: "M5 6h14v14H5zM5 10h14M9 3.5V7M15 3.5V7",
  structure: "M4 4h7v7H4zM13 13h7v7h-7zM7.500 11v5.500H13M16.500 13V7.500H11",
  blocks: "M4 4h16v5H4zM4 12h7v8H4zM14 12h6v8h-6z",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 5v4M9 15v4",
  users:
    "M9 11a3.500 3.500 0 100-7 3.500 3.500 0 000 7zM3 20c0-3.300 2.700-5.500 6-5.500s6 2.200 6 5.500M16 4.500a3.500 3.500 0 010 6M18 15c1.900.8 3 2.600 3 5",
  role: "M12 3l7 3v5.500c0 4.500-3 7.800-7 9.500-4-1.700-7-5-7-9.500V6zM9 12l2.200 2.200L15.300 10",
  key: "M14.500 3.500a6 6 0 11-5.600 8.100L3 17.500V21h3.500v-2.500H9V16l1.800-1.800M16 8h.01",
  jobs: "M4 12h3.500l2.500-7 4 14 2.500-7H20",
  archive: "M4 5h16v4H4zM5.500 9v10.500h13V9M10 13h4",
  history: "M4.500 12a7.500 7.500 0 107.500-7.500c-2.600 0-4.600 1-6 2.900M5 4v4h4M12 8v4.500l3 2",
  search: "M10.500 17a6.500 6.500 0 100-13 6.500 6.500 0 000 13zM15.300 15.300L20.500 20.500",
  menu: "M4 7h16M4 12h16M4 17h16",
  plus: "M12 5v14M5 12h14",
  close: "M6 6l12 12M18 6L6 18",
  check: "M5 12.500l4.500 4.500L19 7.500",
  right: "M9.500 6l6 6-6 6",
  down: "M6 9.500l6 6 6-6",
  up: "M6 14.500l6-6 6 6",
  external: "M13 5h6v6M19 5l-9 9M10 6H5v13h13v-5",
  trash: "M5 7h14M9.500 7V4.500h5V7M7 7l1 13h8l1-13M10.500 11v5M13.500 11v5",
  sun:
    "M12 16a4 4 0 100-8 4 4 0 000 8zM12 3v2M12 19v2M3 12h2M19 12h2M5.600 5.600L7 7M17 17l1.400 1.400M18.400 5.600L17 7M7 17l-1.400 1.400",
  leave: "M14 5H6v14h8M11 12h9M17 9l3 3-3 3",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  eye:
    "M3 12c2-4 5.200-6 9-6s7 2 9 6c-2 4-5.200 6-9 6s-7-2-9-6zM12 14.500a2.500 2.500 0 100-5 2.500 2.500 0 000 5z",
  upload: "M12 16V5M7.500 9L12 4.500 16.500 9M5 15v4.500h14V15",
  download: "M12 4.500V16M7.500 12l4.500 4.500 4.500-4.500M5 15v4.500h14V15",
  warning: "M12 4l9 16H3zM12 10v4.500M12 17.500h.01",
  info: "M12 21a9 9 0 100-18 9 9 0 000 18zM12 11v5M12 8h.01",
  edit: "M5 19l1-4L16 5l3 3L9 18zM14 7l3 3",
  more: "M6 12h.01M12 12h.01M18 12h.01",
  activity: "M5 6h14M5 12h9M5 18h12",
  block: "M12 21a9 9 0 100-18 9 9 0 000 18zM6 6l12 12",
  grip: "M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01",
  retry: "M19.500 12a7.500 7.500 0 11-2.300-5.400M19.500 4v4h-4",
  keyboard: "M3 7h18v10H3zM7 11h.01M11 11h.01M15 11h.01M8 14h8",
} as const;

/** The name of an icon. */
export type IconName = keyof typeof PATHS;

/** An icon; it says nothing to screen readers, the text beside it does. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
