/**
 * Runs in the browser. The dialog that asks for the password before a sensitive act.
 *
 * @module
 */
import type { answered } from "./forms/actions.ts";
import type { attempt } from "./page/call.ts";
import type { make } from "./page/elements.ts";

/**
 * The dependencies of the dialog. They are passed in, so that pages without the dialog load no additional
 * files.
 */
export interface ProofTools {
  answered: typeof answered;
  attempt: typeof attempt;
  make: typeof make;
}

/** Asks until the password or code is correct or the user cancels; `why` names the reason. */
export async function prove(tools: ProofTools, why: string): Promise<boolean> {
  for (let failure = "";;) {
    const password = await askPassword(tools, why, failure);
    if (password === null) return false;
    const body = /^\d{6}$/.test(password) ? { code: password } : { password };
    const { ok, message } = await tools.attempt("POST", "/api/admin/session/prove", { body });
    if (ok) return true;
    failure = message;
  }
}

/** The typed password; null when the user cancels. */
async function askPassword(
  { answered, make }: ProofTools,
  why: string,
  failure: string,
): Promise<string | null> {
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
    make(
      "div",
      { class: "field" },
      make("label", { for: input.id }, "Password, or code of your authenticator app"),
      input,
    ),
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
