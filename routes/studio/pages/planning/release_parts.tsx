/**
 * The documents of a release: the action for each, the reasons that block it, and candidates to add.
 *
 * @module
 */
import { SEARCH_CHARS_MAX } from "../../../../kv/limits/requests.ts";
import type { Status } from "../../../../kv/model/entities/document.ts";
import type { ReleaseAction, ReleaseState } from "../../../../kv/model/entities/release.ts";
import type { Collection, Schema } from "../../../../kv/model/entities/collection.ts";
import type { CheckedDocument, ReleaseError } from "../../../../kv/releases/release_check.ts";
import type { ReleaseDocumentView, ReleaseView } from "../../../../kv/releases/release_view.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { ChoiceList } from "../../components/forms/choice_list.tsx";
import { StatusBadge } from "../../components/status.tsx";
import { Table } from "../../components/table.tsx";
import type { Visit } from "../../serving/studio_env.ts";
import { languageLabel } from "../../wording/language_names.ts";
import type { LanguageRow } from "../content/translations/language_rows.ts";
import { LanguagesDialog, plannedLanguages } from "./release_languages.tsx";

/** A document that can be added. */
export interface Candidate {
  id: string;
  title: string;
  status: Status;
  /** The name of its collection. */
  collection: string;
  /** The name of the open release that it is in; null if it, or a language of it, can still be added. */
  release: string | null;
  /** The languages that can be added; none if its collection has no translations. */
  languages: LanguageRow[];
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
  /** The languages that documents of the release have, by id. */
  languages: ReadonlyMap<string, LanguageRow[]>;
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
                    rows={props.languages.get(document.id) ?? []}
                    errors={errors.get(document.id)}
                    mayChange={mayChange}
                    visit={props.visit}
                  />
                ))}
              </Table>
            </div>
          )}
      </section>
      <LanguageDialogs {...props} />
      {mayChange && <Candidates {...props} />}
    </>
  );
}

/** The actions of a release: labels of the choice, and of completed actions. */
export const ACTIONS: Readonly<Record<ReleaseAction, { label: string; past: string }>> = {
  publish: { label: "Publish", past: "Published" },
  unpublish: { label: "Unpublish", past: "Unpublished" },
};

function ChangesLink({ title, href }: { title: string; href: string }) {
  return (
    <>
      {" "}
      <a class="small" href={href}>
        View changes<span class="sr">{` to ${title}`}</span>
      </a>
    </>
  );
}

/** The title of a document, and the way to what changes. */
function TitleCell(
  { document: { id, collection, action, left }, release, home, named }: {
    document: ReleaseDocumentView;
    release: ReleaseView;
    home: Collection | undefined;
    named: string;
  },
) {
  return (
    <th scope="row">
      {collection === null ? named : <a href={`/admin/documents/${id}`} dir="auto">{named}</a>}
      <span class="muted small">{` ${home?.name ?? "deleted"}`}</span>
      {collection !== null && action === "publish" && left === undefined && (
        <ChangesLink
          title={named}
          href={release.publishedAt !== null
            ? `/admin/releases/${release.id}/documents/${id}`
            : `/admin/documents/${id}/changes`}
        />
      )}
    </th>
  );
}

