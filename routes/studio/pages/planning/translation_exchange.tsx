/**
 * Texts for translators: the dialogs that export and import them, and the page of such a job with its report.
 *
 * @module
 */
import { TRANSLATION_STATES } from "../../../../kv/index/query/language_query.ts";
import { isFinished, type JobRecord, jobWire } from "../../../../kv/jobs/job.ts";
import { findJob } from "../../../../kv/jobs/jobs.ts";
import { TranslationsImported } from "../../../../kv/jobs/results.ts";
import { visibleJob } from "../../../../kv/jobs/visible_results.ts";
import type { DocumentState } from "../../../../kv/model/entities/document.ts";
import { laidOver } from "../../../../kv/model/entities/working_copy.ts";
import { isUlid } from "../../../../kv/model/values/ulid.ts";
import { Refusal } from "../../../../kv/refusals.ts";
import type { Deps } from "../../../deps/deps.ts";
import { Button } from "../../components/button.tsx";
import { ApiForm } from "../../components/forms/api_form.tsx";
import { Checkbox, Choices, Select } from "../../components/forms/field.tsx";
import { Dialog, DialogFoot } from "../../components/overlays/dialog.tsx";
import { Table } from "../../components/table.tsx";
import type { Handlers } from "../../screens.ts";
import { page } from "../../serving/page.tsx";
import type { Visit } from "../../serving/studio_env.ts";
import { typeName } from "../../wording/job_words.ts";
import { languageLabel } from "../../wording/language_names.ts";
import { TRANSLATION_STATE_LABELS } from "../../wording/translation_states.ts";
import { JobProgress } from "../system/job.tsx";
import { JobOutcome } from "../system/job_outcome.tsx";

/** The address of a job's page. */
const JOB_PAGE = "/admin/translations/{jobId}";

/** `/translations/:id`. */
export function translationExchangeScreens(deps: Deps): Handlers<"translationExchange"> {
  return {
    translationExchange: async (c) => {
      const visit = c.get("visit");
      const found = await findJob(deps.content.context.store, c.req.param("id"));
      if (found?.type !== "TRANSLATION_EXPORT" && found?.type !== "TRANSLATION_IMPORT") {
        throw new Refusal("NOT_FOUND");
      }
      const job = visibleJob(found, c.get("session"));
      const facts = {
        title: typeName(job.type),
        crumbs: [{ label: "Overview", href: "/admin/" }],
      };
      const documents = await refusedDocuments(deps, visit, job);
      return await page(
        c,
        facts,
        <div class="stack" id="exchange" data-island={isFinished(job.state) ? null : "live-part"}>
          <Progress job={job} visit={visit} />
          <Refused job={job} visit={visit} documents={documents} />
        </div>,
      );
    },
  };
}

/** How far the job is, and its result in a sentence. */
function Progress({ job, visit }: { job: JobRecord; visit: Visit }) {
  const { error } = jobWire(job);
  return (
    <section class="card narrow">
      <JobProgress job={job} visit={visit} />
      {error !== null && <pre class="code bad" tabindex={0}>{error}</pre>}
      <JobOutcome job={job} />
    </section>
  );
}

/** What an import did not take; empty for other jobs, and before the end. */
function refusedOf({ type, state, results }: JobRecord): TranslationsImported["left"] {
  const isImport = type === "TRANSLATION_IMPORT" && state === "done";
  return isImport ? TranslationsImported.parse(results.write).left : [];
}

async function refusedDocuments(
  { reader }: Deps,
  { documents }: Visit,
  job: JobRecord,
): Promise<ReadonlyMap<string, DocumentState>> {
  const ids = new Set(refusedOf(job).map(({ id }) => id).filter(isUlid));
  const found = new Map<string, DocumentState>();
  for await (const { state } of reader.each([...ids])) {
    if (documents.on("read", state)) found.set(state.id, state);
  }
  return found;
}

