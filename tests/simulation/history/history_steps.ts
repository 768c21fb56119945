/**
 * What people do to a site over HTTP, by chance: every kind of change of every kind of entity.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { assertNotEquals } from "../../support/harness/assert.ts";
import type { Answer } from "../../support/sites/app.ts";
import { pictureForm } from "../../support/sites/backups.ts";
import { IMAGES } from "../../support/sites/images.ts";
import { packageOf, themeParts } from "../../support/sites/packages.ts";
import type { HistoryFixture } from "./history_fixture.ts";
import { LANGUAGE_STEPS } from "./history_languages.ts";

/** One change; answers what the site said. */
export type Step = (fixture: HistoryFixture) => Promise<Answer>;

const NAMES = ["ant", "bee", "cat", "dog"];
/** Large enough to be spilled. */
const LARGE = "long ".repeat(50_000);
/** More than a commit holds. */
const HUGE = "long ".repeat(200_000);
const TEXT = { name: "ant", label: "Text", type: "text" };

const FIELDS: Json[] = [
  { ...TEXT, unique: true },
  { name: "bee", label: "Number", type: "number", indexed: true, sortable: true },
  { name: "cat", label: "Anything", type: "json" },
];

const name = (fixture: HistoryFixture) => fixture.one(NAMES);
const document = (fixture: HistoryFixture) => fixture.idOf("document");
const collection = (fixture: HistoryFixture) => fixture.slug();

const DOCUMENTS: Step[] = [
  async (fixture) =>
    fixture.ask("POST", "/documents", {
      collection: await collection(fixture),
      title: name(fixture),
      ...(fixture.chance(0.5) && { ant: name(fixture) }),
      ...(fixture.chance(0.3) && { status: "published" }),
    }),
  async (fixture) =>
    fixture.v1("POST", `/${await collection(fixture)}`, {
      title: `${name(fixture)} ${fixture.number(9)}`,
      status: fixture.one(["draft", "published", "scheduled"]),
    }),
  (fixture) => fixture.ask("PATCH", `/documents/${document(fixture)}`, { slug: name(fixture) }),
  (fixture) => fixture.ask("PATCH", `/documents/${document(fixture)}`, { ant: name(fixture) }),
  (fixture) =>
    fixture.ask("PATCH", `/documents/${document(fixture)}`, {
      title: name(fixture),
      cat: fixture.chance(0.3) ? LARGE + fixture.number(9) : fixture.number(9),
    }),
  async (fixture) =>
    fixture.v1("PATCH", `/${await collection(fixture)}/${document(fixture)}`, {
      bee: fixture.number(9),
    }),
  async (fixture) => fixture.v1("DELETE", `/${await collection(fixture)}/${document(fixture)}`),
  (fixture) => fixture.ask("DELETE", `/documents/${document(fixture)}`),
  (fixture) => fixture.ask("POST", `/documents/${document(fixture)}/untrash`),
  (fixture) => fixture.ask("POST", `/documents/${document(fixture)}/publish`),
  (fixture) => fixture.ask("POST", `/documents/${document(fixture)}/unpublish`),
  async (fixture) => {
    const id = document(fixture);
    const large = fixture.chance(0.5) ? LARGE : HUGE;
    // Most documents are drafts, which have no working copy.
    if (fixture.chance(0.5)) await fixture.ask("POST", `/documents/${id}/publish`);
    // What follows may be refused, and then only that must change nothing.
    await fixture.model.follow();
    const answer = await fixture.ask("PATCH", `/documents/${id}/working-copy`, {
      title: `${name(fixture)} in work`,
      ...(fixture.chance(0.3) && { slug: name(fixture) }),
      ...(fixture.chance(0.5) && { ant: fixture.chance(0.3) ? null : name(fixture) }),
      ...(fixture.chance(0.4) && { cat: large + fixture.number(9) }),
    });
    // A working copy may be as large as a document.
    assertNotEquals(answer.status, 413, answer.text);
    return answer;
  },
  (fixture) => fixture.ask("DELETE", `/documents/${document(fixture)}/working-copy`),
  (fixture) => {
    const [verb, path, body] = fixture.one<[string, string, Json?]>([
      ["POST", "review", { note: "Look" }],
      ["POST", "review", { note: "Look again" }],
      ["POST", "review/return", {}],
      ["DELETE", "review"],
    ]);
    return fixture.ask(verb, `/documents/${document(fixture)}/${path}`, body);
  },
  (fixture) =>
    fixture.ask("POST", `/documents/${document(fixture)}/comments`, { text: name(fixture) }),
  (fixture) => fixture.ask("POST", `/documents/${document(fixture)}/archive`),
  (fixture) =>
    fixture.ask("POST", `/documents/${document(fixture)}/schedule`, {
      publishAt: fixture.chance(0.3) ? null : fixture.now + 400_000_000,
    }),
  (fixture) => {
    const [{ publishAt }, { unpublishAt }] = soon(fixture);
    const times = fixture.chance(0.5) ? { publishAt, unpublishAt } : { unpublishAt };
    return fixture.ask("POST", `/documents/${document(fixture)}/schedule`, times);
  },
  async (fixture) => {
    const input = { collection: await collection(fixture), title: "Soon" };
    const created = await fixture.ask("POST", "/documents", input);
    if (created.status >= 400) return created;
    await fixture.model.follow();
    const [start, end] = soon(fixture);
    const times = fixture.chance(0.2) ? start : { ...start, ...end };
    return await fixture.ask("POST", `/documents/${created.json.id}/schedule`, times);
  },
];

