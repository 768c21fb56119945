/**
 * Runs in the browser. Signing in with a passkey, and the second factor after a password.
 *
 * @module
 */
/// <reference lib="dom" />
import type { attempt, Reply } from "../page/call.ts";
import type { dataOf, get } from "../page/elements.ts";
import { canAutofill, canUsePasskeys, usePasskey } from "./passkey.ts";

const OPTIONS = "/api/admin/session/passkey/options";
const SIGN_IN = "/api/admin/session/passkey";
const SECOND_FACTOR = "/api/admin/session/second-factor";

/** What the page has loaded already; passed in, so that pages without a sign-in load no additional files. */
export interface SignInTools {
  attempt: typeof attempt;
  dataOf: typeof dataOf;
  get: typeof get;
}

/** A challenge that the API answers to a password. */
interface Challenge {
  challenge: string;
  methods: string[];
}

/** Starts the sign-in page. */
export function startSignIn(tools: SignInTools, element: HTMLElement): void {
  const autofill = new AbortController();
  const form = element.querySelector<HTMLFormElement>("form[data-api]");
  form?.addEventListener("sent", (event) => {
    const { status, body } = (event as CustomEvent<Reply<Challenge>>).detail;
    if (status !== 202 || body === null) return;
    event.preventDefault();
    autofill.abort();
    askSecondFactor(tools, element, body);
  });
  const button = element.querySelector<HTMLButtonElement>("[data-passkey]");
  // Browsers have passkeys for hosts with names and HTTPS only, and for localhost.
  if (button === null) return;
  // It has its place from the start, so that nothing moves under a pointer.
  button.hidden = !canUsePasskeys();
  if (button.hidden) return;
  button.disabled = false;
  button.addEventListener("click", () => {
    autofill.abort();
    void signInByPasskey(tools, element, {});
  });
  void offerInAutofill(tools, element, autofill.signal);
}

async function offerInAutofill(
  tools: SignInTools,
  element: HTMLElement,
  signal: AbortSignal,
): Promise<void> {
  if (await canAutofill()) await signInByPasskey(tools, element, { signal, autofill: true });
}

async function signInByPasskey(
  tools: SignInTools,
  element: HTMLElement,
  how: { signal?: AbortSignal; autofill?: boolean },
): Promise<void> {
  const { attempt } = tools;
  const options = await attempt("POST", OPTIONS, { body: {} });
  if (!options.ok) {
    if (!how.autofill) showFailure(tools, element, options.message);
    return;
  }
  const response = await usePasskey(options.body, how);
  if (response === null) return;
  finish(tools, element, await attempt("POST", SIGN_IN, { body: { response } }));
}

/** Replaces the password by what the second factor needs. */
function askSecondFactor(
  tools: SignInTools,
  element: HTMLElement,
  { challenge, methods }: Challenge,
): void {
  const { attempt, get } = tools;
  get(element, "[data-first]").hidden = true;
  const section = get(element, "[data-second]");
  section.hidden = false;
  const form = get<HTMLFormElement>(section, "form");
  const input = get<HTMLInputElement>(form, "input");
  form.hidden = !methods.includes("totp") && !methods.includes("recovery");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const text = input.value.trim();
    const code = /^\d{3}\s?\d{3}$/.test(text) ? { code: text } : { recoveryCode: text };
    void attempt("POST", SECOND_FACTOR, { body: { challenge, ...code } })
      .then((reply) => finish(tools, element, reply));
  });
  const button = get<HTMLButtonElement>(section, "[data-second-passkey]");
  button.hidden = !methods.includes("passkey") || !canUsePasskeys();
  button.addEventListener("click", () => void assertPasskey(tools, element, challenge));
  if (!form.hidden) input.focus();
  else button.focus();
}

async function assertPasskey(
  tools: SignInTools,
  element: HTMLElement,
  challenge: string,
): Promise<void> {
  const { attempt } = tools;
  const options = await attempt("POST", OPTIONS, { body: { challenge } });
  if (!options.ok) return showFailure(tools, element, options.message);
  const assertion = await usePasskey(options.body);
  if (assertion === null) return;
  finish(tools, element, await attempt("POST", SECOND_FACTOR, { body: { challenge, assertion } }));
}

function finish(tools: SignInTools, element: HTMLElement, reply: Reply): void {
  if (reply.ok) return location.assign(tools.dataOf(element, "next"));
  const isRefused = reply.status === 401;
  showFailure(
    tools,
    element,
    isRefused ? "That didn't work. Try again, or reload the page to start over." : reply.message,
  );
}

function showFailure({ get }: SignInTools, element: HTMLElement, message: string): void {
  const alert = get(element, "[data-sign-in-failure]");
  alert.textContent = message;
  alert.hidden = false;
  alert.focus();
}
