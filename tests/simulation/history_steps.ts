/**
 * What people do to a site over HTTP, by chance: every kind of change of every kind of entity.
 *
 * @module
 */
import type { Json } from "../../kv/model/entity.ts";
import type { Answer } from "../support/app.ts";
import { pictureForm } from "../support/backups.ts";
import { IMAGES } from "../support/images.ts";
import { packageOf, themeParts } from "../support/packages.ts";
import type { HistoryScene } from "./history_scene.ts";

/** One change; answers what the site said. */
export type Step = (scene: HistoryScene) => Promise<Answer>;

const NAMES = ["ant", "bee", "cat", "dog"];
/** Large enough to be spilled. */
const LARGE = "long ".repeat(50_000);
const TEXT = { name: "ant", label: "Text", type: "text" };

const FIELDS: Json[] = [
  { ...TEXT, unique: true },
  { name: "bee", label: "Number", type: "number", indexed: true, sortable: true },
  { name: "cat", label: "Anything", type: "json" },
];

const name = (scene: HistoryScene) => scene.one(NAMES);
const document = (scene: HistoryScene) => scene.idOf("document");
const collection = (scene: HistoryScene) => scene.slug();

const DOCUMENTS: Step[] = [
  async (scene) =>
    scene.ask("POST", "/documents", {
      collection: await collection(scene),
      title: name(scene),
      ...(scene.chance(0.5) && { ant: name(scene) }),
      ...(scene.chance(0.3) && { status: "published" }),
    }),
  async (scene) =>
    scene.v1("POST", `/${await collection(scene)}`, {
      title: `${name(scene)} ${scene.number(9)}`,
      status: scene.one(["draft", "published", "scheduled"]),
    }),
  (scene) => scene.ask("PATCH", `/documents/${document(scene)}`, { slug: name(scene) }),
  (scene) => scene.ask("PATCH", `/documents/${document(scene)}`, { ant: name(scene) }),
  (scene) =>
    scene.ask("PATCH", `/documents/${document(scene)}`, {
      title: name(scene),
      cat: scene.chance(0.3) ? LARGE + scene.number(9) : scene.number(9),
    }),
  async (scene) =>
    scene.v1("PATCH", `/${await collection(scene)}/${document(scene)}`, { bee: scene.number(9) }),
  async (scene) => scene.v1("DELETE", `/${await collection(scene)}/${document(scene)}`),
  (scene) => scene.ask("DELETE", `/documents/${document(scene)}`),
  (scene) => scene.ask("POST", `/documents/${document(scene)}/untrash`),
  (scene) => scene.ask("POST", `/documents/${document(scene)}/publish`),
  (scene) => scene.ask("POST", `/documents/${document(scene)}/unpublish`),
  (scene) => scene.ask("POST", `/documents/${document(scene)}/archive`),
  (scene) =>
    scene.ask("POST", `/documents/${document(scene)}/schedule`, {
      publishAt: scene.chance(0.3) ? null : scene.now + 400_000_000,
    }),
];

const SCHEMA: Step[] = [
  (scene) =>
    scene.ask("POST", "/collections", { slug: name(scene), name: name(scene), fields: FIELDS }),
  async (scene) =>
    scene.ask("PATCH", `/collections/${await collection(scene)}`, { slug: name(scene) }),
  async (scene) =>
    scene.ask("PATCH", `/collections/${await collection(scene)}`, { name: name(scene) }),
  async (scene) => scene.ask("DELETE", `/collections/${await collection(scene)}`),
  async (scene) =>
    scene.ask("POST", `/collections/${await collection(scene)}/fields`, {
      ...TEXT,
      name: name(scene),
    }),
  async (scene) =>
    scene.ask("PATCH", `/collections/${await collection(scene)}/fields/${name(scene)}`, {
      label: name(scene),
    }),
  async (scene) =>
    scene.ask("PATCH", `/collections/${await collection(scene)}/fields/ant`, {
      unique: scene.chance(0.5),
    }),
  async (scene) =>
    scene.ask("DELETE", `/collections/${await collection(scene)}/fields/${name(scene)}`),
  (scene) => scene.ask("POST", "/blocks", { name: name(scene), label: "Block", fields: [] }),
  (scene) => scene.ask("PATCH", `/blocks/${name(scene)}`, { label: name(scene) }),
  (scene) => scene.ask("DELETE", `/blocks/${name(scene)}`),
];

