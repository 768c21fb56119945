/**
 * Lists of Payload's REST API and its exports. They describe no schema, so fields follow from their values.
 *
 * @module
 */
import type { Plan, PlanCollection } from "../../../kv/model/transfers/plan.ts";
import { hasExtension, type PlanScope, type TransferFormat } from "./format.ts";
import { json } from "./json.ts";
import { type KnownField, withFields } from "./plan_fields.ts";

/** Reads lists of Payload. */
export const payload: TransferFormat = {
  kind: "payload",
  matches: (files) =>
    files.some((file) =>
      hasExtension(file, "json") && /^\s*\{[\s\S]*"docs"\s*:\s*\[/.test(file.head) &&
      (/"totalDocs"\s*:/.test(file.head) || /"_status"\s*:|"blockType"\s*:/.test(file.head))
    ),
  async *read(scope) {
    for await (const row of json.read(scope)) {
      const { _status, ...data } = row.data;
      const status = _status === undefined ? {} : { status: _status };
      yield { ...row, data: { ...data, ...status } };
    }
  },
  adjust: adjustPlan,
};

function adjustPlan(plan: Plan, { shapes }: PlanScope): Plan {
  const collections = plan.collections.map((collection): PlanCollection => {
    const known: Record<string, KnownField> = {};
    for (const [name, stats] of shapes.get(collection.source)?.fields ?? []) {
      const inner = stats.inner?.fields;
      if (inner?.has("root")) known[name] = { type: "rich_text", convert: "lexical" };
      else if (inner?.has("mimeType") && inner.has("url")) known[name] = { type: "media" };
      else if (name === "updatedAt") known[name] = null;
    }
    return withFields(collection, known);
  });
  return { ...plan, collections };
}
