/**
 * `/api/admin/versions`: the history of every versioned entity.
 *
 * @module
 */
import { type Context as HttpContext, Hono } from "@hono/hono";
import { zip } from "../../../kv/model/primitives/zip.ts";
import type { CurrentRow } from "../../../kv/versioning/entities.ts";
import { decodeState } from "../../../kv/versioning/state_codec.ts";
import type { Schema } from "../../../kv/model/entities/collection.ts";
import { allSettledOrThrow } from "../../../kv/store/concurrency.ts";
import { currentKey } from "../../../kv/keys.ts";
import { type EntityType, isEntityType } from "../../../kv/model/entities/entity_kinds.ts";
import { VERSIONS_LISTED_MAX } from "../../../kv/limits/requests.ts";
import type { SiteLanguages } from "../../../kv/model/languages/language.ts";
import type { State } from "../../../kv/model/entities/entity.ts";
import { shownState } from "../../../kv/model/entities/working_copy.ts";
import { READ_PERMISSIONS } from "../../../kv/model/entities/permission.ts";
import { Refusal } from "../../../kv/refusals.ts";
import { RestoreBody } from "../../../kv/history/restore/content_restore.ts";
import { nameText } from "../../../kv/model/values/text_check.ts";
import { parseBody } from "../../../kv/model/input/zod_details.ts";
import { z } from "zod";
import { entityIdOf } from "../../../kv/history/entity_names.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import { readJsonObject, readOptionalObject } from "../../input/body.ts";
import { restoreFoundVersion } from "../../../kv/history/restore/restore_version.ts";
import { diffVersions, PREVIOUS } from "../../../kv/history/version_diff.ts";
import {
  getVersion,
  getVersionRow,
  listVersions,
  nameVersion,
  type Version,
  type VersionPage,
} from "../../../kv/versioning/versions.ts";
import { requireProof, SENSITIVE_TYPES } from "../people/sensitive_acts.ts";
import type { Deps } from "../../deps/deps.ts";
import { VERSION_NAME_CHARS_MAX } from "../../input/limits.ts";
import { closeMethods } from "../../middleware/methods.ts";
import { oneParameter, parameterInvalid, Parameters } from "../../query/parameters.ts";
import { languagesOfVersion, parseVersionLanguage } from "../../query/version_languages.ts";
import { parsePaging } from "../../query/paging.ts";
import { actorOf, administratorOnly, may } from "../admin_env.ts";
import { maySomewhere, refuseOnDocument, requireReadableDocument } from "./document_access.ts";

/** A name of a version; null removes it. */
export const NameBody = z.strictObject({
  name: nameText(VERSION_NAME_CHARS_MAX).nullable(),
});

/** Versions: of one entity, newest first; one with its state, compared with another, restored. */
export function versionRoutes(deps: Deps): Hono<AdminEnv> {
  const { context } = deps.content;
  const ofOne = new Hono<AdminEnv>()
    .get("/:versionId/diff", may("versions.read"), async (c) => {
      const versionId = c.req.param("versionId");
      await requireReadable(deps, c, await getVersionRow(context, versionId));
      return c.json(
        await diffVersions(context, versionId, oneParameter(c.req.query(), "against") ?? PREVIOUS),
      );
    })
    .post("/:versionId/restore", administratorOnly, async (c) => {
      const restoring = { content: deps.content, access: deps.people.access };
      const versionId = c.req.param("versionId") as string;
      const body = parseBody(RestoreBody, await readOptionalObject(c.req.raw));
      const found = await getVersionRow(context, versionId);
      if (SENSITIVE_TYPES.has(found.type)) requireProof(c, "accessRestore");
      const actor = actorOf(c);
      const [{ byId }, [editor], version] = await allSettledOrThrow([
        deps.content.schema.current(),
        displayNames(deps, [actor.userId]),
        restoreFoundVersion(restoring, actor, found, body),
      ]);
      return c.json(versionAnswer(version, byId, editor ?? null));
    });
  return new Hono<AdminEnv>()
    // Closed here, so that their other methods are not taken for an entity of the type of an id.
    .route("/", closeMethods(ofOne))
    .get("/:entityType/:entityId", may("versions.read"), (c) => listOfEntity(deps, c))
    .get("/:versionId", may("versions.read"), async (c) => {
      const version = await getVersion(context, c.req.param("versionId"));
      await requireReadable(deps, c, { type: version.entity_type, id: version.entity_id });
      return c.json(await withEditor(deps, version));
    })
    .patch("/:versionId", maySomewhere("editOwn"), async (c) => {
      const { name } = parseBody(NameBody, await readJsonObject(c.req.raw));
      const versionId = c.req.param("versionId");
      const named = await getVersionRow(context, versionId);
      await requireReadable(deps, c, named);
      if (named.type === "document") {
        await refuseOnDocument(deps, c.get("session"), "edit", named.id);
      } else if (!c.get("session").documents.everywhere("edit")) throw new Refusal("FORBIDDEN");
      const [byId, [editor], version] = await allSettledOrThrow([
        deps.content.schema.current().then(({ byId }) => byId),
        displayNames(deps, [named.row.by]),
        nameVersion(context, named, name),
      ]);
      return c.json({ ...versionAnswer(version, byId, editor ?? null), name });
    });
}