/** Times that may pass before the jobs run, so that several are due at once. */
function soon(fixture: HistoryFixture): [{ publishAt: number }, { unpublishAt: number }] {
  const publishAt = fixture.now + 1 + fixture.number(4);
  return [{ publishAt }, { unpublishAt: publishAt + 1 + fixture.number(4) }];
}

const SCHEMA: Step[] = [
  (fixture) =>
    fixture.ask("POST", "/collections", {
      slug: name(fixture),
      name: name(fixture),
      fields: FIELDS,
    }),
  async (fixture) =>
    fixture.ask("PATCH", `/collections/${await collection(fixture)}`, { slug: name(fixture) }),
  async (fixture) =>
    fixture.ask("PATCH", `/collections/${await collection(fixture)}`, { name: name(fixture) }),
  async (fixture) => fixture.ask("DELETE", `/collections/${await collection(fixture)}`),
  async (fixture) =>
    fixture.ask("POST", `/collections/${await collection(fixture)}/fields`, {
      ...TEXT,
      name: name(fixture),
    }),
  async (fixture) =>
    fixture.ask("PATCH", `/collections/${await collection(fixture)}/fields/${name(fixture)}`, {
      label: name(fixture),
    }),
  async (fixture) =>
    fixture.ask("PATCH", `/collections/${await collection(fixture)}/fields/ant`, {
      unique: fixture.chance(0.5),
    }),
  async (fixture) =>
    fixture.ask("DELETE", `/collections/${await collection(fixture)}/fields/${name(fixture)}`),
  (fixture) => fixture.ask("POST", "/blocks", { name: name(fixture), label: "Block", fields: [] }),
  (fixture) => fixture.ask("PATCH", `/blocks/${name(fixture)}`, { label: name(fixture) }),
  (fixture) => fixture.ask("DELETE", `/blocks/${name(fixture)}`),
];

const PEOPLE: Step[] = [
  (fixture) =>
    fixture.ask("POST", "/roles", { name: name(fixture), permissions: ["documents.read"] }),
  (fixture) => fixture.ask("PATCH", `/roles/${fixture.idOf("role")}`, { name: name(fixture) }),
  (fixture) => fixture.ask("DELETE", `/roles/${fixture.idOf("role")}`),
  (fixture) =>
    fixture.ask("POST", "/users", {
      email: `${name(fixture)}@example.org`,
      displayName: name(fixture),
      password: "a long enough one",
      roles: [fixture.one(["editor", "viewer", "administrator"])],
    }),
  (fixture) =>
    fixture.ask("PATCH", `/users/${fixture.otherUser()}`, { displayName: name(fixture) }),
  (fixture) =>
    fixture.ask("PATCH", `/users/${fixture.otherUser()}`, {
      roles: fixture.chance(0.3) ? [] : [fixture.one(["editor", "viewer", "author"])],
    }),
  (fixture) => fixture.ask("DELETE", `/users/${fixture.otherUser()}`),
  (fixture) => fixture.ask("POST", "/tokens", { name: name(fixture), scopes: ["*:read"] }),
  (fixture) => fixture.ask("PATCH", `/tokens/${fixture.otherToken()}`, { name: name(fixture) }),
  (fixture) => fixture.ask("DELETE", `/tokens/${fixture.otherToken()}`),
];

