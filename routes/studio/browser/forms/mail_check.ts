/**
 * Runs in the browser. Sends a test message and says what came of it, beside the button.
 *
 * @module
 */
import { call } from "../page/call.ts";
import { get, make } from "../page/elements.ts";

/** What is said of a mail, by who has it now. */
const SENT: Record<string, string> = {
  smtp: "The mail server accepted the email. Check your inbox.",
  outbox: "SMTP_URL is empty, so the email was saved in the folder “outbox” next to the database.",
};
const NOWHERE = "No mail server is set up. Set SMTP_URL and restart the service.";

/** Makes the button send. */
export function startMailCheck(root: HTMLElement): void {
  const button = get<HTMLButtonElement>(root, "[data-send]");
  button.addEventListener("click", async () => {
    button.disabled = true;
    button.setAttribute("aria-busy", "true");
    const reply = await call("POST", "/api/admin/settings/test-mail");
    button.disabled = false;
    button.setAttribute("aria-busy", "false");
    const { sent, via, error } = reply.body ?? {};
    const words = !reply.ok
      ? reply.message
      : error !== null
      ? `The email could not be sent: ${error}`
      : SENT[via] ?? NOWHERE;
    const look = reply.ok && sent ? "good" : "bad";
    get(root, "[data-result]").replaceChildren(make("p", { class: `alert ${look}` }, words));
  });
}

/** Chooses the time zone that the browser is in, where nobody has chosen yet. */
export function startTimeZone(root: HTMLElement): void {
  const select = get<HTMLSelectElement>(root, "select");
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  if ([...select.options].some(({ value }) => value === timeZone)) select.value = timeZone;
}
