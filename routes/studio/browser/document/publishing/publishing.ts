/**
 * Runs in the browser. Publishing in two questions: is it complete, and when.
 *
 * @module
 */
import { PUBLISH_LOOKS_MAX } from "../../../../input/limits.ts";
import { documentPath } from "../../../document_path.ts";
import { openDialog } from "../../forms/actions.ts";
import { call, type Reply } from "../../page/call.ts";
import { dataOf, get, make } from "../../page/elements.ts";
import { pageAt } from "../../page/fresh_page.ts";
import { revealAndFocus } from "../../page/reveal.ts";
import { openModal } from "../../page/modal.ts";
import { toast, toastLater, toastUntil } from "../../page/toast.ts";
import { controlAt } from "../control_values.ts";
import { fillDates, instantOf, localText, ownZone, SKIPPED_TIME, zonedText } from "../dates.ts";
import type { DocumentFacts } from "../editor.ts";
import type { Audience, Check } from "../../../checklist.ts";
import type { JobWire } from "../../../../../kv/jobs/job.ts";
import type { ReleaseView } from "../../../../../kv/releases/release_view.ts";

/** How the editor saves, and which document it has. */
export interface Editing {
  save: () => Promise<boolean>;
  id: () => string | null;
}

/** What a dialog publishes: a document, or its translation into a language. */
interface Published {
  id: string;
  language: string | undefined;
}

/** How much of a title the name of its release has. */
const SCHEDULED_TITLE_CHARS = 60;

/** Poll interval of a job, and the number of polls before giving up. */
const POLL_MS = 700;

/** Makes the publish button and its dialog work. */
export function startPublishing(form: HTMLElement, facts: DocumentFacts, editing: Editing): void {
  if (facts.jobId !== null) void watchJob(facts.jobId);
  const dialog = document.querySelector<HTMLDialogElement>("#publish");
  const button = form.querySelector<HTMLButtonElement>("[data-publish]");
  if (dialog === null || button === null) return;
  fillDates(dialog);
  const go = get<HTMLButtonElement>(dialog, "[data-publish-go]");
  button.addEventListener("click", async () => {
    if (!(await editing.save()) || openModal() !== null) return;
    const asked = published();
    const checked = askForChecks(dialog, asked);
    openDialog("publish");
    const { checks, audience } = await checked;
    showChecks(form, dialog, checks);
    const { showSummary } = await import("./publish_summary.ts");
    await showSummary(
      { make, pageAt },
      get(dialog, "[data-summary]"),
      addressOf(asked, "preview"),
      audience,
    );
  });
  dialog.addEventListener("change", () => showWhen(dialog, go));
  showWhen(dialog, go);
  const published = () => ({ id: editing.id()!, language: facts.language });
  go.addEventListener("click", () => void publish(dialog, go, published()));
  // Pressing the shortcut again confirms the dialog.
  dialog.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.repeat || !(event.metaKey || event.ctrlKey)) return;
    event.preventDefault();
    event.stopPropagation();
    go.click();
  });
}

/** What there is to know before publishing. */
interface PublishFacts {
  checks: Check[];
  audience?: Audience;
}

/** The body of a request that may have started a job. */
type MaybeJob = { jobId?: string | null };

/** Requests the checks before the dialog opens, so that it is laid out once. */
async function askForChecks(
  dialog: HTMLDialogElement,
  asked: Published,
): Promise<PublishFacts> {
  dialog.dataset.errors = "0";
  get(dialog, "[data-checks]").replaceChildren(make("p", { class: "muted" }, "Checking …"));
  const reply = await call<PublishFacts>("GET", addressOf(asked, "checks"));
  return reply.body ?? { checks: [] };
}

/** The address of something about a document, or about its translation. */
function addressOf({ id, language }: Published, part: string): string {
  return `/admin/documents/${id}/${part}${language === undefined ? "" : `?language=${language}`}`;
}

function showChecks(form: HTMLElement, dialog: HTMLDialogElement, checks: Check[]): void {
  const output = get(dialog, "[data-checks]");
  if (checks.length === 0) {
    output.replaceChildren(make("p", { class: "alert good" }, "Ready to publish."));
    return;
  }
  const entries = checks.map(({ field, label, message, level }) => {
    const show = () => {
      dialog.close();
      const control = controlAt(form, field);
      if (control !== null) revealAndFocus(control);
    };
    const name = make("button", { type: "button", class: "link", onclick: show }, label);
    return make("li", { class: level }, name, ` ${message}`);
  });
  const errors = checks.filter(({ level }) => level === "error").length;
  dialog.dataset.errors = String(errors);
  showWhen(dialog, get(dialog, "[data-publish-go]"));
  const summary = errors > 0 ? "Before you can publish:" : "Suggestions before publishing:";
  output.replaceChildren(make(
    "div",
    { class: errors > 0 ? "alert bad" : "alert warn" },
    make("p", {}, summary),
    make("ul", { class: "check-list" }, ...entries),
  ));
}

function chosen(dialog: HTMLElement): string {
  return get<HTMLInputElement>(dialog, "input[name=when]:checked").value;
}

/** The title of a document that is public already: its changes are published. */
function publicTitle(dialog: HTMLElement): string | undefined {
  return get(dialog, ".when").dataset.public;
}

const PUBLISH_VERBS: Record<string, string> = {
  now: "Publish now",
  later: "Schedule",
  never: "Back to draft",
};

