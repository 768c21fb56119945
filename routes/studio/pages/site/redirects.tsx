/**
 * Redirects: the rules, a test of any address, and how often each redirect was followed.
 *
 * @module
 */
import type { RedirectView } from "../../../../jobs/publishing/redirects.ts";
import { URL_CHARS_MAX } from "../../../../kv/limits/content.ts";
import type { RedirectRule } from "../../../../kv/model/entities/redirect.ts";
import { matchOf } from "../../../admin/system/redirects.ts";
import type { Deps } from "../../../deps/deps.ts";
import { parsePaging } from "../../../query/paging.ts";
import { Button } from "../../components/button.tsx";
import { ApiForm } from "../../components/forms/api_form.tsx";
import { Pagination } from "../../components/navigation/pagination.tsx";
import { Table } from "../../components/table.tsx";
import { Row } from "../../controls/nested_control.tsx";
import { TextOption } from "../../definitions/option_controls.tsx";
import { RowsField } from "../../definitions/rows_field.tsx";
import type { Handlers } from "../../screens.ts";
import { page } from "../../serving/page.tsx";

const STATUSES = [
  [301, "301 Moved"],
  [302, "302 Temporary"],
  [410, "410 Gone"],
] as const;

/** `/redirects`. */
export function redirectScreens({ redirects, settings }: Deps): Handlers<"redirects"> {
  return {
    redirects: async (c) => {
      const visit = c.get("visit");
      const { searchParams } = visit.url;
      const address = searchParams.get("path")?.trim().slice(0, URL_CHARS_MAX) ?? "";
      searchParams.delete("path");
      const paging = parsePaging(searchParams);
      const start = (paging.page - 1) * paging.perPage;
      const [rules, { data, total }, match] = await Promise.all([
        settings.get<RedirectRule[] | null>("site.redirects"),
        redirects.list(start, start + paging.perPage),
        address.startsWith("/") ? matchOf(redirects, address) : null,
      ]);
      return await page(
        c,
        {
          title: "Redirects",
          intro:
            "Send visitors of old URLs to the right page. Pages of the site always take precedence.",
        },
        <div class="stack settings">
          <Test address={address} match={match} />
          <Rules rules={rules ?? []} readOnly={!visit.can("settings.write")} />
          {total > 0 && (
            <section class="card whole">
              <h2>All redirects</h2>
              <Hits redirects={data} />
              <Pagination
                paging={{ ...paging, total }}
                hrefOf={(number) => `?page=${number}`}
                what="redirects"
              />
            </section>
          )}
        </div>,
      );
    },
  };
}

/** Tests an address, as a link that can be shared. */
function Test({ address, match }: { address: string; match: RedirectView | null }) {
  return (
    <section class="card">
      <h2>Test an address</h2>
      <p class="muted">Shows which redirect applies if the site has no page there.</p>
      <form method="get" class="form" role="search">
        <div class="field">
          <label for="redirect-path">Path</label>
          <div class="row with-button">
            <input
              id="redirect-path"
              type="text"
              name="path"
              class="mono"
              value={address}
              placeholder="/2019/05/hello"
              autocomplete="off"
            />
            <Button type="submit">Test</Button>
          </div>
        </div>
        {address !== "" && (
          <p class={match === null ? "alert warn" : "alert good"} role="status">
            {resultText(address, match)}
          </p>
        )}
      </form>
    </section>
  );
}

function resultText(address: string, match: RedirectView | null): string {
  if (!address.startsWith("/")) return "A path begins with a slash, such as /2019/05/hello.";
  if (match === null) return `No redirect applies to ${address}.`;
  const { from, to, status } = match;
  return to === null ? `${status}: ${from} is gone.` : `${status}: leads to ${to} by ${from}.`;
}

function Rules({ rules, readOnly }: { rules: readonly RedirectRule[]; readOnly: boolean }) {
  return (
    <section class="card">
      <h2>Rules</h2>
      <p class="muted">
        {"The first rule that matches applies. Placeholders: {year}, {month}, {day}, {id}, {slug}, {rest}."}
      </p>
      <ApiForm to="PATCH /api/admin/settings" after="reload" done="Saved" island="rows" guard>
        <RowsField name="site.redirects" label="Rules" add="Add rule" readOnly={readOnly}>
          {rules.map((rule, index) => (
            <RuleRow
              rule={rule}
              id={`r-${index}`}
              readOnly={readOnly}
            />
          ))}
          <RuleRow rule={{ from: "", status: 301 }} id="r-new" readOnly={readOnly} />
        </RowsField>
        {!readOnly && <Button type="submit" variant="primary">Save rules</Button>}
      </ApiForm>
    </section>
  );
}

function RuleRow({ rule, id, readOnly }: { rule: RedirectRule; id: string; readOnly: boolean }) {
  return (
    <Row title="Rule" readOnly={readOnly} isLine>
      <div class="rule-field">
        <TextOption
          name="from"
          label="From"
          value={rule.from}
          id={`${id}-from`}
          placeholder="/{year}/{month}/{slug}"
          mono
        />
        <TextOption
          name="to"
          label="To"
          value={rule.to ?? ""}
          id={`${id}-to`}
          placeholder="/posts/{slug}"
          mono
        />
        <div class="control" data-name="status" data-type="number">
          <label for={`${id}-status`}>Status</label>
          <select id={`${id}-status`}>
            {STATUSES.map(([status, label]) => (
              <option value={status} selected={status === rule.status}>{label}</option>
            ))}
          </select>
        </div>
      </div>
    </Row>
  );
}

function Hits({ redirects }: { redirects: RedirectView[] }) {
  return (
    <Table
      label="All redirects"
      head={["From", "To", "Status", "Kind", "Followed"].map((name) => <th scope="col">{name}</th>)}
    >
      {redirects.map(({ from, to, status, kind, transfer, hits }) => (
        <tr>
          <th scope="row">
            <code>{from}</code>
          </th>
          <td>{to === null ? "–" : <code>{to}</code>}</td>
          <td>{status}</td>
          <td>
            {kind === "rule"
              ? "Rule"
              : transfer === undefined
              ? "Former address"
              : <a href={`/admin/transfers/${transfer}`}>Transfer</a>}
          </td>
          <td class="number">{hits.toLocaleString("en")}</td>
        </tr>
      ))}
    </Table>
  );
}
