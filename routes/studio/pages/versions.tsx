/**
 * The history of anything: who changed what when, two versions compared, and the way back.
 *
 * @module
 */
import type { Context as HttpContext } from "@hono/hono";
import type { State } from "../../../kv/model/entity.ts";
import { type EntityType, isEntityType } from "../../../kv/model/entity_kinds.ts";
import { READ_PERMISSIONS } from "../../../kv/model/permission.ts";
import { Refusal } from "../../../kv/refusals.ts";
import { getVersion, listVersions, type VersionHead } from "../../../kv/history/versions.ts";
import { refuseUnseenDocument } from "../../admin/document_access.ts";
import type { Deps } from "../../deps.ts";
import { Pagination } from "../components/pagination.tsx";
import { Time } from "../components/time.tsx";
import { FieldDiff } from "../components/field_diff.tsx";
import { type FieldChange, fieldChanges } from "../history/field_changes.ts";
import { ListState } from "../list_state.ts";
import { entityName } from "../entity_names.ts";
import { page } from "../page.tsx";
import type { StudioEnv, Visit } from "../studio_env.ts";
import { Button, ButtonLink } from "../components/button.tsx";
import type { Handlers } from "../screens.ts";

/** Versions of one page of the timeline. */
const PER_PAGE = 30;
/** Entity types that cannot be restored one by one. */
const UNRESTORABLE: ReadonlySet<EntityType> = new Set(["permission"]);

interface History {
  type: EntityType;
  id: string;
  versions: VersionHead[];
  total: number;
  page: number;
  /** Names of those who made the versions, by id. */
  people: ReadonlyMap<string, string>;
}

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
  if (type === "document") await refuseUnseenDocument(deps, c.get("session"), id);
  else if (!c.get("visit").can(READ_PERMISSIONS[type])) throw new Refusal("FORBIDDEN");
  const page = Math.max(1, Math.floor(Number(c.req.query("page") ?? 1)) || 1);
  const range = { skip: (page - 1) * PER_PAGE, limit: PER_PAGE };
  const { versions, total } = await listVersions(content.context, type, id, range);
  const { users } = await people.access.current();
  const names = new Map([...users].map(([id, { displayName }]) => [id, displayName]));
  return { type, id, versions, total, page, people: names };
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
  { content: { context } }: Deps,
  { type, id, versions }: History,
  shown: string | undefined,
  against: "current" | "previous",
  visit: Visit,
): Promise<Compared> {
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
    : versions.find(({ version_number }) => version_number < version.version_number) ??
      await versionBefore(context, type, id, newest.version_number - version.version_number + 1);
  const before = other && other.id !== version.id
    ? (await getVersion(context, other.id)).state
    : against === "current"
    ? version.state
    : null;
  return {
    name: nameOf(type, version.state ?? before),
    version,
    changes: fieldChanges(type, before, version.state, visit),
    isNewest: newest.id === version.id,
    isPublic: type === "document" &&
      (await getVersion(context, newest.id)).state?.status === "published",
    isGone: version.state === null,
  };
}

async function versionBefore(
  context: Deps["content"]["context"],
  type: EntityType,
  id: string,
  skip: number,
): Promise<VersionHead | undefined> {
  return (await listVersions(context, type, id, { skip, limit: 1 })).versions[0];
}

/** What an entity is called. */
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

function Timeline(
  { history, shown, state, visit }: {
    history: History;
    shown: string | undefined;
    state: ListState;
    visit: Visit;
  },
) {
  const { versions, total, page } = history;
  return (
    <section class="card timeline" aria-label="Versions">
      <ol>
        {versions.map((version) => (
          <li>
            <a
              href={state.with({ version: version.id, page: String(page) })}
              aria-current={version.id === shown ? "true" : undefined}
            >
              <span class="spread">
                <strong>{`Version ${version.version_number}`}</strong>
                <span class="muted small">
                  <Time at={version.changed_at} clock={visit} />
                </span>
              </span>
              <span class="small">
                {version.change_summary ?? (version.version_number === 1 ? "Created" : "Changed")}
              </span>
              <span class="muted small">{authorOf(version, history)}</span>
            </a>
          </li>
        ))}
      </ol>
      {total > PER_PAGE && (
        <Pagination
          paging={{ page, perPage: PER_PAGE, total }}
          hrefOf={(number) => state.with({ page: String(number) })}
          what="versions"
        />
      )}
    </section>
  );
}

function authorOf(version: VersionHead, { people }: History): string {
  if (version.changed_by === null) return "Unattended";
  return people.get(version.changed_by) ?? "Somebody who is gone";
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
  if (version === null) return <p class="muted">No version is kept.</p>;
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
          <h2>{`Version ${version.version_number}`}</h2>
          <p class="muted small">
            <Time at={version.changed_at} clock={visit} exact />
            {` · ${authorOf(version, history)}`}
          </p>
        </div>
        <div class="row">
          {choice("previous", "What it changed")}
          {!isNewest && choice("current", "Against now")}
          {mayRestore && (
            <Button
              variant="primary"
              size="small"
              data-action={`POST /api/admin/versions/${version.id}/restore`}
              data-then={`/admin/versions/${history.type}/${history.id}`}
              data-done={`Restored version ${version.version_number} as a new one`}
              data-body={isPublic ? JSON.stringify({ workingCopy: true }) : undefined}
              data-ask={isPublic
                ? `What version ${version.version_number} says becomes the working copy: ` +
                  "nothing public changes until you publish the changes."
                : `Everything goes back to version ${version.version_number}, as a new version. ` +
                  "What is there now stays in the history."}
              data-verb="Restore"
            >
              Restore
            </Button>
          )}
        </div>
      </div>
      {against === "current" && !isNewest && (
        <p class="alert info">Restoring this version would make these changes.</p>
      )}
      {isGone && <p class="alert warn">With this version it was deleted.</p>}
      {changes.length === 0 && !isGone && (
        <p class="muted padded">
          Nothing that is shown differs.
        </p>
      )}
      {changes.map((change) => <FieldDiff {...change} />)}
    </>
  );
}
