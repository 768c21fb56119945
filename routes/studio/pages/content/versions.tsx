/**
 * The history of anything: who changed what when, two versions compared, and the way back.
 *
 * @module
 */
import type { Context as HttpContext } from "@hono/hono";
import type { State } from "../../../../kv/model/entities/entity.ts";
import { type EntityType, isEntityType } from "../../../../kv/model/entities/entity_kinds.ts";
import { laidOverState } from "../../../../kv/model/entities/working_copy.ts";
import { READ_PERMISSIONS } from "../../../../kv/model/entities/permission.ts";
import { Refusal } from "../../../../kv/refusals.ts";
import type { EditSession } from "../../../../kv/versioning/edit_sessions.ts";
import { getVersion, listVersions, type VersionHead } from "../../../../kv/versioning/versions.ts";
import { requireReadableDocument } from "../../../admin/content/document_access.ts";
import type { Deps } from "../../../deps/deps.ts";
import { Time } from "../../components/time.tsx";
import { ChangeList } from "../../components/comparison/change_list.tsx";
import { compareFields, type FieldChange } from "../../history/field_changes.ts";
import { ListState } from "../../list_state.ts";
import { entityName } from "../../wording/entity_names.ts";
import { SITTING_VERSIONS_MAX } from "../../../input/limits.ts";
import { page } from "../../serving/page.tsx";
import type { StudioEnv, Visit } from "../../serving/studio_env.ts";
import { ButtonLink } from "../../components/button.tsx";
import type { Handlers } from "../../screens.ts";
import { NameDialog, PutBackButton, RestoreButton, VersionMenu } from "./version_actions.tsx";
import { authorOf, type History, PER_PAGE, Timeline } from "./version_timeline.tsx";

/** Entity types that cannot be restored one by one. */
const UNRESTORABLE: ReadonlySet<EntityType> = new Set(["permission"]);

/** `/versions/:entityType/:entityId`. */
export function versionScreens(deps: Deps): Handlers<"versions"> {
  return {
    versions: async (c) => {
      const visit = c.get("visit");
      const history = await findHistory(deps, c);
      const state = new ListState(visit.url);
      const shown = c.req.query("version") ?? history.versions[0]?.id;
      const against = c.req.query("against") === "current" ? "current" : "previous";
      const comparison = await compare(deps, history, shown, against, visit);
      return await page(
        c,
        {
          title: `History of ${comparison.name}`,
          crumbs: crumbsOf(history, comparison.name),
          wide: true,
        },
        <div class="history" data-chosen={c.req.query("version") === undefined ? undefined : ""}>
          <Timeline history={history} shown={shown} state={state} visit={visit} />
          <section class="card">
            <Comparison
              history={history}
              comparison={comparison}
              against={against}
              state={state}
              visit={visit}
            />
          </section>
        </div>,
      );
    },
  };
}

async function findHistory(deps: Deps, c: HttpContext<StudioEnv>): Promise<History> {
  const { content, people } = deps;
  const { type, id } = c.req.param() as { type: string; id: string };
  if (!isEntityType(type)) throw new Refusal("NOT_FOUND");
  if (type === "document") await requireReadableDocument(deps, c.get("session"), id);
  else if (!c.get("visit").can(READ_PERMISSIONS[type])) throw new Refusal("FORBIDDEN");
  const page = Math.max(1, Math.floor(Number(c.req.query("page") ?? 1)) || 1);
  const range = { skip: (page - 1) * PER_PAGE, limit: PER_PAGE };
  const { context } = content;
  const { versions, total } = await deps.editSessions.read(type, id, range);
  const open = versions.find(({ version_number: n }) => String(n) === c.req.query("open"));
  const inside = open === undefined ? [] : await versionsOf(context, type, id, open);
  const { users } = await people.access.current();
  const names = new Map([...users].map(([id, { displayName }]) => [id, displayName]));
  return { type, id, versions, inside, total, page, people: names };
}

/** The versions of a sitting before its newest, newest first. */
async function versionsOf(
  context: Deps["content"]["context"],
  type: EntityType,
  id: string,
  { version_number: below, count }: EditSession,
): Promise<VersionHead[]> {
  const limit = Math.min(count - 1, SITTING_VERSIONS_MAX);
  if (limit === 0) return [];
  return (await listVersions(context, type, id, { skip: 0, limit, below })).versions;
}