/** The versions of one entity, newest first. */
async function listOfEntity(deps: Deps, c: HttpContext<AdminEnv>): Promise<Response> {
  const { context } = deps.content;
  const entityType = c.req.param("entityType") ?? "";
  const given = c.req.param("entityId") ?? "";
  if (!isEntityType(entityType)) throw new Refusal("NOT_FOUND");
  const entityId = await entityIdOf(context, entityType, given);
  await requireReadable(deps, c, { type: entityType, id: entityId });
  const { search, searchParams } = new URL(c.req.url);
  const paging = parsePaging(searchParams);
  const { page, perPage } = paging;
  const range = { skip: (page - 1) * perPage, limit: perPage };
  const parameters = new Parameters(search);
  const grouped = isGrouped(parameters);
  const of = await languagesOf(deps, entityType, entityId);
  const language = of && parseVersionLanguage(parameters, of.site);
  const { total, versions } = language
    ? await listInLanguage(deps, { entityId, language, original: of.original }, range)
    : grouped
    ? await deps.editSessions.read(entityType, entityId, range)
    : await listVersions(context, entityType, entityId, range);
  const editors = await displayNames(deps, versions.map((version) => version.changed_by));
  const listed = versions.map((version, position) => {
    const { id, version_number, changed_by, published, languages: changed, ...rest } = version;
    const languages = of && {
      languages: languagesOfVersion({ ...changed && { languages: changed } }, of.original),
    };
    const mark = grouped && published ? { published } : {};
    return {
      id,
      version_number,
      changed_by,
      editor: editors[position],
      ...rest,
      ...mark,
      ...languages,
    };
  });
  return c.json({ data: listed, meta: { ...paging, total } });
}

/** The languages of a document's versions; null for other entities, and where the site has one language. */
async function languagesOf(
  { content, reader }: Deps,
  type: EntityType,
  id: string,
): Promise<{ site: SiteLanguages; original: string } | null> {
  const { languages: site } = await content.schema.current();
  if (site === undefined || type !== "document") return null;
  const stored = await reader.find(id);
  return { site, original: stored?.state.originalLanguage ?? site.original };
}

/** A page of the versions of a document that changed a language. */
async function listInLanguage(
  { content: { context } }: Deps,
  { entityId, language, original }: { entityId: string; language: string; original: string },
  { skip, limit }: { skip: number; limit: number },
): Promise<VersionPage> {
  const all = { skip: 0, limit: VERSIONS_LISTED_MAX };
  const { versions } = await listVersions(context, "document", entityId, all);
  const changed = versions.filter((version) =>
    languagesOfVersion(version, original).includes(language)
  );
  return { total: changed.length, versions: changed.slice(skip, skip + limit) };
}

/** Whether versions of one sitting are one item. */
function isGrouped(parameters: Parameters): boolean {
  parameters.refuseMisspelled(["group"]);
  const group = parameters.single("group");
  if (group === undefined || group === "sitting") return group !== undefined;
  throw parameterInvalid("group must be sitting or omitted");
}

/** The history of something shows no more than its user may see of it now. */
async function requireReadable(
  deps: Deps,
  c: HttpContext<AdminEnv>,
  { type, id }: { type: EntityType; id: string },
): Promise<void> {
  const { permissions } = c.get("session");
  if (permissions.has(READ_PERMISSIONS[type])) return;
  if (type !== "document") throw new Refusal("FORBIDDEN");
  await requireReadableDocument(deps, c.get("session"), id);
}

async function withEditor(
  deps: Deps,
  version: Version,
): Promise<Omit<Version, "published"> & { editor: string | null }> {
  const [{ byId }, [editor]] = await allSettledOrThrow([
    deps.content.schema.current(),
    displayNames(deps, [version.changed_by]),
  ]);
  return versionAnswer(version, byId, editor ?? null);
}

function versionAnswer(
  { published: _published, ...version }: Version,
  byId: Schema["byId"],
  editor: string | null,
): Omit<Version, "published"> & { editor: string | null } {
  return { ...version, state: shown(version, byId), editor };
}

/** The state of a version, with the working copy of a document in wire names. */
function shown({ entity_type, state }: Version, byId: Schema["byId"]): State | null {
  if (entity_type !== "document" || state === null) return state;
  return shownState(state, byId.get(state.collectionId as string));
}

/** The current names of users; null for changes without a user. */
async function displayNames(
  { content: { context } }: Deps,
  userIds: (string | null)[],
): Promise<(string | null)[]> {
  const known = [...new Set(userIds.filter((id) => id !== null))];
  const entries = await context.store.getMany(known.map((id) => currentKey("user", id)));
  const names = new Map(
    zip(known, entries).map(([id, { value }]) => {
      const row = value as CurrentRow | null;
      const state = row?.body === undefined ? null : decodeState<"user">(row.body);
      return [id, state?.displayName ?? null];
    }),
  );
  return userIds.map((id) => id === null ? null : names.get(id) ?? null);
}