const PEOPLE: Step[] = [
  (scene) => scene.ask("POST", "/roles", { name: name(scene), permissions: ["documents.read"] }),
  (scene) => scene.ask("PATCH", `/roles/${scene.idOf("role")}`, { name: name(scene) }),
  (scene) => scene.ask("DELETE", `/roles/${scene.idOf("role")}`),
  (scene) =>
    scene.ask("POST", "/users", {
      email: `${name(scene)}@example.org`,
      displayName: name(scene),
      password: "a long enough one",
      roles: [scene.one(["editor", "viewer", "administrator"])],
    }),
  (scene) => scene.ask("PATCH", `/users/${scene.otherUser()}`, { displayName: name(scene) }),
  (scene) =>
    scene.ask("PATCH", `/users/${scene.otherUser()}`, {
      roles: scene.chance(0.3) ? [] : [scene.one(["editor", "viewer", "author"])],
    }),
  (scene) => scene.ask("DELETE", `/users/${scene.otherUser()}`),
  (scene) => scene.ask("POST", "/tokens", { name: name(scene), scopes: ["*:read"] }),
  (scene) => scene.ask("PATCH", `/tokens/${scene.otherToken()}`, { name: name(scene) }),
  (scene) => scene.ask("DELETE", `/tokens/${scene.otherToken()}`),
];

const REST: Step[] = [
  (scene) => scene.ask("PATCH", "/settings", { "site.title": name(scene) }),
  (scene) =>
    scene.ask("PATCH", "/settings", {
      [`secret.${name(scene)}`]: name(scene),
      "site.description": name(scene),
    }),
  (scene) => scene.form("POST", "/media", pictureForm()),
  (scene) => {
    const form = new FormData();
    form.set("file", new Blob([scene.one(Object.values(IMAGES))]), "other.png");
    return scene.form("PUT", `/media/${scene.idOf("media_metadata")}/file`, form);
  },
  (scene) =>
    scene.ask("PATCH", `/media/${scene.idOf("media_metadata")}`, { alt: `${scene.number(9)}` }),
  (scene) => scene.ask("DELETE", `/media/${scene.idOf("media_metadata")}`),
  (scene) => scene.ask("POST", `/media/${scene.idOf("media_metadata")}/undelete`),
  async (scene) => {
    const version = `1.${scene.number(3)}.0`;
    const settings = { word: { type: "text" } };
    const facts = { version, ...(scene.chance(0.5) && { settings }) };
    return await scene.install("plugins", await packageOf({ facts }));
  },
  async (scene) => {
    const version = `1.${scene.number(3)}.0`;
    return await scene.install("themes", await packageOf(themeParts(version, { version })));
  },
  (scene) => scene.ask("POST", `/plugins/${scene.idOf("plugin")}/enable`),
  (scene) => scene.ask("POST", `/plugins/${scene.idOf("plugin")}/disable`),
  (scene) => scene.ask("PUT", `/plugins/${scene.idOf("plugin")}/config`, { word: name(scene) }),
  (scene) => scene.ask("DELETE", `/plugins/${scene.idOf("plugin")}`),
  (scene) => scene.ask("POST", `/themes/${scene.idOf("theme")}/activate`),
  (scene) => scene.ask("DELETE", `/themes/${scene.idOf("theme")}`),
];

/** All steps; documents change most. */
export const STEPS: readonly (readonly Step[])[] = [
  DOCUMENTS,
  DOCUMENTS,
  SCHEMA,
  PEOPLE,
  REST,
  REST,
];

/** What a fresh site begins with. */
export const FIRST_COLLECTION = { slug: "ant", name: "Ants", fields: FIELDS };
