/**
 * The form of a token: a matrix of collections and actions, quota, origins, expiry; and the dialog that
 * shows its text once.
 *
 * @module
 */
import { QUOTA_DEFAULT, QUOTA_MAX } from "../../../../kv/limits/people.ts";
import { ACTIONS, MEDIA_ACTIONS } from "../../../../kv/model/entities/scope.ts";
import { textBefore } from "../../../../kv/model/primitives/text_before.ts";
import type { TokenView } from "../../../../kv/people/tokens.ts";
import { ApiForm } from "../../components/forms/api_form.tsx";
import { Checkbox, Choices, Field, named } from "../../components/forms/field.tsx";
import { LanguageChoice } from "../../components/forms/language_choice.tsx";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Table } from "../../components/table.tsx";
import type { Visit } from "../../serving/studio_env.ts";
import { DateInput } from "../../components/forms/date_input.tsx";

const ACTION_LABELS = {
  "read": "Read",
  "write": "Write",
  "read-drafts": "Drafts",
  "read-history": "History",
} as const;
const PRESETS: [label: string, scopes: string[]][] = [
  ["Read published documents", ["*:read"]],
  ["Read drafts as well", ["*:read", "*:read-drafts"]],
  ["Read and write", ["*:read", "*:read-drafts", "*:write"]],
  ["Full access", ["*"]],
];

/** A new token, or one that is changed. */
export function TokenForm({ visit, token }: { visit: Visit; token: TokenView | null }) {
  const scopes = token?.scopes ?? [];
  const isOver = token !== null && token.revokedAt !== null;
  return (
    <>
      <ApiForm
        to={token === null ? "POST /api/admin/tokens" : `PATCH /api/admin/tokens/${token.id}`}
        class="card narrow"
        island="token-form"
        guard
        {...(token !== null && { after: "reload", done: "Saved" })}
      >
        <Field
          label="Name"
          name="name"
          value={token?.name ?? ""}
          help="The program that uses this token, and where."
          required
          autofocus={token === null}
        />
        <ScopeChoice visit={visit} scopes={scopes} />
        <LanguageChoice
          help="The token can write in these languages only. Select none to allow all languages."
          chosen={token?.languages}
          schema={visit.schema}
        />
        <Field
          label="Requests per minute"
          name="quotaPerMinute"
          type="number"
          min={1}
          max={QUOTA_MAX}
          value={token?.quotaPerMinute ?? QUOTA_DEFAULT}
          required
        />
        <Field
          label="Allowed browser origins"
          name="allowedOrigins"
          lines
          value={(token?.allowedOrigins ?? []).join("\n")}
          help="One origin per line, such as https://www.example.org or capacitor://localhost. Not needed for servers."
          multiline
          mono
        />
        <div class="field" data-type="datetime" {...named("expiresAt")}>
          <label for="f-expiresAt">
            Expires <span class="optional">optional</span>
          </label>
          <DateInput
            id="f-expiresAt"
            name="expiresAt"
            data-epoch={token?.expiresAt ?? undefined}
          />
        </div>
        {!isOver && (
          <Button type="submit" variant="primary">
            {token === null ? "Create token" : "Save"}
          </Button>
        )}
      </ApiForm>
      <TokenDialog visit={visit} />
    </>
  );
}

function ScopeChoice({ visit, scopes }: { visit: Visit; scopes: string[] }) {
  return (
    <Choices legend="Permissions" name="scopes">
      <div class="row presets">
        {PRESETS.map(([label, wanted]) => (
          <Button size="small" data-preset={wanted.join(" ")}>
            {label}
          </Button>
        ))}
      </div>
      <Checkbox
        name="scopes"
        value="*"
        label="Full access to every collection"
        checked={scopes.includes("*")}
      />
      <ScopeMatrix visit={visit} scopes={scopes} />
    </Choices>
  );
}

function ScopeMatrix({ visit, scopes }: { visit: Visit; scopes: string[] }) {
  const known = visit.schema.collections.map(({ slug, name }) => [slug, name] as const);
  const slugs = new Set(known.map(([slug]) => slug));
  // Scopes may name deleted collections.
  const others = [...new Set(scopes.map((scope) => textBefore(scope, ":")))]
    .filter((slug) => !["*", "media"].includes(slug) && !slugs.has(slug)).map((slug) =>
      [slug, slug] as const
    );
  const rows = [["*", "All collections"] as const, ...known, ...others];
  const media: readonly string[] = MEDIA_ACTIONS;
  return (
    <Table
      class="matrix"
      label="Token permissions"
      head={
        <>
          <th scope="col">Collection</th>
          {ACTIONS.map((action) => <th scope="col">{ACTION_LABELS[action]}</th>)}
        </>
      }
    >
      {[...rows, ["media", "Media"] as const].map(([slug, name]) => (
        <tr>
          <th scope="row">{name}</th>
          {ACTIONS.map((action) => (
            <td>
              {(slug !== "media" || media.includes(action)) && (
                <input
                  type="checkbox"
                  name="scopes"
                  value={`${slug}:${action}`}
                  checked={scopes.includes(`${slug}:${action}`)}
                  aria-label={`${name}: ${ACTION_LABELS[action]}`}
                />
              )}
            </td>
          ))}
        </tr>
      ))}
    </Table>
  );
}

function TokenDialog({ visit }: { visit: Visit }) {
  const slug = visit.schema.collections.find(({ exposed }) => exposed)?.slug ?? "posts";
  const origin = visit.siteUrl || visit.url.origin;
  return (
    <dialog
      id="minted"
      class="dialog large"
      aria-labelledby="minted-title"
      data-address={`${origin}/api/v1/${slug}`}
    >
      <h2 id="minted-title">Copy your token now: it won't be shown again</h2>
      <p>Only a fingerprint of the token is stored, so it can't be recovered.</p>
      <div class="secret">
        <code id="minted-token"></code>
        <Button variant="primary" data-copy="minted-token" icon="copy">
          Copy
        </Button>
      </div>
      <p class="label">Try it</p>
      <div class="secret">
        <pre id="minted-curl" tabindex={0}></pre>
        <Button data-copy="minted-curl" icon="copy">
          Copy
        </Button>
      </div>
      <div class="dialog-foot">
        <ButtonLink href="/admin/tokens">I have copied it</ButtonLink>
      </div>
    </dialog>
  );
}
