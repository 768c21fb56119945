/**
 * Runs in the browser. Saves the plan of a transfer, and shows samples of what its rows would become.
 *
 * @module
 */
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { FUTURE_ID } from "../../../../kv/model/transfers/future_id.ts";
import type { Plan, PlanCollection } from "../../../../kv/model/transfers/plan.ts";
import type { Reply } from "../page/call.ts";
import type { TransferTools } from "./transfer_tools.ts";

/** A row of the source, and the document that it becomes. */
interface Sample {
  source: Record<string, Json>;
  document: Record<string, Json>;
  problems: { path: string; message: string }[];
}

/** The parts of a plan that the form has; empty controls are null. */
type FormValues = Pick<Plan, "redirects" | "sourceKey"> & {
  collections: (PlanCollection & { target: { slug: string; name: string | null } })[];
  media: Partial<Plan["media"]> | null;
  authors: Partial<Plan["authors"]> | null;
  blocks?: { target: string | null }[] | null;
  settings?: { apply: boolean }[] | null;
  languages: Plan["languages"] | null;
};

/** Problems of a row in a sample. */
const PROBLEMS_SHOWN = 3;
/** Characters of a value in a sample. */
const VALUE_CHARS = 120;

/** The form of a plan. */
export class TransferPlanForm {
  readonly #tools: TransferTools;
  readonly #form: HTMLFormElement;
  readonly #plan: Plan;
  readonly #path: string;

  constructor(tools: TransferTools, element: HTMLElement) {
    this.#tools = tools;
    this.#form = element as HTMLFormElement;
    this.#plan = tools.embedded<Plan>(element, "plan");
    this.#path = `/api/admin/transfers/${tools.dataOf(element, "transfer")}`;
  }

  /** Makes the form save itself, and shows samples. */
  start(): void {
    const { all, get, guard, startRows } = this.#tools;
    const form = this.#form;
    const changed = () => guard(form);
    startRows(form, { changed });
    form.addEventListener("input", changed);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#save();
    });
    get(form, "[data-download-plan]").addEventListener("click", () => this.#download());
    for (const box of all(form, "[data-sample]")) void this.#showSamples(box);
  }

  #values(): Plan {
    return planOf(this.#tools.readFields(this.#form) as FormValues, this.#plan);
  }

  async #save(): Promise<void> {
    const { allowLeaving, call, controlAt, showFailures, toastLater } = this.#tools;
    const form = this.#form;
    const reply = await call("PATCH", this.#path, { body: { plan: this.#values() } });
    if (!reply.ok) {
      return showFailures(form, reply, (field) => controlAt(form, field.replace(/^plan\./, "")));
    }
    allowLeaving(form);
    toastLater("Plan saved");
    location.reload();
  }

  #download(): void {
    const text = JSON.stringify(this.#values(), null, 2);
    const href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    this.#tools.make("a", { href, download: "plan.json" }).click();
    URL.revokeObjectURL(href);
  }

  async #showSamples(box: HTMLElement): Promise<void> {
    const { call, dataOf, make } = this.#tools;
    const query = `collection=${dataOf(box, "sample")}&limit=${dataOf(box, "limit")}`;
    const reply = await call<{ data: Sample[] }>("GET", `${this.#path}/sample?${query}`);
    box.replaceChildren(make("h3", {}, "Samples"), samplesOf(make, reply));
  }
}

/** The plan with what the form says; the form leaves out what few plans change. */
function planOf(values: FormValues, plan: Plan): Plan {
  const { collections, media, authors, languages, redirects, sourceKey, settings } = values;
  const targets = plan.blocks.map((_, index) => values.blocks?.[index]?.target ?? "");
  const renamed = new Map(plan.blocks.map(({ target }, index) => [target, targets[index] ?? ""]));
  const nothing = Object.fromEntries(Object.keys(plan.languages).map((name) => [name, null]));
  return {
    ...plan,
    redirects,
    sourceKey: sourceKey ?? "",
    collections: plan.collections.map((planned, index) =>
      withBlocks(collectionOf(planned, collections[index] ?? planned), renamed)
    ),
    media: { ...plan.media, ...media, hosts: media?.hosts ?? [], folder: media?.folder ?? "" },
    authors: {
      collection: authors?.collection ?? null,
      mapping: { ...plan.authors.mapping, ...authors?.mapping },
    },
    blocks: plan.blocks.map((block, index) => ({ ...block, target: targets[index] ?? "" })),
    settings: plan.settings.map((setting, index) => ({
      ...setting,
      apply: settings?.[index]?.apply === true,
    })),
    languages: Object.keys(nothing).length === 0 ? plan.languages : languages ?? nothing,
  };
}

