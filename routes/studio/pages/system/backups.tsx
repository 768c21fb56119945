/**
 * Back-ups: made every night and on request, downloaded, and brought back after a look inside.
 *
 * @module
 */
import { type ExportRecord, listExports } from "../../../../kv/backup/exports.ts";
import type { Deps } from "../../../deps/deps.ts";
import { ApiForm } from "../../components/forms/api_form.tsx";
import { Checkbox } from "../../components/forms/field.tsx";
import { Icon } from "../../components/icon.tsx";
import { Time } from "../../components/time.tsx";
import { page } from "../../serving/page.tsx";
import type { Visit } from "../../serving/studio_env.ts";
import { sizeText } from "../../components/size.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Dialog } from "../../components/overlays/dialog.tsx";
import { EmptyState } from "../../components/empty_state.tsx";
import { MissingMedia } from "../../components/forms/missing_media.tsx";
import { Table } from "../../components/table.tsx";
import type { Handlers } from "../../screens.ts";

const REASONS = { daily: "Nightly", manual: "Manual", import: "Before a restore" } as const;

/** `/back-ups`. */
export function backUpScreens({ content: { context } }: Deps): Handlers<"backUps"> {
  return {
    backUps: async (c) => {
      const visit = c.get("visit");
      const exports = await listExports(context);
      const facts = {
        title: "Backups",
        intro:
          "Your whole site and its history in one file. A backup is created every night at 03:00 UTC.",
        actions: (
          <Button variant="primary" data-opens="export" icon="archive">
            Create backup …
          </Button>
        ),
      };
      return await page(
        c,
        facts,
        <div class="stack">
          {exports.length === 0
            ? (
              <EmptyState icon="back_up" title="No backups yet">
                <p>Create the first one now, or wait for tonight. Download a copy regularly.</p>
              </EmptyState>
            )
            : <ExportTable exports={exports} visit={visit} />}
          <MissingMedia />
          <ImportCard title={visit.siteTitle} />
          <ExportDialog />
        </div>,
      );
    },
  };
}

function ExportTable({ exports, visit }: { exports: ExportRecord[]; visit: Visit }) {
  return (
    <Table
      head={
        <>
          <th scope="col">Created</th>
          <th scope="col">Reason</th>
          <th scope="col">Contents</th>
          <th scope="col">Size</th>
          <th scope="col">
            <span class="sr">Download</span>
          </th>
        </>
      }
    >
      {exports.map((one) => (
        <tr>
          <th scope="row">
            <Time at={one.createdAt} clock={visit} exact />
          </th>
          <td>{REASONS[one.reason]}</td>
          <td>
            {`${one.rows.toLocaleString("en")} rows`}
            {one.media && ", images"}
            {one.redacted && <span class="badge warn">Redacted</span>}
          </td>
          <td class="number">{sizeText(one.bytes)}</td>
          <td>
            <ButtonLink
              size="small"
              href={`/api/admin/exports/${one.id}`}
              download
              icon="download"
            >
              Download
            </ButtonLink>
          </td>
        </tr>
      ))}
    </Table>
  );
}

function ExportDialog() {
  return (
    <Dialog id="export" title="Create a backup">
      <ApiForm to="POST /api/admin/exports" after="/admin/jobs/{jobId}">
        <Checkbox
          name="media"
          label="Include files"
          help="If off, the backup contains only the list of files and can't restore them."
          checked
        />
        <Checkbox
          name="redacted"
          label="Redacted"
          help="Leaves out password hashes, secrets and email addresses, so that you can share it. It can't be restored."
        />
        <div class="dialog-foot">
          <Button data-close>Cancel</Button>
          <Button type="submit" variant="primary">Create backup</Button>
        </div>
      </ApiForm>
    </Dialog>
  );
}

function ImportCard({ title }: { title: string }) {
  return (
    <section class="card" data-island="import" data-title={title}>
      <h2>Restore a backup</h2>
      <p class="muted">
        This replaces everything on this site, including the history. A backup of the current state
        is created first, so you can undo it.
      </p>
      <div class="row">
        <label class="button">
          <Icon name="upload" /> Choose file
          <input class="sr" type="file" accept=".gz,application/gzip" />
        </label>
        <span class="muted small" data-import-message role="status"></span>
      </div>
      <div data-import-result></div>
      <form class="form" data-import-confirm hidden>
        <div class="field">
          <label for="import-typed">{`Type “${title}” to replace everything`}</label>
          <input id="import-typed" type="text" autocomplete="off" />
        </div>
        <Button type="submit" variant="danger primary" disabled>Restore</Button>
      </form>
    </section>
  );
}
