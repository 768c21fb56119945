/**
 * API tokens: what each may read and write, for whom, until when.
 *
 * @module
 */
import { getToken, listTokens, type TokenView } from "../../../../kv/people/tokens.ts";
import { USE_HOURS_KEPT, useOfToken } from "../../../../kv/people/token_use.ts";
import type { Deps } from "../../../deps/deps.ts";
import { Time } from "../../components/time.tsx";
import { page } from "../../serving/page.tsx";
import type { Visit } from "../../serving/studio_env.ts";
import { TokenForm } from "./token_form.tsx";
import { TokenUseChart } from "./token_use_chart.tsx";
import { Button, ButtonLink } from "../../components/button.tsx";
import { EmptyState } from "../../components/empty_state.tsx";
import { Table } from "../../components/table.tsx";
import type { Handlers } from "../../screens.ts";

/** `/tokens…`. */
export function tokenScreens(
  { content: { context } }: Deps,
): Handlers<"tokens" | "newToken" | "token"> {
  const crumbs = [{ label: "API tokens", href: "/admin/tokens" }];
  return {
    tokens: async (c) => {
      const visit = c.get("visit");
      const tokens = await listTokens(context);
      const facts = {
        title: "API tokens",
        intro: "Keys for programs that read and write through /api/v1.",
        wide: true,
        actions: <NewToken />,
      };
      return await page(c, facts, <TokenTable tokens={tokens} visit={visit} />);
    },
    newToken: (c) => {
      const visit = c.get("visit");
      return page(c, { title: "New token", crumbs }, <TokenForm visit={visit} token={null} />);
    },
    token: async (c) => {
      const visit = c.get("visit");
      const token = await getToken(context, c.req.param("id"));
      const hours = await useOfToken(context, token.id, visit.now, USE_HOURS_KEPT);
      const state = stateOf(token, visit.now);
      const actions = state === null ? <TokenActions token={token} /> : undefined;
      return await page(
        c,
        { title: token.name, crumbs, ...(actions && { actions }) },
        <>
          {state !== null && <p class="alert warn">{`This token is ${state.toLowerCase()}.`}</p>}
          <TokenForm visit={visit} token={token} />
          <TokenUseChart hours={hours} visit={visit} />
        </>,
      );
    },
  };
}

function NewToken() {
  return (
    <ButtonLink variant="primary" href="/admin/tokens/new" icon="plus">
      New token
    </ButtonLink>
  );
}

function TokenActions({ token }: { token: TokenView }) {
  return (
    <>
      <Button
        data-action={`POST /api/admin/tokens/${token.id}/rotate`}
        data-body={JSON.stringify({ overlapSeconds: 86_400 })}
        data-ask="This creates a new token. The old one keeps working for a day."
        data-rotates
        icon="retry"
      >
        Rotate
      </Button>
      <Button
        variant="danger"
        data-action={`DELETE /api/admin/tokens/${token.id}`}
        data-then="/admin/tokens"
        data-done="Token revoked"
        data-ask="Programs that use this token lose access immediately and permanently."
      >
        Revoke
      </Button>
    </>
  );
}

function TokenTable({ tokens, visit }: { tokens: TokenView[]; visit: Visit }) {
  if (tokens.length === 0) {
    return (
      <EmptyState icon="key" title="No tokens yet">
        <p>
          A token lets your website, app or script read published content. Give each program its own
          token with only the permissions it needs, so that you can revoke one without affecting the
          others.
        </p>
        <NewToken />
      </EmptyState>
    );
  }
  return (
    <Table
      head={
        <>
          <th scope="col">Name</th>
          <th scope="col">Permissions</th>
          <th scope="col">Per minute</th>
          <th scope="col">Last used</th>
          <th scope="col">Expires</th>
          <th scope="col">State</th>
        </>
      }
    >
      {tokens.map((token) => {
        const state = stateOf(token, visit.now);
        return (
          <tr>
            <th scope="row">
              <a href={`/admin/tokens/${token.id}`}>{token.name}</a>
              <div>
                <code class="muted small">{`svc_pk_${token.id.slice(0, 10)}…`}</code>
              </div>
            </th>
            <td>{scopeText(token.scopes)}</td>
            <td class="number">{token.quotaPerMinute.toLocaleString("en")}</td>
            <td>
              {token.lastUsedAt === null ? "Never" : <Time at={token.lastUsedAt} clock={visit} />}
            </td>
            <td>
              {token.expiresAt === null ? "Never" : <Time at={token.expiresAt} clock={visit} />}
            </td>
            <td>
              <span class={state === null ? "badge good" : "badge bad"}>
                {state ?? "Active"}
              </span>
            </td>
          </tr>
        );
      })}
    </Table>
  );
}

function stateOf(token: TokenView, now: number): string | null {
  if (token.revokedAt !== null) return "Revoked";
  return token.expiresAt !== null && token.expiresAt <= now ? "Expired" : null;
}

function scopeText(scopes: string[]): string {
  if (scopes.includes("*")) return "Full access";
  const shown = scopes.slice(0, 3).join(", ");
  return scopes.length > 3 ? `${shown} and ${scopes.length - 3} more` : shown;
}
