/**
 * Runs in the browser. The dialog in which a user shows who they are before a sensitive act: by a password, a code, a
 * passkey, or a provider that they are linked to.
 *
 * @module
 */
import type { answered } from "./forms/actions.ts";
import type { attempt } from "./page/call.ts";
import type { make } from "./page/elements.ts";
import { canUsePasskeys, usePasskey } from "./people/passkey.ts";

const PROVE = "/api/admin/session/prove";

/**
 * The dependencies of the dialog. They are passed in, so that pages without the dialog load no additional
 * files.
 */
export interface ProofTools {
  answered: typeof answered;
  attempt: typeof attempt;
  make: typeof make;
}

/** What the user of the session signs in with. */
interface Account {
  passkeys: unknown[];
  identities: { provider: string; name: string }[];
}

type Proof = { password: string } | { code: string } | { response: unknown };

/** Asks until the proof is accepted or the user cancels; `why` names the reason. */
export async function prove(tools: ProofTools, why: string): Promise<boolean> {
  const { ok, body: account } = await tools.attempt<Account>("GET", "/api/admin/account");
  for (let failure = "";;) {
    const body = await askProof(tools, { why, failure, account: ok ? account : null });
    if (body === null) return false;
    const { ok: isProven, message } = await tools.attempt("POST", PROVE, { body });
    if (isProven) return true;
    failure = message;
  }
}

/** A passkey's answer to a new challenge; null if the user cancels. */
async function askPasskey({ attempt }: ProofTools): Promise<Proof | null> {
  const options = await attempt("POST", "/api/admin/session/passkey/options", { body: {} });
  const response = options.ok ? await usePasskey(options.body) : null;
  return response === null ? null : { response };
}

/** Links to the providers, which lead back to this page. */
function providerLinks({ make }: ProofTools, account: Account | null): HTMLElement[] {
  const query = new URLSearchParams({ prove: "true", return: location.pathname + location.search });
  return (account?.identities ?? []).map(({ provider, name }) =>
    make(
      "a",
      { class: "button", href: `/admin/auth/${provider}?${query}` },
      `Confirm with ${name}, then try again`,
    )
  );
}

/** What the user gives; null when they cancel. */
async function askProof(
  tools: ProofTools,
  { why, failure, account }: { why: string; failure: string; account: Account | null },
): Promise<Proof | null> {
  const { answered, make } = tools;
  const dialog = make("dialog", { "aria-labelledby": "proof-question" });
  const input = make("input", {
    id: "proof-password",
    type: "password",
    autocomplete: "current-password",
    required: "",
  });
  const cancel = make("button", { class: "button", type: "button" }, "Cancel");
  const hasPasskey = (account?.passkeys ?? []).length > 0 && canUsePasskeys();
  const passkey = make("button", { class: "button", type: "button" }, "Use a passkey");
  const go = make("button", { class: "button primary", type: "submit" }, "Continue");
  const form = make(
    "form",
    { class: "form", method: "dialog" },
    make("p", { id: "proof-question" }, why),
    ...(failure === "" ? [] : [make("p", { class: "alert bad", role: "alert" }, failure)]),
    make(
      "div",
      { class: "field" },
      make("label", { for: input.id }, "Password, or code of your authenticator app"),
      input,
    ),
    ...providerLinks(tools, account),
    make("div", { class: "dialog-foot" }, cancel, ...hasPasskey ? [passkey] : [], go),
  );
  let proof: Proof | null = null;
  passkey.addEventListener("click", async () => {
    proof = await askPasskey(tools);
    if (proof !== null) dialog.close("yes");
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    dialog.close("yes");
  });
  dialog.append(form);
  const answer = answered(dialog, { cancel, go: make("button", {}) });
  input.focus();
  if (!await answer) return null;
  const typed = input.value;
  return proof ?? (/^\d{6}$/.test(typed) ? { code: typed } : { password: typed });
}