interface Compared {
  name: string;
  version: VersionHead | null;
  changes: FieldChange[];
  isNewest: boolean;
  /** Whether it is of a document that is published now. */
  isPublic: boolean;
  /** Whether the shown version says that the entity was deleted. */
  isGone: boolean;
}

async function compare(
  deps: Deps,
  { type, id }: History,
  shown: string | undefined,
  against: "current" | "previous",
  visit: Visit,
): Promise<Compared> {
  const { context } = deps.content;
  const [newest] = (await listVersions(context, type, id, { skip: 0, limit: 1 })).versions;
  if (shown === undefined || newest === undefined) {
    return {
      name: type,
      version: null,
      changes: [],
      isNewest: true,
      isPublic: false,
      isGone: false,
    };
  }
  const version = await getVersion(context, shown);
  if (version.entity_type !== type || version.entity_id !== id) throw new Refusal("NOT_FOUND");
  const other = against === "current"
    ? newest
    : await versionBefore(context, type, id, newest.version_number - version.version_number + 1);
  const before = other && other.id !== version.id
    ? (await getVersion(context, other.id)).state
    : against === "current"
    ? version.state
    : null;
  return {
    name: nameOf(type, version.state ?? before),
    version,
    changes: await compareFields(
      deps,
      type,
      seen(type, before),
      seen(type, version.state),
      visit,
    ),
    isNewest: newest.id === version.id,
    isPublic: type === "document" &&
      (await getVersion(context, newest.id)).state?.status === "published",
    isGone: version.state === null,
  };
}

/** A state as editors saw it: with the working copy applied. */
function seen(type: EntityType, state: State | null): State | null {
  return type === "document" && state !== null ? laidOverState(state) : state;
}

async function versionBefore(
  context: Deps["content"]["context"],
  type: EntityType,
  id: string,
  skip: number,
): Promise<VersionHead | undefined> {
  return (await listVersions(context, type, id, { skip, limit: 1 })).versions[0];
}

/** The name of an entity. */
export function nameOf(type: EntityType, state: State | null): string {
  const { title, displayName, name, filename, key } = state ?? {};
  const found = title ?? displayName ?? name ?? filename ?? key;
  return typeof found === "string" && found !== "" ? found : entityName(type, true);
}

function crumbsOf({ type, id }: History, name: string) {
  if (type === "document") return [{ label: name, href: `/admin/documents/${id}` }];
  if (type === "user") return [{ label: name, href: `/admin/users/${id}` }];
  return [{ label: "Activity", href: "/admin/activity" }];
}

function Comparison(
  { history, comparison, against, state, visit }: {
    history: History;
    comparison: Compared;
    against: "current" | "previous";
    state: ListState;
    visit: Visit;
  },
) {
  const { version, changes, isNewest, isPublic, isGone } = comparison;
  if (version === null) return <p class="muted">No versions are stored.</p>;
  const choice = (name: "previous" | "current", label: string) => (
    <ButtonLink
      size="small"
      href={state.with({ version: version.id, against: name, page: String(history.page) })}
      aria-current={name === against ? "true" : undefined}
    >
      {label}
    </ButtonLink>
  );
  const mayRestore = visit.administrator && !isNewest && !isGone && !UNRESTORABLE.has(history.type);
  return (
    <>
      <div class="spread">
        <div>
          <h2>
            {version.name === undefined
              ? `Version ${version.version_number}`
              : `${version.name} · version ${version.version_number}`}
          </h2>
          <p class="muted small">
            <Time at={version.changed_at} clock={visit} exact />
            {` · ${authorOf(version, history)}`}
          </p>
        </div>
        <div class="row">
          {choice("previous", "Changes in this version")}
          {!isNewest && choice("current", "Compared with now")}
          {mayRestore && <RestoreButton {...{ history, version, isPublic }} />}
          <VersionMenu {...{ history, version, visit, mayRestore }} />
        </div>
      </div>
      {against === "current" && !isNewest && (
        <p class="alert info">Restoring this version would make these changes.</p>
      )}
      {isGone && <p class="alert warn">This version deleted it.</p>}
      {changes.length === 0 && !isGone && (
        <p class="muted padded">
          No visible changes.
        </p>
      )}
      <ChangeList
        changes={changes}
        actionsOf={(change) =>
          mayRestore && history.type === "document" && change.name !== null && (
            <PutBackButton {...{ history, version, isPublic, change }} />
          )}
      />
      <NameDialog version={version} />
    </>
  );
}
