/**
 * A site on which every screen of the admin application has something to show, and the address of each.
 *
 * @module
 */
import { PNG } from "pngjs";
import { cronTickKey } from "../../../kv/keys.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { Operation } from "../../../kv/store/operation.ts";
import type { ScreenId } from "../../../routes/studio/screens.ts";
import { assertEquals } from "../harness/assert.ts";
import { install, packageOf, publisher, themeParts } from "./packages.ts";
import { magazine, somePosts } from "./studio_site.ts";
import { ADA, asVisitor, type StudioVisit } from "../browser/studio_visit.ts";

/** Ids of what is on the site. */
export interface ShownSite {
  draft: string;
  /** A published document with changes that are not public yet. */
  changed: string;
  medium: string;
  release: string;
  role: string;
  user: string;
  token: string;
  webhook: string;
  theme: string;
  plugin: string;
  job: string;
  /** A second of the past, epoch seconds. */
  then: number;
}

/** Addresses below `/admin`; null for what is no page of its own: a part of one, or a page of the public site. */
export const SCREEN_PATHS: Record<ScreenId, ((site: ShownSite) => string) | null> = {
  setup: () => "/setup",
  signIn: () => "/sign-in",
  login: () => "/login",
  reset: () => "/reset",
  choosePassword: () => "/choose-password#token=secret",
  confirmAddress: () => "/confirm-address#token=secret",
  mailCheck: () => "/mail-check",
  overview: () => "",
  notifications: () => "/notifications",
  account: () => "/account",
  components: () => "/components",
  documents: () => "/content",
  schedule: () => "/schedule",
  reschedule: null,
  releases: () => "/releases",
  release: ({ release }) => `/releases/${release}`,
  releaseChanges: ({ release, draft }) => `/releases/${release}/documents/${draft}`,
  media: () => "/media",
  medium: ({ medium }) => `/media/${medium}`,
  newDocument: () => "/content/posts/new",
  collectionDocuments: () => "/content/posts",
  document: ({ draft }) => `/documents/${draft}`,
  documentChecks: null,
  documentChanges: ({ changed }) => `/documents/${changed}/changes`,
  translation: null,
  translationExchange: null,
  documentUses: null,
  find: null,
  findUsers: null,
  choices: null,
  listLayout: null,
  pins: null,
  fieldPreview: null,
  board: () => "/content/posts/board",
  preview: null,
  collections: () => "/collections",
  collection: () => "/collections/posts",
  collectionApi: () => "/collections/posts/api",
  newField: () => "/collections/posts/fields/new",
  field: () => "/collections/posts/fields/section",
  blocks: () => "/blocks",
  newBlock: () => "/blocks/new",
  block: () => "/blocks/figure",
  settings: () => "/settings",
  design: () => "/design",
  redirects: () => "/redirects",
  designPage: null,
  users: () => "/users",
  user: ({ user }) => `/users/${user}`,
  roles: () => "/roles",
  newRole: () => "/roles/new",
  role: ({ role }) => `/roles/${role}`,
  themes: () => "/themes",
  theme: ({ theme }) => `/themes/${theme}`,
  plugins: () => "/plugins",
  plugin: ({ plugin }) => `/plugins/${plugin}`,
  publishers: () => "/publishers",
  tokens: () => "/tokens",
  newToken: () => "/tokens/new",
  token: ({ token }) => `/tokens/${token}`,
  webhooks: () => "/webhooks",
  newWebhook: () => "/webhooks/new",
  webhook: ({ webhook }) => `/webhooks/${webhook}`,
  jobs: () => "/jobs",
  job: ({ job }) => `/jobs/${job}`,
  activity: () => "/activity",
  versions: ({ changed }) => `/versions/document/${changed}`,
  transfers: () => "/transfers",
  transfer: null,
  backUps: () => "/back-ups",
  timeTravel: ({ then }) => `/time-travel?at=${then}`,
  pastPage: null,
};