const REST: Step[] = [
  (fixture) => fixture.ask("PATCH", "/settings", { "site.title": name(fixture) }),
  (fixture) =>
    fixture.ask("PATCH", "/settings", {
      [`secret.${name(fixture)}`]: name(fixture),
      "site.description": name(fixture),
    }),
  (fixture) => fixture.form("POST", "/media", pictureForm()),
  (fixture) => {
    const form = new FormData();
    form.set("file", new Blob([fixture.one(Object.values(IMAGES))]), "other.png");
    return fixture.form("PUT", `/media/${fixture.idOf("media_metadata")}/file`, form);
  },
  (fixture) =>
    fixture.ask("PATCH", `/media/${fixture.idOf("media_metadata")}`, {
      alt: `${fixture.number(9)}`,
    }),
  (fixture) => {
    const side = fixture.number(5) / 10;
    const crop = { x: side, y: 0.1, width: 0.5, height: side + 0.1 };
    const crops = fixture.one([null, { "16:9": null }, { "16:9": crop }, { "3:4": crop }]);
    return fixture.ask("PATCH", `/media/${fixture.idOf("media_metadata")}`, { crops });
  },
  (fixture) =>
    fixture.ask("POST", "/media/organize", {
      ids: [fixture.idOf("media_metadata")],
      folder: fixture.one(["", "Press", "Press/2026"]),
      addTags: [`tag ${fixture.number(3)}`],
    }),
  (fixture) => fixture.ask("POST", "/media/folders/move", { from: "Press", to: "Archive" }),
  (fixture) => fixture.ask("DELETE", `/media/${fixture.idOf("media_metadata")}`),
  (fixture) => fixture.ask("POST", `/media/${fixture.idOf("media_metadata")}/undelete`),
  async (fixture) => {
    const version = `1.${fixture.number(3)}.0`;
    const settings = { word: { type: "text" } };
    const facts = { version, ...(fixture.chance(0.5) && { settings }) };
    return await fixture.install("plugins", await packageOf({ facts }));
  },
  async (fixture) => {
    const version = `1.${fixture.number(3)}.0`;
    return await fixture.install("themes", await packageOf(themeParts(version, { version })));
  },
  (fixture) => fixture.ask("POST", `/plugins/${fixture.idOf("plugin")}/enable`),
  (fixture) => fixture.ask("POST", `/plugins/${fixture.idOf("plugin")}/disable`),
  (fixture) =>
    fixture.ask("PUT", `/plugins/${fixture.idOf("plugin")}/config`, { word: name(fixture) }),
  (fixture) => fixture.ask("DELETE", `/plugins/${fixture.idOf("plugin")}`),
  (fixture) => fixture.ask("POST", `/themes/${fixture.idOf("theme")}/activate`),
  (fixture) => fixture.ask("DELETE", `/themes/${fixture.idOf("theme")}`),
];

/** Releases are few, so that documents meet in them. */
const RELEASES: Step[] = [
  (fixture) => fixture.ask("POST", "/releases", { name: name(fixture) }),
  (fixture) => putIntoRelease(fixture),
  (fixture) => putIntoRelease(fixture),
  (fixture) => putIntoRelease(fixture),
  (fixture) =>
    fixture.ask("DELETE", `/releases/${release(fixture)}/documents/${document(fixture)}`),
  (fixture) => fixture.ask("POST", `/releases/${release(fixture)}/publish`),
  (fixture) => publishNewRelease(fixture),
  (fixture) => publishNewRelease(fixture),
  (fixture) => publishNewRelease(fixture),
  (fixture) => fixture.ask("POST", `/releases/${release(fixture)}/revert`),
  (fixture) => fixture.ask("POST", `/releases/${publishedRelease(fixture)}/revert`),
  (fixture) => fixture.ask("POST", `/releases/${publishedRelease(fixture)}/revert`),
  (fixture) =>
    fixture.ask("PATCH", `/releases/${release(fixture)}`, {
      publishAt: fixture.chance(0.2) ? null : fixture.now + 1 + fixture.number(5),
    }),
  (fixture) => fixture.ask("DELETE", `/releases/${release(fixture)}`),
];

function release(fixture: HistoryFixture): string {
  const found = fixture.pasts("release").slice(-3);
  return found.length === 0 ? fixture.idOf("release") : fixture.one(found).id;
}

function publishedRelease(fixture: HistoryFixture): string {
  const found = fixture.pasts("release").filter((past) =>
    fixture.model.newest(past).state?.state === "published"
  );
  return found.length === 0 ? fixture.idOf("release") : fixture.one(found).id;
}

/** What can go out of a few new and changed documents, at once or soon. */
async function publishNewRelease(fixture: HistoryFixture): Promise<Answer> {
  const made = await fixture.ask("POST", "/releases", { name: name(fixture) });
  const path = `/releases/${made.json.id}`;
  const input = { collection: await collection(fixture), status: "published", title: "New" };
  const { json } = await fixture.ask("POST", "/documents", input);
  await fixture.ask("PATCH", `/documents/${json.id}/working-copy`, { title: name(fixture) });
  const some = Array.from({ length: 3 }, () => document(fixture));
  for (const id of [json.id ?? document(fixture), ...some]) {
    await fixture.ask("PUT", `${path}/documents/${id}`, { action: "publish" });
  }
  const { json: check } = await fixture.ask("GET", `${path}/check`);
  for (const { id, errors } of check.documents) {
    if (errors.length > 0) await fixture.ask("DELETE", `${path}/documents/${id}`);
  }
  await fixture.model.follow();
  return fixture.chance(0.5)
    ? await fixture.ask("POST", `${path}/publish`)
    : await fixture.ask("PATCH", path, { publishAt: fixture.now + 1 + fixture.number(5) });
}

function putIntoRelease(fixture: HistoryFixture): Promise<Answer> {
  const path = `/releases/${release(fixture)}/documents/${document(fixture)}`;
  return fixture.ask("PUT", path, { action: fixture.chance(0.8) ? "publish" : "unpublish" });
}

/** All steps; documents change most. */
export const STEPS: readonly (readonly Step[])[] = [
  DOCUMENTS,
  DOCUMENTS,
  LANGUAGE_STEPS,
  RELEASES,
  SCHEMA,
  PEOPLE,
  REST,
  REST,
];

/** What a fresh site begins with. */
export const FIRST_COLLECTION = { slug: "ant", name: "Ants", fields: FIELDS };
