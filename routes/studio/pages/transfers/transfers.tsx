/**
 * Transfers: content from other systems, and exports for them.
 *
 * @module
 */
import { listTransfers, type TransferRecord } from "../../../../kv/transfers/transfers.ts";
import { settledTransfer } from "../../../admin/transfers/transfers.ts";
import type { Deps } from "../../../deps/deps.ts";
import { Button } from "../../components/button.tsx";
import { EmptyState } from "../../components/empty_state.tsx";
import { ApiForm } from "../../components/forms/api_form.tsx";
import { Checkbox, Choices, Select } from "../../components/forms/field.tsx";
import { Dialog, DialogFoot } from "../../components/overlays/dialog.tsx";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import type { Handlers } from "../../screens.ts";
import { page } from "../../serving/page.tsx";
import type { Visit } from "../../serving/studio_env.ts";
import { counted } from "../../wording/words.ts";
import { transferScreen } from "./transfer.tsx";
import { SourceForm } from "./source_form.tsx";
import { KIND_NAMES, TransferBadge } from "./transfer_parts.tsx";

/** The systems that exports are for. */
const EXPORT_KINDS = [
  ["json", "This CMS (JSON)"],
  ["markdown", "Markdown with front matter"],
  ["wxr", "WordPress (WXR)"],
  ["sanity", "Sanity (NDJSON)"],
] as const;

/** `/transfers` and `/transfers/:id`. */
export function transferScreens(deps: Deps): Handlers<"transfers" | "transfer"> {
  const { context } = deps.content;
  return {
    transfers: async (c) => {
      const visit = c.get("visit");
      const records = await listTransfers(context);
      const transfers = await Promise.all(records.map((one) => settledTransfer(context, one)));
      const facts = {
        title: "Transfers",
        intro:
          "Import content from another system. Try it without writing anything, and undo it if needed.",
        actions: (
          <>
            <Button data-opens="transfer-export" icon="upload">Export …</Button>
            <Button variant="primary" data-opens="new-transfer" icon="download">
              New transfer
            </Button>
          </>
        ),
      };
      return await page(
        c,
        facts,
        <>
          {transfers.length === 0
            ? <NoTransfers />
            : <TransferTable transfers={transfers} visit={visit} />}
          <Dialog id="new-transfer" title="New transfer">
            <SourceForm to="/api/admin/transfers" isNew />
          </Dialog>
          <ExportDialog visit={visit} />
        </>,
      );
    },
    transfer: transferScreen(deps),
  };
}

function NoTransfers() {
  return (
    <EmptyState icon="download" title="Import your site">
      <p>
        Upload an export of WordPress, Ghost, Contentful, Sanity, Strapi, Directus or Payload, a
        folder of Markdown, or CSV. You can check the result before anything is written.
      </p>
      <Button variant="primary" data-opens="new-transfer" icon="download">New transfer</Button>
    </EmptyState>
  );
}

function TransferTable({ transfers, visit }: { transfers: TransferRecord[]; visit: Visit }) {
  return (
    <Table
      label="Transfers"
      head={["Name", "Source", "State", "Rows", "Started"].map((name) => <th scope="col">{name}
      </th>)}
    >
      {transfers.map(({ id, name, kind, state, counts, createdAt }) => (
        <tr>
          <th scope="row">
            <a href={`/admin/transfers/${id}`} dir="auto">{name}</a>
          </th>
          <td>{kind === null ? "–" : KIND_NAMES[kind]}</td>
          <td>
            <TransferBadge state={state} />
          </td>
          <td>{Object.values(counts).reduce((sum, rows) => sum + rows, 0).toLocaleString("en")}</td>
          <td>
            <Time at={createdAt} clock={visit} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function ExportDialog({ visit: { schema } }: { visit: Visit }) {
  return (
    <Dialog id="transfer-export" title="Export content">
      <ApiForm to="POST /api/admin/transfers/export" after="/admin/jobs/{jobId}">
        <p class="muted">
          {`All documents of the chosen collections, of ${
            counted(schema.collections.length, "collection")
          }. A single list can be downloaded as CSV or NDJSON from its own page.`}
        </p>
        <Select label="For" name="kind" value="json" choices={EXPORT_KINDS} />
        <Choices legend="Collections" name="collections">
          {schema.collections.map(({ slug, name }) => (
            <Checkbox name="collections" value={slug} label={name} checked />
          ))}
        </Choices>
        <DialogFoot>
          <Button data-close>Cancel</Button>
          <Button type="submit" variant="primary">Export</Button>
        </DialogFoot>
      </ApiForm>
    </Dialog>
  );
}
