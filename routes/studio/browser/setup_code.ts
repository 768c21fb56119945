/**
 * Runs in the browser. Checks the setup code before the rest of the form is filled in: a code in the address when
 * the page opens, a typed one when its field loses focus.
 *
 * @module
 */
import { call } from "./call.ts";
import { get, make } from "./elements.ts";
import { markFailed } from "./failures.ts";

/** How a wrong code in the address is explained. */
const WRONG_ADDRESS =
  "The setup code in this address is wrong. Open the address that the service " +
  "printed when it started last.";
const WRONG = "This is not the setup code. The service printed it when it started last.";

/** Checks the code of a form. */
export function startSetupCode(island: HTMLElement): void {
  const input = get<HTMLInputElement>(island, "input");
  const refused = async (): Promise<boolean> => {
    const { status } = await call("POST", "/api/admin/setup/code", { body: { code: input.value } });
    return status === 403;
  };
  if (input.type === "hidden") {
    void refused().then((isWrong) => {
      if (!isWrong) return;
      island.append(make("p", { class: "alert bad", role: "alert" }, WRONG_ADDRESS));
      island.hidden = false;
    });
    return;
  }
  const check = async () => {
    const checked = input.value;
    if (checked === "" || !(await refused())) return;
    if (input.value === checked && input.getAttribute("aria-invalid") !== "true") {
      markFailed(input, WRONG);
    }
  };
  input.addEventListener("change", check);
  // Filled in from behind the `#` of the address.
  void check();
}
