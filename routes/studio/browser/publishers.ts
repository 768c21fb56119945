/**
 * Runs in the browser. The keys of publishers are one list in one setting: a change reads the newest
 * list, changes one entry, and sends it back.
 *
 * @module
 */
import { confirmed } from "./forms/actions.ts";
import { call, type Reply } from "./page/call.ts";
import { controlAt } from "./document/control_values.ts";
import { all, get } from "./page/elements.ts";
import { clearFailures, showFailures } from "./page/failures.ts";
import { formValues } from "./forms/form_values.ts";
import { toast, toastLater } from "./page/toast.ts";

const SETTING = "packages.publishers";

interface Key {
  id: string;
  revoked: boolean;
  [name: string]: unknown;
}

const QUESTIONS = {
  revoke:
    "Packages signed with this key can no longer be installed. Installed packages stay and are marked.",
  trust: "Packages signed with this key can be installed again.",
};

/** Adds keys by the form, and revokes them by the buttons in the list. */
export function startPublishers(section: HTMLElement): void {
  const form = get<HTMLFormElement>(section, "form");
  form.addEventListener("submit", (event) => {
    // The form's own way would send its controls as settings.
    event.preventDefault();
    event.stopImmediatePropagation();
    void add(form, Number(section.dataset.now));
  }, { capture: true });
  for (const button of all<HTMLButtonElement>(document, "[data-publisher-change]")) {
    button.addEventListener("click", () => void revoke(button));
  }
}

async function add(form: HTMLFormElement, now: number): Promise<void> {
  clearFailures(form);
  const values = formValues(form);
  const key: Key = { ...values, id: String(values.id), from: now, revoked: false };
  const reply = await change((keys) => [...keys.filter(({ id }) => id !== key.id), key]);
  if (reply.ok) return reload(`${String(values.label)} is trusted`);
  showFailures(form, reply, (field) => controlAt(form, field.split(".").at(-1) ?? field));
}

async function revoke(button: HTMLButtonElement): Promise<void> {
  const { publisherChange, publisherId } = button.dataset;
  const isRevoking = publisherChange === "revoke";
  const question = QUESTIONS[isRevoking ? "revoke" : "trust"];
  if (!(await confirmed(question, button.textContent.trim()))) return;
  const reply = await change((keys) =>
    keys.map((key) => key.id === publisherId ? { ...key, revoked: isRevoking } : key)
  );
  if (reply.ok) reload(isRevoking ? "Key revoked" : "Key trusted again");
  else toast(reply.message, { bad: true });
}

async function change(next: (keys: Key[]) => Key[]): Promise<Reply> {
  const present = await call<{ [SETTING]: Key[] }>("GET", "/api/admin/settings");
  if (!present.ok) return present;
  const keys = present.body[SETTING];
  return await call("PATCH", "/api/admin/settings", { body: { [SETTING]: next(keys) } });
}

function reload(words: string): void {
  toastLater(words);
  location.reload();
}
