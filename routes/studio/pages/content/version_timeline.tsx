/**
 * The versions of an entity: edit sessions as one item, names, and published versions.
 *
 * @module
 */
import type { EntityType } from "../../../../kv/model/entities/entity_kinds.ts";
import type { EditSession } from "../../../../kv/versioning/edit_sessions.ts";
import type { VersionHead } from "../../../../kv/versioning/versions.ts";
import { Pagination } from "../../components/navigation/pagination.tsx";
import { Time } from "../../components/time.tsx";
import { summaryText } from "../../wording/job_words.ts";
import type { ListState } from "../../list_state.ts";
import type { Visit } from "../../serving/studio_env.ts";

/** Items of one page of the timeline. */
export const PER_PAGE = 30;

/** The history of an entity. */
export interface History {
  type: EntityType;
  id: string;
  versions: EditSession[];
  /** The versions of the sitting that is open, without its newest. */
  inside: VersionHead[];
  total: number;
  page: number;
  /** Names of the authors of the versions, by ID. */
  people: ReadonlyMap<string, string>;
}

/** The list. */
export function Timeline(
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
            <Entry version={version} {...{ history, shown, state, visit }} />
            {version.count > 1 && (
              <SessionVersions version={version} {...{ history, shown, state, visit }} />
            )}
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

interface EntryProps {
  history: History;
  shown: string | undefined;
  state: ListState;
  visit: Visit;
}

/** A version, or a sitting by its newest one. */
function Entry(
  { version, history, shown, state, visit }: EntryProps & { version: VersionHead | EditSession },
) {
  const { version_number: n, change_summary: summary } = version;
  const count = "count" in version ? version.count : 1;
  return (
    <a
      href={state.with({ version: version.id, page: String(history.page) })}
      aria-current={version.id === shown ? "true" : undefined}
    >
      <span class="spread">
        <strong>{version.name ?? `Version ${n}`}</strong>
        <span class="muted small">
          <Time at={version.changed_at} clock={visit} />
        </span>
      </span>
      <span class="small">
        {version.name !== undefined && `Version ${n} · `}
        {summary === null ? (n === 1 ? "Created" : "Edited") : summaryText(summary)}
        {count > 1 && ` · ${count} versions`}
        {version.published && (
          <>
            {" "}
            <span class="badge published">Published</span>
          </>
        )}
      </span>
      <span class="muted small">{authorOf(version, history)}</span>
    </a>
  );
}

/** The versions of an expanded edit session. */
function SessionVersions(
  { version, history, shown, state, visit }: EntryProps & { version: EditSession },
) {
  const n = String(version.version_number);
  const isOpen = state.params.get("open") === n;
  return (
    <>
      <a
        class="button small quiet sitting-toggle"
        href={state.with({ open: isOpen ? null : n, page: String(history.page) })}
        aria-expanded={String(isOpen)}
      >
        {isOpen ? "Collapse" : `Show all ${version.count}`}
      </a>
      {isOpen && (
        <ol class="sitting">
          {history.inside.map((one) => (
            <li>
              <Entry version={one} {...{ history, shown, state, visit }} />
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

/** The author of a version. */
export function authorOf(version: VersionHead, { people }: History): string {
  if (version.changed_by === null) return "Automatic";
  return people.get(version.changed_by) ?? "Deleted user";
}
