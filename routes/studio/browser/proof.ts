/**
 * Runs in the browser. Asks for the password before a sensitive act, when the user signed in a while ago.
 *
 * @module
 */
import { answered } from "./actions.ts";
import { attempt, PROOF_REQUIRED, provideProof } from "./call.ts";
import { make } from "./elements.ts";
import { toast } from "./toast.ts";

const BACKUP_LINK = 'a[download][href^="/api/admin/exports/"]';

/** Asks for the password wherever the API wants a proof. */
export function startProofs(): void {
  provideProof(prove);
  document.addEventListener("click", (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>(BACKUP_LINK);
    if (link === null) return;
    event.preventDefault();
    void download(link.href);
  });
}

/** A link cannot show a refusal, so the answer is looked at before the browser follows it. */
async function download(address: string): Promise<void> {
  const response = await fetch(address);
  if (response.ok) {
    await response.body?.cancel();
    return location.assign(address);
  }
  const { message, body } = await attempt("GET", address);
  if (body?.error?.code !== PROOF_REQUIRED) return toast(message, { bad: true });
  if (await prove(message)) location.assign(address);
}

/** Asks until the password is right or the user cancels; `why` says what the password is for. */
async function prove(why: string): Promise<boolean> {
  for (let failure = "";;) {
    const password = await askPassword(why, failure);
    if (password === null) return false;
    const body = { password };
    const { ok, message } = await attempt("POST", "/api/admin/session/prove", { body });
    if (ok) return true;
    failure = message;
  }
}

/** The typed password; null when the user cancels. */
async function askPassword(why: string, failure: string): Promise<string | null> {
  const dialog = make("dialog", { "aria-labelledby": "proof-question" });
  const input = make("input", {
    id: "proof-password",
    type: "password",
    autocomplete: "current-password",
    required: "",
  });
  const cancel = make("button", { class: "button", type: "button" }, "Cancel");
  const go = make("button", { class: "button primary", type: "submit" }, "Continue");
  const form = make(
    "form",
    { class: "form", method: "dialog" },
    make("p", { id: "proof-question" }, why),
    ...(failure === "" ? [] : [make("p", { class: "alert bad", role: "alert" }, failure)]),
    make("div", { class: "field" }, make("label", { for: input.id }, "Password"), input),
    make("div", { class: "dialog-foot" }, cancel, go),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    dialog.close("yes");
  });
  dialog.append(form);
  const answer = answered(dialog, { cancel, go: make("button", {}) });
  input.focus();
  return await answer ? input.value : null;
}
