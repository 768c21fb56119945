/**
 * Runs in the browser. Sends a test email and shows the result beside the button.
 *
 * @module
 */
import { call } from "../page/call.ts";
import { get, make } from "../page/elements.ts";
import type { TestMailResult } from "../../../../jobs/mail/test_mail.ts";

/** The result messages, by the carrier of the email. */
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
    const reply = await call<TestMailResult>("POST", "/api/admin/settings/test-mail");
    button.disabled = false;
    button.setAttribute("aria-busy", "false");
    const words = !reply.ok
      ? reply.message
      : reply.body.error !== null
      ? `The email could not be sent: ${reply.body.error}`
      : SENT[reply.body.via ?? ""] ?? NOWHERE;
    const look = reply.ok && reply.body.sent ? "good" : "bad";
    get(root, "[data-result]").replaceChildren(make("p", { class: `alert ${look}` }, words));
  });
}

/** Preselects the browser's time zone. */
export function startTimeZone(root: HTMLElement): void {
  const select = get<HTMLSelectElement>(root, "select");
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  if ([...select.options].some(({ value }) => value === timeZone)) select.value = timeZone;
}