function DocumentRow(
  { document, release, errors, mayChange, visit, rows }:
    & Pick<DocumentsProps, "release" | "mayChange" | "visit">
    & {
      document: ReleaseDocumentView;
      errors: CheckedDocument["errors"] | undefined;
      rows: LanguageRow[];
    },
) {
  const { id, title, collection, action, left, languages } = document;
  const path = `/api/admin/releases/${release.id}/documents/${id}`;
  const home = collection === null ? undefined : visit.schema.bySlug.get(collection);
  const isPast = release.publishedAt !== null;
  const named = title || "Untitled";
  return (
    <tr>
      <TitleCell document={document} release={release} home={home} named={named} />
      <td>
        {mayChange
          ? (
            <ChoiceList
              aria-label={`Action for ${named}`}
              data-change={`PUT ${path}`}
              data-change-key="action"
              data-change-body={JSON.stringify({ ...languages !== undefined && { languages } })}
              choices={Object.entries(ACTIONS).map(([value, { label }]) => [value, label])}
              value={action}
            />
          )
          : ACTIONS[action][isPast ? "past" : "label"]}
        {(rows.length > 0 || languages !== undefined) && (
          <Languages
            named={named}
            rows={rows}
            document={document}
            schema={visit.schema}
            mayChange={mayChange}
          />
        )}
      </td>
      <td>
        {left !== undefined && <span class="muted">{`Skipped: ${left}`}</span>}
        {isPast && left === undefined && <span class="muted">Done</span>}
        {errors?.length === 0 && <span class="muted">Ready</span>}
        {errors !== undefined && errors.length > 0 && (
          <ul class="small release-reasons">
            {errors.map((error) => <li>{reasonOf(error, home, visit.schema)}</li>)}
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

/** The languages of a document in the release. */
function Languages(
  { named, rows, document, schema, mayChange }: {
    named: string;
    rows: LanguageRow[];
    document: ReleaseDocumentView;
    schema: Schema;
    mayChange: boolean;
  },
) {
  return (
    <div class="row small">
      <span>{plannedLanguages(document, rows, schema)}</span>
      {mayChange && rows.length > 1 && (
        <Button
          size="small"
          variant="quiet"
          aria-label={`Change languages of ${named}`}
          data-opens={`languages-${document.id}`}
        >
          Change …
        </Button>
      )}
    </div>
  );
}

/** The dialogs that change the languages of documents in the release. */
function LanguageDialogs({ release, mayChange, languages, visit }: DocumentsProps) {
  if (!mayChange) return null;
  return (
    <>
      {release.documents.map((document) => {
        const { id, title, action, languages: planned } = document;
        const rows = languages.get(id) ?? [];
        return rows.length > 1 && (
          <LanguagesDialog
            id={`languages-${id}`}
            title={`Languages of ${title || "Untitled"}`}
            path={`/api/admin/releases/${release.id}/documents/${id}`}
            action={action}
            rows={rows}
            chosen={({ language }) =>
              planned === undefined
                ? language === rows[0]?.language
                : planned === "*" || planned.includes(language)}
            schema={visit.schema}
            verb="Save"
            done="Languages saved"
          />
        );
      })}
    </>
  );
}

/** The reason that blocks a document, with the language and the label of its field. */
function reasonOf(error: ReleaseError, home: Collection | undefined, schema: Schema): string {
  const { message } = error;
  const [first = "", ...rest] = error.field.split(".");
  if (rest.length > 0 && schema.languages?.byCode.has(first)) {
    const within = reasonOf({ ...error, field: rest.join(".") }, home, schema);
    return `${languageLabel(first, schema)}: ${within}`;
  }
  const name = first;
  const label = home?.fields.find((one) => one.name === name)?.label ??
    { title: "Title", slug: "URL" }[name] ?? name;
  return message === "Required" ? `${label} is missing` : `${label}: ${message}`;
}

/** Adds a document; one with several languages asks for them first. */
function AddButton(
  { id, named, path, rows, schema }: {
    id: string;
    named: string;
    path: string;
    rows: LanguageRow[];
    schema: Schema;
  },
) {
  const shared = { size: "small", icon: "plus", "aria-label": `Add ${named}` } as const;
  if (rows.length > 1) {
    return (
      <>
        <Button {...shared} data-opens={`add-${id}`}>Add …</Button>
        <LanguagesDialog
          id={`add-${id}`}
          title={`Add ${named}`}
          path={path}
          action="publish"
          rows={rows}
          chosen={({ status }) => status !== "published"}
          schema={schema}
          verb="Add"
          done="Added to the release"
        />
      </>
    );
  }
  const body = { action: "publish", ...rows[0] && { languages: [rows[0].language] } };
  return (
    <Button
      {...shared}
      data-action={`PUT ${path}`}
      data-body={JSON.stringify(body)}
      data-then="reload"
      data-done="Added to the release"
    >
      Add
    </Button>
  );
}

function Candidates({ release, candidates, words, visit }: DocumentsProps) {
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
            {candidates.map(({ id, title, status, collection, release: taken, languages }) => (
              <li>
                <a href={`/admin/documents/${id}`} dir="auto">{title || "Untitled"}</a>
                <span class="muted small">{collection}</span>
                <div class="row">
                  <StatusBadge status={status} />
                  {taken === null
                    ? (
                      <AddButton
                        id={id}
                        named={title || "Untitled"}
                        path={`/api/admin/releases/${release.id}/documents/${id}`}
                        rows={languages}
                        schema={visit.schema}
                      />
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
