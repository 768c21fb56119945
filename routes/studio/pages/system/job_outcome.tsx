/**
 * The results of backups, imports and installations as sentences; the results of their steps are ids and counts
 * for programs.
 *
 * @module
 */
import type { Child } from "@hono/hono/jsx";
import { JOBS, type JobType } from "../../../../kv/jobs/job_contracts.ts";
import type { JobRecord } from "../../../../kv/jobs/job.ts";
import type { ExportRequest, InstallRequest } from "../../../../kv/jobs/payloads.ts";
import { TransferExported, TranslationsImported } from "../../../../kv/jobs/results.ts";
import { ButtonLink } from "../../components/button.tsx";
import { sizeText } from "../../components/size.ts";
import { counted } from "../../wording/words.ts";

const OUTCOMES: Partial<Record<JobType, (job: JobRecord) => Child>> = {
  EXPORT: exportOutcome,
  IMPORT: importOutcome,
  INSTALL: installOutcome,
  TRANSFER_EXPORT: fileOutcome,
  TRANSLATION_EXPORT: fileOutcome,
  TRANSLATION_IMPORT: translationsOutcome,
};

/** Whether a job's page shows its result as sentences. */
export function hasOutcome(type: JobType): boolean {
  return type in OUTCOMES;
}

/** The sentences of a job that is done; nothing before. */
export function JobOutcome({ job }: { job: JobRecord }) {
  const outcome = job.state === "done" ? OUTCOMES[job.type] : undefined;
  return outcome === undefined ? null : <div data-outcome>{outcome(job)}</div>;
}

/** Whether the imported backup lists files that it does not contain. */
export function missesMedia({ type, state, results }: JobRecord): boolean {
  if (type !== "IMPORT" || state !== "done") return false;
  return JOBS.IMPORT.steps.bytes.parse(results.bytes).missing > 0;
}

function exportOutcome({ payload, results }: JobRecord): Child {
  const { exportId, bytes, rows } = JOBS.EXPORT.steps.write.parse(results.write);
  const { removed } = JOBS.EXPORT.steps.retention.parse(results.retention);
  const { media, redacted } = payload as ExportRequest;
  const images = media ? "with files" : "with the list of files only";
  return (
    <>
      <p>
        {`The backup is ready: ${counted(rows, "row")}, ${images}, ${sizeText(bytes)}.`}
        {redacted && " It is redacted, so it can't be restored."}
        {removed > 0 && ` ${counted(removed, "older backup")} removed.`}
      </p>
      <p class="row">
        <ButtonLink href={`/api/admin/exports/${exportId}`} download icon="download">
          Download
        </ButtonLink>
        <a href="/admin/back-ups">All backups</a>
      </p>
    </>
  );
}

/** The file of an export for other systems or for translators. */
function fileOutcome({ results }: JobRecord): Child {
  const { documents, bytes, url } = TransferExported.parse(results.write);
  return (
    <>
      <p>{`The export is ready: ${counted(documents, "document")}, ${sizeText(bytes)}.`}</p>
      <p class="row">
        <ButtonLink href={url} download icon="download">Download</ButtonLink>
      </p>
    </>
  );
}

/** How many texts came back from translators; the report itself has its own page. */
function translationsOutcome({ id, results }: JobRecord): Child {
  const { documents, units, refused } = TranslationsImported.parse(results.write);
  return (
    <>
      <p>
        {`${counted(units, "text")} of ${counted(documents, "document")} imported. `}
        Translations that are published have these texts as unpublished changes.
      </p>
      {refused > 0 && (
        <p class="alert warn">
          {`${counted(refused, "text")} not imported. `}
          <a href={`/admin/translations/${id}#not-imported`}>Report</a>
        </p>
      )}
    </>
  );
}

function importOutcome({ results }: JobRecord): Child {
  const { rows } = JOBS.IMPORT.steps.validate.parse(results.validate);
  const { restored, missing, named } = JOBS.IMPORT.steps.bytes.parse(results.bytes);
  const { rendered } = JOBS.IMPORT.steps.pages.parse(results.pages);
  const rest = missing - named.length;
  return (
    <>
      <p>
        {`The backup is restored: ${counted(rows, "row")}. The previous state is in `}
        <a href="/admin/back-ups">a separate backup</a>
        {"."}
        {restored > 0 && ` ${counted(restored, "file")} restored.`}
        {!rendered && " Its pages are still being rendered."}
      </p>
      {missing > 0 && (
        <p class="alert warn">
          {`The backup did not contain ${counted(missing, "file")}: `}
          {named.join(", ")}
          {rest > 0 && ` and ${rest.toLocaleString("en")} more`}
          {"."}
        </p>
      )}
    </>
  );
}

function installOutcome({ payload, results }: JobRecord): Child {
  const { packageId, version, previous } = JOBS.INSTALL.steps.install.parse(results.install);
  const { kind } = payload as InstallRequest;
  const before = previous === null
    ? ""
    : previous === version
    ? ", the version that was already installed"
    : `, replacing ${previous}`;
  return (
    <p>
      {`The ${kind} ${packageId} ${version} is installed${before}. `}
      {kind === "theme"
        ? <a href="/admin/themes">All themes</a>
        : <a href={`/admin/plugins/${packageId}`}>Open the plugin</a>}
    </p>
  );
}
