/**
 * Runs in the browser. Forms that define fields and blocks: the options of the chosen type, names derived from
 * labels, and the impact of a change before it is saved.
 *
 * @module
 */
import { call, type Placeholders, type Reply } from "../page/call.ts";
import { controlAt, ControlFault, readFields } from "../document/control_values.ts";
import { startRows } from "../document/rows.ts";
import { all, dataOf, get } from "../page/elements.ts";
import { clearFailures, markFailed, showFailures } from "../page/failures.ts";
import { allowLeaving, guard } from "../forms/leave_guard.ts";
import { toastLater } from "../page/toast.ts";
import { startFieldPreview } from "./field_preview.ts";
import { confirmImpact } from "./impact.ts";
import { confirmRename } from "./removal.ts";
import type { MigrationPreview } from "../../../../kv/schema/migrate_field.ts";

/** Makes a form send what its controls define. */
export function startDefinitionForm(element: HTMLElement): void {
  const form = element as HTMLFormElement;
  const refresh = () => {
    for (const definition of all(form, "[data-definition]")) showOptions(definition);
  };
  refresh();
  const preview = startFieldPreview(form);
  const changed = () => {
    guard(form);
    preview();
  };
  startRows(form, { changed, added: refresh });
  form.addEventListener("input", (event) => {
    follow(event.target as HTMLInputElement);
    changed();
  });
  form.addEventListener("change", () => {
    refresh();
    preview();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void save(form);
  });
}

/** Shows the options that the chosen type has, of one definition and not of those inside it. */
function showOptions(definition: HTMLElement): void {
  const { value } = get<HTMLSelectElement>(definition, "[data-type-choice]");
  for (const option of all(definition, "[data-for]")) {
    if (option.closest("[data-definition]") !== definition) continue;
    option.hidden = !dataOf(option, "for").split(" ").includes(value);
  }
}

/** A new field's name follows its label, in camel case. */
function follow(source: HTMLInputElement): void {
  const name = source.closest("[data-definition], form")
    ?.querySelector<HTMLInputElement>("[data-follows]");
  if (!name) return;
  if (source === name) delete name.dataset.follows;
  else if (source.closest("[data-name]")?.getAttribute("data-name") === name.dataset.follows) {
    name.value = camelCase(source.value);
  }
}

function camelCase(label: string): string {
  const words = label.normalize("NFKD").replace(/\p{M}/gu, "").split(/[^A-Za-z0-9]+/);
  const joined = words.filter((word) => word !== "").map((word, index) =>
    index === 0 ? word.toLowerCase() : word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()
  ).join("");
  return joined.replace(/^[0-9]+/, "").slice(0, 64);
}

async function save(form: HTMLFormElement): Promise<void> {
  clearFailures(form);
  let body: Record<string, unknown>;
  try {
    body = readFields(form);
  } catch (error) {
    if (!(error instanceof ControlFault)) throw error;
    return markFailed(error.control, error.message);
  }
  const { type } = form.dataset;
  const [method, path] = [dataOf(form, "method"), dataOf(form, "path")];
  if (type !== undefined && body.type !== type) {
    const preview = await call<MigrationPreview>(method, `${path}?dryRun=true`, { body });
    if (!preview.ok) return fail(form, preview);
    if (preview.body.documents > 0 && !(await confirmImpact(preview.body))) return;
  }
  const { renames } = form.dataset;
  const isRenamed = renames !== undefined && body.name !== renames;
  if (isRenamed && !(await confirmRename(path, renames, String(body.name)))) return;
  const reply = await call<Placeholders>(method, path, { body });
  if (!reply.ok) return fail(form, reply);
  allowLeaving(form);
  toastLater(reply.status === 202 ? "Documents are being converted" : "Saved");
  const next = reply.status === 202 ? `/admin/jobs/${reply.body.jobId}` : dataOf(form, "after");
  location.assign(next.replace(/\{(\w+)\}/g, (_, name) => reply.body?.[name] ?? ""));
}

function fail(form: HTMLFormElement, reply: Reply): void {
  showFailures(form, reply, (path) => controlAt(form, path));
}
