/**
 * Embeds in rich text: the services whose players are allowed, the player URL for the URL of a page, and the
 * additional hosts that a site allows. Every other URL remains a link.
 *
 * @module
 */
import { URL_CHARS_MAX } from "../../limits/content.ts";

/** How a player is shaped: as wide as a film, or as low as a row of controls. */
export type EmbedShape = "video" | "audio";

/** The player that is embedded for a URL. */
export interface Embed {
  /** The service, as people call it. */
  name: string;
  shape: EmbedShape;
  /** The address of the player. */
  frame: string;
}

interface EmbedService {
  name: string;
  shape: EmbedShape;
  /** Hosts of its pages, without `www.` and `m.`. */
  hosts: readonly string[];
  /** The origins of its players; pages allow frames of these origins only. */
  origin: string;
  /** The path after the origin; null if the URL does not name anything that can be played. */
  player: (url: URL) => string | null;
}

const SERVICES: readonly EmbedService[] = [
  {
    name: "YouTube",
    shape: "video",
    hosts: ["youtube.com", "youtube-nocookie.com", "youtu.be"],
    origin: "https://www.youtube-nocookie.com",
    player: youTubePlayer,
  },
  {
    name: "Vimeo",
    shape: "video",
    hosts: ["vimeo.com", "player.vimeo.com"],
    origin: "https://player.vimeo.com",
    player: ({ pathname }) => {
      const found = /^\/(?:video\/|channels\/\w+\/)?(\d{5,12})(?:\/(\w{6,16}))?\/?$/.exec(pathname);
      if (found === null) return null;
      return `/video/${found[1]}?dnt=1${found[2] === undefined ? "" : `&h=${found[2]}`}`;
    },
  },
  {
    name: "Spotify",
    shape: "audio",
    hosts: ["open.spotify.com"],
    origin: "https://open.spotify.com",
    player: ({ pathname }) => {
      const found = /\/(track|album|playlist|episode|show)\/(\w{22})\/?$/.exec(pathname);
      return found === null ? null : `/embed/${found[1]}/${found[2]}`;
    },
  },
  {
    name: "SoundCloud",
    shape: "audio",
    hosts: ["soundcloud.com"],
    origin: "https://w.soundcloud.com",
    player: ({ pathname }) => {
      if (!/^\/[\w-]+\/(?:sets\/)?[\w-]+\/?$/.test(pathname)) return null;
      return `/player/?url=${encodeURIComponent(`https://soundcloud.com${pathname}`)}`;
    },
  },
];

/** Origins of players: of the services, and of these hosts. */
export function playerOrigins(hosts: readonly string[]): string[] {
  return [...SERVICES.map(({ origin }) => origin), ...hosts.map(embedOrigin)];
}

/** The services, as people call them. */
export const EMBED_NAMES: readonly string[] = SERVICES.map(({ name }) => name);

/**
 * The player of an address; null where it is none of an allowed service. Of the `hosts` that a site allows besides,
 * every address is that of a player.
 */
export function embedOf(address: unknown, hosts: readonly string[] = []): Embed | null {
  if (typeof address !== "string" || address.length > URL_CHARS_MAX) return null;
  const url = URL.parse(address.trim());
  if (url === null || !/^https?:$/.test(url.protocol) || url.port !== "") return null;
  const host = url.hostname.replace(/^(?:www|m)\./, "");
  const service = SERVICES.find(({ hosts }) => hosts.includes(host));
  const player = service?.player(url) ?? null;
  if (service !== undefined && player !== null) {
    return { name: service.name, shape: service.shape, frame: service.origin + player };
  }
  const isAllowed = url.protocol === "https:" && url.username === "" && url.password === "" &&
    hosts.includes(url.hostname);
  return isAllowed ? { name: url.hostname, shape: "video", frame: url.href } : null;
}

/** A name in the domain name system: letters, digits and hyphens between dots, and no number of an address. */
const HOST =
  /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** The host that a setting names, as such or by a URL on it; null if it is not a host. */
export function embedHostOf(words: string): string | null {
  const text = words.trim();
  const isAddress = /^https:\/\//i.test(text);
  const url = URL.parse(isAddress ? text : `https://${text}`);
  if (url === null || url.port !== "" || url.username !== "" || url.password !== "") return null;
  const isBare = url.pathname === "/" && url.search === "" && url.hash === "";
  return (isAddress || isBare) && HOST.test(url.hostname) ? url.hostname : null;
}

/** The origin of the frames of a host. */
export function embedOrigin(host: string): string {
  return `https://${host}`;
}

function youTubePlayer({ hostname, pathname, searchParams }: URL): string | null {
  const id = hostname.endsWith("youtu.be")
    ? pathname.slice(1)
    : searchParams.get("v") ?? /^\/(?:embed|shorts|live)\/([^/]+)/.exec(pathname)?.[1] ?? "";
  if (!/^[\w-]{11}$/.test(id)) return null;
  const start = /^(\d{1,6})s?$/.exec(searchParams.get("t") ?? searchParams.get("start") ?? "")?.[1];
  return `/embed/${id}${start === undefined ? "" : `?start=${start}`}`;
}
