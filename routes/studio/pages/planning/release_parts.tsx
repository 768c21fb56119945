/**
 * The documents of a release: the action for each, the reasons that block it, and candidates to add.
 *
 * @module
 */
import { SEARCH_CHARS_MAX } from "../../../../kv/limits/requests.ts";
import type { Status } from "../../../../kv/model/entities/document.ts";
import type { ReleaseAction, ReleaseState } from "../../../../kv/model/entities/release.ts";
import type { Collection } from "../../../../kv/model/entities/collection.ts";
import type { CheckedDocument, ReleaseError } from "../../../../kv/releases/release_check.ts";
import type { ReleaseDocumentView, ReleaseView } from "../../../../kv/releases/release_view.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { ChoiceList } from "../../components/forms/choice_list.tsx";
import { StatusBadge } from "../../components/status.tsx";
import { Table } from "../../components/table.tsx";
import type { Visit } from "../../serving/studio_env.ts";

/** A document that can be added. */
export interface Candidate {
  id: string;
  title: string;
  status: Status;
  /** The name of its collection. */
  collection: string;
  /** The name of the open release that it is in. */
  release: string | null;
}

/** The label of each release state, and the badge style it shares with document statuses. */
const STATES: Readonly<Record<ReleaseState["state"], [label: string, look: string]>> = {
  open: ["Open", "draft"],
  scheduled: ["Scheduled", "scheduled"],
  publishing: ["Publishing", "scheduled"],
  published: ["Published", "published"],
  reverted: ["Reverted", "archived"],
};

/** The state of a release as a colored word. */
export function ReleaseBadge({ state }: Pick<ReleaseState, "state">) {
  const [label, look] = STATES[state];
  return <span class={`badge ${look}`}>{label}</span>;
}

interface DocumentsProps {
  release: ReleaseView;
  checked: CheckedDocument[];
  visit: Visit;
  mayChange: boolean;
  candidates: Candidate[];
  words: string;
}

/** The documents, and those that can be added. */
export function ReleaseDocuments(props: DocumentsProps) {
  const { release, checked, mayChange } = props;
  const errors = new Map(checked.map((one) => [one.id, one.errors]));
  return (
    <>
      <section class="card">
        <h2>{`Documents (${release.documents.length})`}</h2>
        {release.documents.length === 0
          ? <p class="muted">No documents yet. Add the documents to publish together.</p>
          : (
            <div class="stacked-table">
              <Table
                label="Documents of the release"
                head={
                  <>
                    <th scope="col">Title</th>
                    <th scope="col">Action</th>
                    <th scope="col">Result</th>
                    {mayChange && (
                      <th scope="col">
                        <span class="sr">Change</span>
                      </th>
                    )}
                  </>
                }
              >
                {release.documents.map((document) => (
                  <DocumentRow
                    document={document}
                    release={release}
                    errors={errors.get(document.id)}
                    mayChange={mayChange}
                    visit={props.visit}
                  />
                ))}
              </Table>
            </div>
          )}
      </section>
      {mayChange && <Candidates {...props} />}
    </>
  );
}

/** The actions of a release: labels of the choice, and of completed actions. */
const ACTIONS: Readonly<Record<ReleaseAction, { label: string; past: string }>> = {
  publish: { label: "Publish", past: "Published" },
  unpublish: { label: "Unpublish", past: "Unpublished" },
};

function DocumentRow(
  { document: { id, title, collection, action, left }, release, errors, mayChange, visit }:
    & Pick<DocumentsProps, "release" | "mayChange" | "visit">
    & { document: ReleaseDocumentView; errors: CheckedDocument["errors"] | undefined },
) {
  const path = `/api/admin/releases/${release.id}/documents/${id}`;
  const home = collection === null ? undefined : visit.schema.bySlug.get(collection);
  const isPast = release.publishedAt !== null;
  const named = title || "Untitled";
  return (
    <tr>
      <th scope="row">
        {collection === null ? named : <a href={`/admin/documents/${id}`} dir="auto">{named}</a>}
        <span class="muted small">{` ${home?.name ?? "deleted"}`}</span>
      </th>
      <td>
        {mayChange
          ? (
            <ChoiceList
              aria-label={`Action for ${named}`}
              data-change={`PUT ${path}`}
              data-change-key="action"
              choices={Object.entries(ACTIONS).map(([value, { label }]) => [value, label])}
              value={action}
            />
          )
          : ACTIONS[action][isPast ? "past" : "label"]}
      </td>
      <td>
        {left !== undefined && <span class="muted">{`Skipped: ${left}`}</span>}
        {isPast && left === undefined && <span class="muted">Done</span>}
        {errors?.length === 0 && <span class="muted">Ready</span>}
        {errors !== undefined && errors.length > 0 && (
          <ul class="small release-reasons">
            {errors.map((error) => <li>{reasonOf(error, home)}</li>)}
          </ul>
        )}
      </td>
      {mayChange && (
        <td>
          <IconButton
            icon="close"
            label={`Remove ${named} from the release`}
            data-action={`DELETE ${path}`}
            data-then="reload"
            data-done="Removed from the release"
          />
        </td>
      )}
    </tr>
  );
}

/** The reason that blocks a document, with the label of its field. */
function reasonOf({ field, message }: ReleaseError, home: Collection | undefined): string {
  const [name = ""] = field.split(".");
  const label = home?.fields.find((one) => one.name === name)?.label ??
    { title: "Title", slug: "URL" }[name] ?? name;
  return message === "Required" ? `${label} is missing` : `${label}: ${message}`;
}

function Candidates({ release, candidates, words }: DocumentsProps) {
  return (
    <section class="card">
      <h2>Add documents</h2>
      <form method="get" class="row release-search" role="search">
        <input
          type="search"
          name="q"
          value={words}
          aria-label="Document title"
          placeholder="Search by title"
          maxlength={SEARCH_CHARS_MAX}
        />
        <Button type="submit" icon="search">Find</Button>
      </form>
      {candidates.length === 0
        ? <p class="muted">{words === "" ? "No drafts." : "No document with that title."}</p>
        : (
          <ul class="lines release-candidates">
            {candidates.map(({ id, title, status, collection, release: taken }) => (
              <li>
                <a href={`/admin/documents/${id}`} dir="auto">{title || "Untitled"}</a>
                <span class="muted small">{collection}</span>
                <div class="row">
                  <StatusBadge status={status} />
                  {taken === null
                    ? (
                      <Button
                        size="small"
                        icon="plus"
                        aria-label={`Add ${title || "Untitled"}`}
                        data-action={`PUT /api/admin/releases/${release.id}/documents/${id}`}
                        data-body='{"action":"publish"}'
                        data-then="reload"
                        data-done="Added to the release"
                      >
                        Add
                      </Button>
                    )
                    : <span class="muted small">{`In “${taken}”`}</span>}
                </div>
              </li>
            ))}
          </ul>
        )}
    </section>
  );
}
