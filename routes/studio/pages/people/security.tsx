/**
 * What a user signs in with, on their account page: passkeys, an authenticator app, recovery codes, linked providers,
 * and the programs that act for them.
 *
 * @module
 */
import { providersOf } from "../../../../jobs/oidc/providers.ts";
import { NAME_CHARS_MAX } from "../../../../kv/limits/content.ts";
import { listGrants } from "../../../../kv/people/oauth/grants.ts";
import { currentScopes } from "../../../../kv/people/oauth/oauth_scopes.ts";
import { accountView } from "../../../admin/account/account.ts";
import { partyOf } from "../../../admin/people/relying_party.ts";
import type { Deps } from "../../../deps/deps.ts";
import { ApiForm } from "../../components/forms/api_form.tsx";
import { Button } from "../../components/button.tsx";
import { Field } from "../../components/forms/field.tsx";
import { Time } from "../../components/time.tsx";
import type { Visit } from "../../serving/studio_env.ts";

type Account = Awaited<ReturnType<typeof accountView>>;

const ACCOUNT = "/api/admin/account";

/** The sections about security. */
export async function securitySections(deps: Deps, visit: Visit) {
  const userId = visit.user.id;
  const [account, grants, values, party, schema] = await Promise.all([
    accountView(deps, userId),
    listGrants(deps.people, userId),
    deps.settings.values(),
    partyOf(deps),
    deps.content.schema.current(),
  ]);
  const providers = providersOf(values, deps.oidcEnv).map(({ provider }) => provider);
  return (
    <div class="stack" data-island="security" id="security">
      <Requirement account={account} visit={visit} />
      <NewCodes />
      {(party !== null || account.passkeys.length > 0) && (
        <Passkeys account={account} visit={visit} isOffered={party !== null} />
      )}
      {values.get("auth.secondFactor") !== "off" && (
        <AuthenticatorApp account={account} visit={visit} />
      )}
      {(providers.length > 0 || account.identities.length > 0) && (
        <Identities account={account} visit={visit} providers={providers} />
      )}
      {grants.length > 0 && (
        <section class="card">
          <h2>Connected programs</h2>
          <p class="muted">Programs that can act on your behalf.</p>
          <ul class="rows">
            {grants.map(({ id, client, scopes, usedAt }) => (
              <li class="session">
                <span>
                  {client.name}
                  <span class="muted small">
                    {client.url !== null && `${client.url} · `}
                    {scopes.includes("*")
                      ? "full access to everything you can do"
                      : currentScopes(scopes, schema).join(", ")} · used{" "}
                    <Time at={usedAt} clock={visit} />
                  </span>
                </span>
                <Button
                  size="small"
                  data-action={`DELETE ${ACCOUNT}/grants/${id}`}
                  data-ask={`Disconnect ${client.name}? It loses access at once.`}
                  data-then="reload"
                  data-done="Disconnected"
                >
                  Disconnect
                </Button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function Requirement({ account, visit }: { account: Account; visit: Visit }) {
  const { required: { until }, passkeys, totp } = account;
  if (until === null || passkeys.length > 0 || totp.enabled) return null;
  return (
    <p class="alert warn" role="alert">
      {until > visit.now
        ? (
          <>
            This site requires a second factor. Set up a passkey or an authenticator app by{" "}
            <Time at={until} clock={visit} exact />.
          </>
        )
        : "This site requires a second factor. Set up a passkey or an authenticator app to continue."}
    </p>
  );
}

/** Filled by the browser's code: codes are shown once. */
function NewCodes() {
  return (
    <section class="card" data-codes hidden>
      <h2>Your recovery codes</h2>
      <p>
        Each code signs you in once if you lose your passkey or phone. Save them now: they won't be
        shown again.
      </p>
      <ul></ul>
      <Button variant="primary" data-action="GET /api/admin/session" data-then="reload">
        I saved them
      </Button>
    </section>
  );
}

function Passkeys(
  { account, visit, isOffered }: { account: Account; visit: Visit; isOffered: boolean },
) {
  return (
    <section class="card">
      <h2>Passkeys</h2>
      <p class="muted">
        Sign in with your fingerprint, face or device PIN. Passkeys can't be phished.
      </p>
      <ul class="rows">
        {account.passkeys.map(({ id, name, createdAt, lastUsedAt, synced }) => (
          <li class="session">
            <span>
              {name}
              <span class="muted small">
                {synced ? "synced · " : ""}added <Time at={createdAt} clock={visit} />
                {lastUsedAt !== null && (
                  <>
                    , used <Time at={lastUsedAt} clock={visit} />
                  </>
                )}
              </span>
            </span>
            <Button
              size="small"
              data-action={`DELETE ${ACCOUNT}/passkeys/${id}`}
              data-ask={`Remove the passkey ${name}? You can't sign in with it afterwards.`}
              data-then="reload"
              data-done="Passkey removed"
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      {isOffered && (
        <form class="form" data-add-passkey hidden novalidate>
          <Field
            label="Name of the new passkey"
            name="passkeyName"
            maxlength={NAME_CHARS_MAX}
            placeholder="Work laptop"
            required
          />
          <Button type="submit">Add passkey</Button>
        </form>
      )}
    </section>
  );
}

function AuthenticatorApp({ account, visit }: { account: Account; visit: Visit }) {
  const { totp, recoveryCodesLeft, passkeys } = account;
  const hasFactor = totp.enabled || passkeys.length > 0;
  return (
    <section class="card">
      <h2>Authenticator app</h2>
      {totp.enabled
        ? (
          <>
            <p>
              Set up{" "}
              <Time at={totp.since ?? 0} clock={visit} />. You need a code after your password.
            </p>
            <ApiForm to={`DELETE ${ACCOUNT}/totp`} after="reload" done="Authenticator app removed">
              <Field label="Code" name="code" autocomplete="one-time-code" required />
              <Button type="submit">Remove authenticator app</Button>
            </ApiForm>
          </>
        )
        : (
          <>
            <p class="muted">Enter a code from an app on your phone after your password.</p>
            <Button data-set-up-totp>Set up authenticator app</Button>
            <div data-totp-panel hidden>
              <p>Scan this image with the app, or enter the key by hand.</p>
              <img alt="QR code of the key below" width="180" height="180" />
              <p>
                <code></code>
              </p>
              <form class="form" data-confirm-totp novalidate>
                <Field
                  label="Code from the app"
                  name="code"
                  autocomplete="one-time-code"
                  required
                />
                <Button type="submit" variant="primary">Confirm</Button>
              </form>
            </div>
          </>
        )}
      {hasFactor && (
        <p>
          {recoveryCodesLeft} recovery codes left.{" "}
          <Button size="small" data-replace-codes>Create new recovery codes</Button>
        </p>
      )}
    </section>
  );
}

function Identities(
  { account, visit, providers }: {
    account: Account;
    visit: Visit;
    providers: { id: string; name: string }[];
  },
) {
  const linked = new Set(account.identities.map(({ provider }) => provider));
  return (
    <section class="card">
      <h2>Single sign-on</h2>
      <ul class="rows">
        {account.identities.map(({ provider, name, email, linkedAt }) => (
          <li class="session">
            <span>
              {name}
              <span class="muted small">
                {email !== null && `${email} · `}linked <Time at={linkedAt} clock={visit} />
              </span>
            </span>
            <Button
              size="small"
              data-action={`DELETE ${ACCOUNT}/identities/${provider}`}
              data-ask={`Unlink ${name}? You can't sign in with it afterwards.`}
              data-then="reload"
              data-done="Unlinked"
            >
              Unlink
            </Button>
          </li>
        ))}
        {providers.filter(({ id }) => !linked.has(id)).map(({ id, name }) => (
          <li class="session">
            <span>{name}</span>
            <Button
              size="small"
              data-action={`POST ${ACCOUNT}/identities/${id}/link`}
              data-then="{url}"
            >
              Link
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
