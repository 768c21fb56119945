/**
 * Back-ups: made every night and on request, downloaded, and brought back after a look inside.
 *
 * @module
 */
import { type ExportRecord, listExports } from "../../../../kv/backup/exports.ts";
import type { Deps } from "../../../process/deps.ts";
import { ApiForm } from "../../components/forms/api_form.tsx";
import { Checkbox } from "../../components/forms/field.tsx";
import { Icon } from "../../components/icon.tsx";
import { Time } from "../../components/time.tsx";
import { page } from "../../serving/page.tsx";
import type { Visit } from "../../serving/studio_env.ts";
import { sizeText } from "../../components/size.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { EmptyState } from "../../components/empty_state.tsx";
import { MissingMedia } from "../../components/forms/missing_media.tsx";
import { Table } from "../../components/table.tsx";
import type { Handlers } from "../../screens.ts";

const REASONS = { daily: "Every night", manual: "By hand", import: "Before an import" } as const;

/** `/back-ups`. */
export function backUpScreens({ content: { context } }: Deps): Handlers<"backUps"> {
  return {
    backUps: async (c) => {
      const visit = c.get("visit");
      const exports = await listExports(context);
      const facts = {
        title: "Back-ups",
        intro:
          "Everything with its whole history in one file. One is made every night at 03:00 UTC.",
        actions: (
          <Button variant="primary" data-opens="export" icon="archive">
            Make one now
          </Button>
        ),
      };
      return await page(
        c,
        facts,
        <div class="stack">
          {exports.length === 0
            ? (
              <EmptyState icon="back_up" title="No back-up yet">
                <p>Make the first one now, or wait for the night. Download one now and then.</p>
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
          <th scope="col">Made</th>
          <th scope="col">Why</th>
          <th scope="col">Holds</th>
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
    <Dialog id="export" title="Make a back-up">
      <ApiForm to="POST /api/admin/exports" after="/admin/jobs/{jobId}">
        <Checkbox
          name="media"
          label="With the images themselves"
          help="Otherwise only the list of them: such a back-up cannot bring images back."
          checked
        />
        <Checkbox
          name="redacted"
          label="Redacted"
          help="Without password hashes, secrets and mail addresses: to show it to somebody. It cannot be imported."
        />
        <div class="dialog-foot">
          <Button data-close>Cancel</Button>
          <Button type="submit" variant="primary">Make it</Button>
        </div>
      </ApiForm>
    </Dialog>
  );
}

function ImportCard({ title }: { title: string }) {
  return (
    <section class="card" data-island="import" data-title={title}>
      <h2>Bring a back-up back</h2>
      <p class="muted">
        It takes the place of everything that is here, history included. A back-up of the present
        state is made first, so that the import can be undone.
      </p>
      <div class="row">
        <label class="button">
          <Icon name="upload" /> Look into a file
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
        <Button type="submit" variant="danger primary" disabled>Import</Button>
      </form>
    </section>
  );
}
