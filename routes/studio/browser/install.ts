/**
 * Runs in the browser. Installing a package. The server first inspects it and reports its signer, its requested
 * permissions and the differences from the installed version; installing requires consent to all of them.
 *
 * @module
 */
import { capabilityWords } from "../wording/capability_words.ts";
import { call, type CallOptions, type JobStarted } from "./page/call.ts";
import { all, embedded, get, make } from "./page/elements.ts";
import { clearFailures, markFailed, showFailures } from "./page/failures.ts";
import type { PackageFacts } from "../../../jobs/packages/package_facts.ts";

interface Facts {
  kind: string;
  bytesMax: number;
}

/** The result of inspecting a package. */
interface Inspected {
  name: string;
  version: string;
  publisher: { id: string; label: string };
  events: string[];
  needed: string[];
  dropped: string[];
  newHosts: string[];
  present: { version: string; order: "newer" | "same" | "older" } | null;
  reasons: string[];
}

/** Makes the install dialog ask for consent. */
export function startInstall(element: HTMLElement): void {
  new InstallForm(element as HTMLFormElement).start();
}

class InstallForm {
  readonly #form: HTMLFormElement;
  readonly #facts: Facts;
  readonly #file: HTMLInputElement;
  readonly #address: HTMLInputElement;
  readonly #submit: HTMLButtonElement;
  readonly #place: HTMLElement;
  #isByAddress = false;
  /** Which inspection the answer belongs to that is shown. */
  #turn = 0;

  constructor(form: HTMLFormElement) {
    this.#form = form;
    this.#facts = embedded<Facts>(form);
    this.#file = get(form, "input[type=file]");
    this.#address = get(form, "input[type=url]");
    this.#submit = get(form, "button[type=submit]");
    this.#place = get(form, "[data-consent]");
  }

  start(): void {
    this.#file.addEventListener("change", () => void this.#inspect(false));
    get(this.#form, "[data-inspect]").addEventListener("click", () => {
      // Without a URL, the button checks the file that was chosen.
      const hasFile = this.#file.files?.length === 1;
      void this.#inspect(this.#address.value.trim() !== "" || !hasFile);
    });
    this.#address.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      void this.#inspect(true);
    });
    this.#place.addEventListener("change", () => this.#refresh());
    this.#form.addEventListener("submit", (event) => {
      // The form's own way would send all of its controls.
      event.preventDefault();
      event.stopImmediatePropagation();
      void this.#install();
    }, { capture: true });
  }

  async #inspect(isByAddress: boolean): Promise<void> {
    const turn = ++this.#turn;
    this.#isByAddress = isByAddress;
    this.#submit.disabled = true;
    clearFailures(this.#form);
    this.#place.replaceChildren();
    const control = isByAddress ? this.#address : this.#file;
    const file = this.#file.files?.[0];
    if (isByAddress ? this.#address.value.trim() === "" : file === undefined) return;
    if (!isByAddress && file !== undefined && file.size > this.#facts.bytesMax) {
      return markFailed(control, `This file is too large for a ${this.#facts.kind}`);
    }
    this.#place.replaceChildren(make("p", { class: "muted" }, "Checking …"));
    const reply = await call<PackageFacts>("POST", this.#path("?dryRun=true"), this.#body([]));
    if (turn !== this.#turn) return;
    this.#place.replaceChildren();
    if (!reply.ok) return showFailures(this.#form, reply, () => control);
    this.#place.replaceChildren(...consentView(reply.body, this.#facts.kind));
    this.#refresh();
  }

  #refresh(): void {
    const boxes = all<HTMLInputElement>(this.#place, "input");
    const isUseless = this.#place.querySelector("[data-reasons]") !== null;
    this.#submit.disabled = isUseless || boxes.some((box) => !box.checked);
  }

  async #install(): Promise<void> {
    const accepted = all<HTMLInputElement>(this.#place, "input[name=accept]:checked");
    const body = this.#body(accepted.map(({ value }) => value));
    const reply = await call<JobStarted>("POST", this.#path(""), body);
    if (reply.ok) location.assign(`/admin/jobs/${reply.body.jobId}`);
    else showFailures(this.#form, reply, () => null);
  }

  #path(query: string): string {
    return `/api/admin/${this.#facts.kind}s${query}`;
  }

  #body(accept: string[]): CallOptions {
    const isDowngrade = this.#place.querySelector("input[name=downgrade]:checked") !== null;
    if (this.#isByAddress) {
      const url = this.#address.value.trim();
      return {
        body: {
          url,
          ...(accept.length > 0 && { accept }),
          ...(isDowngrade && { downgrade: true }),
        },
      };
    }
    const body = new FormData();
    for (const capability of accept) body.append("accept", capability);
    if (isDowngrade) body.append("downgrade", "true");
    const file = this.#file.files?.[0];
    if (file !== undefined) body.append("package", file);
    return { body };
  }
}

function consentView(facts: Inspected, kind: string): HTMLElement[] {
  const { name, version, publisher, events, present, reasons } = facts;
  const what = present === null
    ? `${name} ${version}`
    : present.order === "same"
    ? `${name} ${version} (already installed)`
    : `${name}: from ${present.version} to ${version}`;
  const heading = make(
    "p",
    {},
    make("strong", {}, what),
    make("br"),
    make("span", { class: "muted" }, `Signed by ${publisher.label || publisher.id}`),
  );
  if (reasons.length > 0) {
    const list = make("ul", {}, ...reasons.map((reason) => make("li", {}, reason)));
    const words = make("p", {}, `This ${kind} cannot be used:`);
    return [heading, make("div", { class: "alert bad", "data-reasons": true }, words, list)];
  }
  const notices = events.length > 0
    ? [make("p", { class: "small" }, `Receives these events: ${events.join(", ")}.`)]
    : [];
  return [heading, ...permissionBoxes(facts), ...dropped(facts), ...notices, ...downgrade(facts)];
}

function permissionBoxes({ needed, newHosts, present }: Inspected): HTMLElement[] {
  const heading = needed.length === 0
    ? present === null ? "No permissions required." : "No new permissions required."
    : present === null
    ? "Requested permissions:"
    : "New permissions requested in this version:";
  const boxes = needed.map((name) => box("accept", name, capabilityWords(name, newHosts)));
  const style = present !== null && needed.length > 0 ? "added" : "muted";
  return [make("p", { class: style }, heading), ...boxes];
}

function dropped({ dropped }: Inspected): HTMLElement[] {
  if (dropped.length === 0) return [];
  const words = dropped.map((name) => capabilityWords(name)).join("; ");
  return [make("p", { class: "small" }, `No longer requested: ${words}.`)];
}

function downgrade({ present }: Inspected): HTMLElement[] {
  if (present?.order !== "older") return [];
  return [box("downgrade", "true", "Allow installing an older version")];
}

function box(name: string, value: string, words: string): HTMLElement {
  const input = make("input", { type: "checkbox", name, value });
  return make("label", { class: "check" }, input, make("span", {}, words));
}
