/**
 * The dialog for preview links: creating one with an expiry, and the active ones.
 *
 * @module
 */
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/overlays/dialog.tsx";

/** How long a link lasts, seconds. */
const DURATIONS = [
  [3_600, "1 hour"],
  [86_400, "1 day"],
  [259_200, "3 days"],
  [604_800, "1 week"],
] as const;

/** The dialog; the browser's code fills the list. */
export function SharePreview({ id }: { id: string }) {
  return (
    <Dialog id="share-preview" title="Share a preview">
      <p class="muted">
        Anyone with the link can see this document as it is when they open it, including unpublished
        changes. No account is needed.
      </p>
      <div class="share-new" data-share data-id={id}>
        <div class="field">
          <label for="share-ttl">Link expires after</label>
          <select id="share-ttl" data-ttl>
            {DURATIONS.map(([seconds, label]) => (
              <option value={seconds} selected={seconds === 86_400}>{label}</option>
            ))}
          </select>
        </div>
        <Button variant="primary" data-share-make>Create link</Button>
      </div>
      <div class="share-made" data-share-made hidden>
        <p class="label" id="share-url-label">Copy the link now: it won't be shown again</p>
        <output
          id="share-url"
          class="code"
          aria-labelledby="share-url-label"
          data-share-url
        >
        </output>
        <Button size="small" icon="copy" data-copy="share-url">Copy</Button>
      </div>
      <h3>Active links</h3>
      <ul class="share-list" data-share-list aria-live="polite"></ul>
    </Dialog>
  );
}
