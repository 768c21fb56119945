/**
 * Runs in the browser. Checks the setup code before the rest of the form is filled in: a code in the address when the
 * page opens, a typed one when its field loses focus.
 *
 * @module
 */
import { call } from "../page/call.ts";
import { get, make } from "../page/elements.ts";
import { markFailed } from "../page/failures.ts";

const WRONG = "Wrong setup code. The service printed it when it last started.";

/** Checks the code of a form. */
export function startSetupCode(island: HTMLElement): void {
  const input = get<HTMLInputElement>(island, "input");
  // Behind the `#` it never reaches a server.
  const code = new URLSearchParams(location.hash.slice(1)).get("code");
  if (code !== null) {
    input.value = code;
    history.replaceState(null, "", location.pathname);
    get<HTMLInputElement>(document, "[name=siteTitle]").focus();
  }
  const check = async () => {
    const { value } = input;
    if (value === "") return;
    const { status } = await call("POST", "/api/admin/setup/code", { body: { code: value } });
    if (status !== 403 || input.value !== value) return;
    if (input.type === "hidden") {
      island.append(make("p", { class: "alert bad", role: "alert" }, WRONG));
      island.hidden = false;
    } else if (input.getAttribute("aria-invalid") !== "true") markFailed(input, WRONG);
  };
  input.addEventListener("change", check);
  void check();
}
