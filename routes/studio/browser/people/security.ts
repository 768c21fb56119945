/**
 * Runs in the browser. Setting up passkeys, an authenticator app and recovery codes on the account page.
 *
 * @module
 */
/// <reference lib="dom" />
import type { call, Reply } from "../page/call.ts";
import type { get, make } from "../page/elements.ts";
import type { toast } from "../page/toast.ts";
import { canUsePasskeys, createPasskey } from "./passkey.ts";

const ACCOUNT = "/api/admin/account";

/** What the page has loaded already; passed in, so that other pages load no additional files. */
export interface SecurityTools {
  call: typeof call;
  get: typeof get;
  make: typeof make;
  toast: typeof toast;
}

/** A reply that may have recovery codes. */
interface WithCodes {
  recoveryCodes?: string[];
}

/** Starts the section. */
export function startSecurity(tools: SecurityTools, element: HTMLElement): void {
  const { call, get } = tools;
  const passkeyForm = element.querySelector<HTMLFormElement>("[data-add-passkey]");
  if (passkeyForm !== null && canUsePasskeys()) {
    passkeyForm.hidden = false;
    onSubmit(
      tools,
      passkeyForm,
      () => addPasskey(tools, element, get<HTMLInputElement>(passkeyForm, "input").value),
    );
  }
  const setUp = element.querySelector<HTMLButtonElement>("[data-set-up-totp]");
  setUp?.addEventListener("click", () => void beginTotp(tools, element, setUp));
  const totpForm = element.querySelector<HTMLFormElement>("[data-confirm-totp]");
  if (totpForm !== null) {
    onSubmit(tools, totpForm, async () => {
      const { value } = get<HTMLInputElement>(totpForm, "input");
      const body = { code: value.trim() };
      finish(tools, element, await call<WithCodes>("PUT", `${ACCOUNT}/totp`, { body }));
    });
  }
  const replace = element.querySelector<HTMLButtonElement>("[data-replace-codes]");
  replace?.addEventListener("click", async () => {
    finish(tools, element, await call<WithCodes>("POST", `${ACCOUNT}/recovery-codes`));
  });
}

function onSubmit({ get }: SecurityTools, form: HTMLFormElement, act: () => Promise<void>): void {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const button = get<HTMLButtonElement>(form, "button");
    button.disabled = true;
    void act().finally(() => button.disabled = false);
  });
}

async function addPasskey(
  tools: SecurityTools,
  element: HTMLElement,
  name: string,
): Promise<void> {
  const { call, toast } = tools;
  const options = await call("POST", `${ACCOUNT}/passkeys/options`);
  if (!options.ok) return toast(options.message, { bad: true });
  const response = await createPasskey(options.body);
  if (response === null) return toast("No passkey was added.", { bad: true });
  const body = { name: name.trim() || "Passkey", response };
  finish(tools, element, await call<WithCodes>("POST", `${ACCOUNT}/passkeys`, { body }));
}

async function beginTotp(
  { call, get, toast }: SecurityTools,
  element: HTMLElement,
  button: HTMLButtonElement,
): Promise<void> {
  const reply = await call<{ secret: string; qr: string }>("POST", `${ACCOUNT}/totp`);
  if (!reply.ok) return toast(reply.message, { bad: true });
  const { secret, qr } = reply.body;
  button.hidden = true;
  const panel = get(element, "[data-totp-panel]");
  get<HTMLImageElement>(panel, "img").src = `data:image/svg+xml,${encodeURIComponent(qr)}`;
  get(panel, "code").textContent = secret;
  panel.hidden = false;
  get<HTMLInputElement>(panel, "input").focus();
}

/** Shows new recovery codes, which are shown once; otherwise the page as it is now. */
function finish(
  { get, make, toast }: SecurityTools,
  element: HTMLElement,
  reply: Reply<WithCodes>,
): void {
  if (!reply.ok) return toast(reply.details[0]?.message ?? reply.message, { bad: true });
  const codes = reply.body.recoveryCodes ?? [];
  if (codes.length === 0) return location.reload();
  const panel = get(element, "[data-codes]");
  get(panel, "ul").replaceChildren(...codes.map((code) => make("li", {}, make("code", {}, code))));
  panel.hidden = false;
  panel.scrollIntoView({ block: "center" });
  get(panel, "button").focus();
}