function showWhen(dialog: HTMLElement, go: HTMLButtonElement): void {
  const when = chosen(dialog);
  const input = get<HTMLInputElement>(dialog, "#publish-at");
  get(dialog, "[data-later]").hidden = when !== "later";
  const isChange = publicTitle(dialog) !== undefined;
  get(dialog, "[data-ends]").hidden = when === "never" || (isChange && when === "later");
  // An incomplete document cannot be published but can always become a draft.
  go.disabled = when !== "never" && Number(dialog.dataset.errors ?? 0) > 0;
  go.textContent = PUBLISH_VERBS[when] ?? "Publish now";
  if (when === "later" && input.value === "") {
    input.value = localText(nextHour(new Date()));
  }
  get(dialog, "[data-publish-failure]").hidden = true;
  const zones = get(dialog, "[data-zones]");
  const date = new Date(input.value);
  if (Number.isNaN(date.getTime())) return;
  const siteZone = dataOf(zones, "siteZone");
  const mine = `Your time zone: ${ownZone()}.`;
  zones.textContent = siteZone === ownZone()
    ? mine
    : `${mine} On the site (${siteZone}) that is ${zonedText(date, siteZone)}.`;
}

/** The value of a date and time control, epoch seconds; null if empty. */
function secondsOf({ value }: HTMLInputElement): number | null {
  return value === "" ? null : instantOf(value);
}

/** Whether a control holds a time that the clocks skip. */
function isSkipped({ value }: HTMLInputElement): boolean {
  return value !== "" && instantOf(value) === null;
}

function isShown(input: HTMLElement): boolean {
  return input.closest("[hidden]") === null;
}

/** The next full hour that is at least half an hour away, epoch seconds. */
function nextHour(now: Date): number {
  return Math.ceil((now.getTime() + 1_800_000) / 3_600_000) * 3_600;
}

async function publish(
  dialog: HTMLDialogElement,
  go: HTMLButtonElement,
  published: Published,
): Promise<void> {
  const path = documentPath(published.id, published.language);
  const when = chosen(dialog);
  const failure = get(dialog, "[data-publish-failure]");
  failure.hidden = true;
  const inputs = ["#publish-at", "#publish-until"].map((id) => get<HTMLInputElement>(dialog, id));
  const skipped = inputs.find((input) => isShown(input) && isSkipped(input));
  if (skipped !== undefined) {
    failure.textContent = SKIPPED_TIME;
    failure.hidden = false;
    skipped.focus();
    return;
  }
  const [at, unpublishAt] = inputs.map(secondsOf) as [number | null, number | null];
  // It is public before the service hears of its end.
  if (when === "now" && unpublishAt !== null && new Date(unpublishAt * 1000) <= new Date()) {
    failure.textContent = "The unpublish date is in the past. Choose a later one.";
    failure.hidden = false;
    return;
  }
  go.disabled = true;
  const schedule = (body: Record<string, number | null>) =>
    call<MaybeJob>("POST", `/api/admin${path}/schedule`, { body });
  const title = publicTitle(dialog);
  const reply = when === "now"
    ? await call<MaybeJob>("POST", `/api/admin${path}/publish`)
    : title !== undefined
    ? await scheduleChanges(published, title, at)
    : await schedule(when === "later" ? { publishAt: at, unpublishAt } : { publishAt: null });
  // The unpublish date applies from now on; if it is invalid, the document is already public when the error is
  // shown.
  const ended = when === "now" && reply.ok ? await schedule({ unpublishAt }) : reply;
  go.disabled = false;
  if (!ended.ok && ended !== reply) {
    toastLater(`The unpublish date was not set. ${ended.details[0]?.message ?? ended.message}`);
  }
  if (!reply.ok) {
    const said = reply.details.map(({ field, message }) => `${field}: ${message}`);
    failure.textContent = [reply.message, ...said].join(" ");
    failure.hidden = false;
    // A button that was out of use has lost the focus.
    go.focus();
    return;
  }
  if (when === "later") toastLater("Scheduled");
  const job = reply.body?.jobId;
  location.assign(`/admin${path}${job ? `?job=${job}` : ""}`);
}

/** The changes of a published document wait for their time in a release of their own. */
async function scheduleChanges(
  { id, language }: Published,
  title: string,
  publishAt: number | null,
): Promise<Reply<MaybeJob>> {
  const name = `Changes to “${title.slice(0, SCHEDULED_TITLE_CHARS)}”`;
  const made = await call<ReleaseView>("POST", "/api/admin/releases", { body: { name } });
  if (!made.ok) return made;
  const release = `/api/admin/releases/${made.body.id}`;
  const body = { action: "publish", ...(language !== undefined && { languages: [language] }) };
  const steps = [
    () => call("PUT", `${release}/documents/${id}`, { body }),
    () => call("PATCH", release, { body: { publishAt } }),
  ];
  for (const step of steps) {
    const reply = await step();
    if (reply.ok) continue;
    // Nothing is left of what could not be.
    await call("DELETE", release);
    return reply;
  }
  return made;
}

/** Shows a message once the published page is available. */
async function watchJob(id: string): Promise<void> {
  history.replaceState(null, "", location.pathname);
  const made = toastUntil("Published. The pages are being built …");
  for (let look = 0; look < PUBLISH_LOOKS_MAX; look++) {
    await new Promise((done) => setTimeout(done, POLL_MS));
    const reply = await call<JobWire>("GET", `/api/admin/jobs/${id}`);
    if (!reply.ok) return;
    if (reply.body.state === "failed") {
      made();
      toast(`The pages could not be built: ${reply.body.error}`, { bad: true });
      return;
    }
    if (reply.body.state === "done") {
      made();
      const address = document.querySelector<HTMLAnchorElement>("#document-menu a[target]")?.href;
      toast("The page is live.", {
        ...(address && { action: { label: "View", run: () => void open(address) } }),
      });
      return;
    }
  }
}
