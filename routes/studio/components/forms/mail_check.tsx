/**
 * Trying whether the site can send email.
 *
 * @module
 */
import { Button } from "../button.tsx";

/** A button that sends a test email to the user and shows the result. */
export function MailCheck({ email }: { email: string }) {
  return (
    <div class="mail-check" data-island="mail-check">
      <div class="row">
        <Button data-send>Send a test email</Button>
        <span class="muted small">{`to ${email}`}</span>
      </div>
      <div data-result role="status" aria-live="polite"></div>
    </div>
  );
}