/** A collection whose fields allow the blocks that those of before have become. */
function withBlocks(
  collection: PlanCollection,
  renamed: ReadonlyMap<string, string>,
): PlanCollection {
  const fields = collection.fields.map((field) => {
    const { allowed } = field.options;
    if (!Array.isArray(allowed)) return field;
    const names = allowed.map((name) => renamed.get(String(name)) ?? String(name));
    const kept = [...new Set(names)].filter((name) => name !== "drop");
    return { ...field, options: { ...field.options, allowed: kept } };
  });
  return { ...collection, fields };
}

function collectionOf(planned: PlanCollection, values: PlanCollection): PlanCollection {
  const { target, status, match, fields, ...rest } = values;
  const isNew = typeof target !== "string" && target.name;
  return {
    ...planned,
    ...rest,
    target: typeof target === "string" || isNew ? target : target.slug,
    status: status ?? planned.status,
    match: match ?? "source",
    fields: (fields ?? []).map((field) => {
      const { convert: _convert, ...known } = planned.fields.find(({ from }) =>
        from === field.from
      ) ?? { options: {} };
      return { ...known, ...field };
    }),
  };
}

type Make = TransferTools["make"];

function samplesOf(make: Make, reply: Reply<{ data: Sample[] }>): HTMLElement {
  if (!reply.ok) return make("p", { class: "muted" }, reply.message);
  if (reply.body.data.length === 0) return make("p", { class: "muted" }, "There are no rows.");
  const rows = reply.body.data.map(({ source, document, problems }) =>
    make(
      "li",
      {},
      listOf(make, { title: null, slug: null, ...document }),
      ...warningsOf(make, problems),
      make("details", {}, make("summary", {}, "Source"), listOf(make, source)),
    )
  );
  return make("ol", {}, ...rows);
}

/** The first problems, each once. */
function warningsOf(make: Make, problems: Sample["problems"]): HTMLElement[] {
  const texts = new Set(
    problems.map(({ path, message }) => path === "" ? message : `${path}: ${message}`),
  );
  const shown = [...texts].slice(0, PROBLEMS_SHOWN);
  const more = texts.size - shown.length;
  return [...shown, ...(more > 0 ? [`And ${more} more`] : [])]
    .map((text) => make("p", { class: "warning small" }, text));
}

/** The values that are there, as text. */
function listOf(make: Make, values: Record<string, Json>): HTMLElement {
  const entries = Object.entries(values).filter(([, value]) => value !== null && value !== "");
  return make(
    "dl",
    {},
    ...entries.flatMap(([name, value]) => [
      make("dt", {}, name),
      make("dd", { dir: "auto" }, shortText(name, value)),
    ]),
  );
}

function shortText(name: string, value: Json): string {
  const text = textOf(name, value);
  return text.length > VALUE_CHARS ? `${text.slice(0, VALUE_CHARS)} …` : text;
}

/** A value as people read it: dates, the words of rich text, and references whose documents the run creates. */
function textOf(name: string, value: Json): string {
  if (typeof value === "number" && name.endsWith("At")) {
    return new Date(value * 1_000).toLocaleString("en", {
      dateStyle: "medium",
      timeStyle: "short",
    });
  }
  if (Array.isArray(value)) {
    return value.map((one) => textOf(name, one)).filter((text) => text !== "").join(" ");
  }
  if (value !== null && typeof value === "object") {
    const { children, text } = value;
    if (Array.isArray(children)) return textOf(name, children);
    return typeof text === "string" ? text : JSON.stringify(value);
  }
  return value === FUTURE_ID ? "(from this transfer)" : String(value);
}