/** The report of an import. */
function Refused(
  { job, visit, documents }: {
    job: JobRecord;
    visit: Visit;
    documents: ReadonlyMap<string, DocumentState>;
  },
) {
  const left = refusedOf(job);
  if (left.length === 0) return null;
  return (
    <section class="card" id="not-imported">
      <h2>Not imported</h2>
      <p class="muted">
        To take texts whose source has changed since the export, import the file again and choose
        so.
      </p>
      <div class="stacked-table">
        <Table
          label="Not imported"
          head={["Document", "Text", "Reason"].map((name) => <th scope="col">{name}</th>)}
        >
          {left.map(({ id, unit, reason }) => {
            const state = documents.get(id);
            return (
              <tr>
                <th scope="row">
                  {state === undefined ? id : (
                    <a href={`/admin/documents/${id}`} dir="auto">
                      {laidOver(state).title || "Untitled"}
                    </a>
                  )}
                </th>
                <td>{unit === undefined ? "All" : unitLabel(unit, state, visit)}</td>
                <td class="wrapped">{reason.charAt(0).toUpperCase() + reason.slice(1)}</td>
              </tr>
            );
          })}
        </Table>
      </div>
    </section>
  );
}

/** The name of the field that a text is in. */
function unitLabel(unit: string, state: DocumentState | undefined, { schema }: Visit): string {
  const [name = ""] = unit.split(".");
  const collection = schema.byId.get(state?.collectionId ?? "");
  const field = collection?.fields.find((one) => one.name === name);
  return field?.label ?? { title: "Title", blocks: "Page blocks" }[name] ?? name;
}

/** The buttons that open the dialogs. */
export function ExchangeButtons() {
  return (
    <div class="row">
      <Button size="small" icon="upload" data-opens="export-translations">
        Export for translators …
      </Button>
      <Button size="small" icon="download" data-opens="import-translations">
        Import translations …
      </Button>
    </div>
  );
}

/** The dialogs that start an export and an import; `collections` are the slugs of those that can be translated. */
export function ExchangeDialogs(
  { visit: { schema }, collections }: { visit: Visit; collections: readonly string[] },
) {
  const codes = schema.languages?.all.map(({ code }) => code) ?? [];
  return (
    <>
      <Dialog id="export-translations" title="Export for translators">
        <ApiForm to="POST /api/admin/translations/export" after={JOB_PAGE}>
          <p class="muted">A zip archive with one XLIFF 2.1 file per document.</p>
          <Select
            label="Translate into"
            name="language"
            value={codes[1] ?? ""}
            choices={codes.map((code) => [code, languageLabel(code, schema)])}
          />
          <Choices legend="Documents whose translation is" name="states">
            {TRANSLATION_STATES.map((state) => (
              <Checkbox
                name="states"
                value={state}
                label={TRANSLATION_STATE_LABELS[state]}
                checked={state !== "complete"}
              />
            ))}
          </Choices>
          <Choices legend="Collections" name="collections">
            {collections.map((slug) => (
              <Checkbox
                name="collections"
                value={slug}
                label={schema.bySlug.get(slug)?.name ?? slug}
                checked
              />
            ))}
          </Choices>
          <DialogFoot>
            <Button data-close>Cancel</Button>
            <Button type="submit" variant="primary">Export</Button>
          </DialogFoot>
        </ApiForm>
      </Dialog>
      <Dialog id="import-translations" title="Import translations">
        <form class="form" data-island="translation-import" data-after={JOB_PAGE}>
          <div class="alert bad" data-failure role="alert" tabindex={-1} hidden></div>
          <div class="field">
            <label for="translations-file">File</label>
            <input id="translations-file" type="file" accept=".zip,.xlf,.xliff" required />
            <p class="help">
              A zip archive, or one XLIFF file. Texts become drafts; nothing is published.
            </p>
          </div>
          <Checkbox
            name="force"
            label="Import texts whose source has changed since the export"
            help="Otherwise they are left out and listed in the report."
          />
          <DialogFoot>
            <Button data-close>Cancel</Button>
            <Button type="submit" variant="primary">Import</Button>
          </DialogFoot>
        </form>
      </Dialog>
    </>
  );
}