/** Makes the site; minutes pass between what is done. */
export async function shownSite(visit: StudioVisit): Promise<ShownSite> {
  const { ask, test } = visit;
  const must = async (method: string, path: string, body?: Json) => {
    test.context.advance(7 * 60_000);
    const answer = await ask(method, path, body);
    assertEquals(answer.status < 300, true, `${method} ${path}: ${answer.text}`);
    return answer.json;
  };
  const { authorId } = await magazine(visit);
  const medium = await photograph(visit);
  const [draft, changed] = await somePosts(visit) as [string, string];
  await must("PATCH", `/documents/${draft}`, { cover: medium, author: authorId, body: BODY });
  await must("PATCH", `/documents/${changed}`, { cover: medium });
  await test.runner.drain();
  const then = Math.floor(test.context.now() / 1000);
  const title = "The very last steam crane of Bristol";
  await must("PATCH", `/documents/${changed}/working-copy`, { title, subtitle: "Part 7" });
  const bea = { email: "bea@example.org", displayName: "Bea Curie", roles: ["author"] };
  const user = await must("POST", "/users", bea);
  const role = await must("POST", "/roles", { name: "Proof reader", permissions: ["media.read"] });
  const token = await must("POST", "/tokens", { name: "Front end", scopes: ["posts:read"] });
  const webhook = await must("POST", "/webhooks", {
    name: "Build the front end",
    url: "https://[2606:4700::1111]/hook",
    events: ["document.published"],
  });
  const release = await must("POST", "/releases", { name: "Autumn issue" });
  await must("PUT", `/releases/${release.id}/documents/${draft}`, { action: "publish" });
  await must("POST", `/documents/${draft}/review`, { note: "Is the second paragraph too long?" });
  await must("POST", "/session/prove", { password: ADA.password });
  await must("PATCH", "/settings", { "packages.publishers": [publisher()] as never });
  const packages = await somePackages(visit);
  await test.runner.drain();
  const { data: [job] } = await must("GET", "/jobs?limit=1");
  await test.context.store.commit(new Operation().set(cronTickKey, test.context.now()));
  const ids = { draft, changed, medium, then, ...packages, job: job.id };
  return {
    ...ids,
    release: release.id,
    role: role.id,
    user: user.id,
    token: token.id,
    webhook: webhook.id,
  };
}

async function somePackages(visit: StudioVisit): Promise<{ theme: string; plugin: string }> {
  const as = asVisitor(visit);
  const facts = { capabilities: ["content:read"], name: "Reading time" };
  const accept = ["content:read"];
  const theme = await install(as, "themes", await packageOf(themeParts("Midnight")));
  const plugin = await install(as, "plugins", await packageOf({ facts }), { accept });
  return { theme: theme.result.install.id, plugin: plugin.result.install.id };
}

const BODY: Json = [
  ["normal", "The lamp is lit before the sun has gone, and burns until it is back."],
  ["h2", "What the keeper does"],
  ["normal", "Every four hours the clockwork is wound. In between there is the log, and tea."],
].map(([style, text], index) => ({
  _type: "block",
  _key: `b${index}`,
  style: style!,
  markDefs: [],
  children: [{ _type: "span", _key: `s${index}`, text: text!, marks: [] }],
}));

/** Uploads an evening by the sea, of a size, or so many times as wide as a small one. */
export async function photograph(
  { test, cookie }: StudioVisit,
  size: number | { width: number; height: number } = 1,
): Promise<string> {
  const { width, height } = typeof size === "number"
    ? { width: WIDTH * size, height: HEIGHT * size }
    : size;
  const key = `${width} × ${height}`;
  const bytes = drawn.get(key) ?? drawEvening(width, height);
  drawn.set(key, bytes);
  const form = new FormData();
  form.append("file", new File([bytes], "evening.png", { type: "image/png" }));
  const headers = { cookie: cookie(), "sec-fetch-site": "same-origin" };
  const upload = await test.call("POST", "/api/admin/media", { raw: form, headers });
  assertEquals(upload.status, 201, upload.text);
  return upload.json.id;
}

const [WIDTH, HEIGHT] = [480, 320];
const SUN = [255, 214, 150];

/** Drawing and compressing the largest takes more than a second; the tests of a process share it. */
const drawn = new Map<string, Uint8Array<ArrayBuffer>>();

function drawEvening(width: number, height: number): Uint8Array<ArrayBuffer> {
  const png = new PNG({ width, height });
  const [across, down] = [width / WIDTH, height / HEIGHT];
  for (let row = 0, at = 0; row < height; row++) {
    const y = Math.floor(row / down);
    const isSea = y > HEIGHT * 0.62;
    const back = isSea ? [28, 58, 84 - (y >> 4)] : [236 - (y >> 1), 150 - (y >> 2), 110 + (y >> 2)];
    for (let column = 0; column < width; column++) {
      const isSun = Math.hypot(column / across - 340, y - 150) < 44;
      const color = isSun ? SUN : back;
      png.data[at++] = color[0]!;
      png.data[at++] = color[1]!;
      png.data[at++] = color[2]!;
      png.data[at++] = 255;
    }
  }
  return new Uint8Array(PNG.sync.write(png));
}
