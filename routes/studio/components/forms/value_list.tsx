/**
 * A value of JSON as people read it: names and values, lists, and nothing of the notation.
 *
 * @module
 */
import type { Child } from "@hono/hono/jsx";
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { VALUE_DEPTH_MAX, VALUE_ENTRIES_MAX } from "../../../input/limits.ts";
import { capitalized } from "../../wording/words.ts";

/** A list of shorter texts is shown on one line. */
const WORD_CHARS = 20;

/** A value. */
export function ValueList({ value }: { value: Json }) {
  return <>{shown(value, 0)}</>;
}

function shown(value: Json, depth: number): Child {
  if (value === null || value === "") return <span class="muted">–</span>;
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value === "number") return value.toLocaleString("en");
  if (typeof value === "string") return value;
  if (depth >= VALUE_DEPTH_MAX) return <code>{JSON.stringify(value)}</code>;
  return Array.isArray(value) ? listed(value, depth) : named(value, depth);
}

function listed(values: Json[], depth: number): Child {
  if (values.length === 0) return <span class="muted">None</span>;
  const rest = values.length - VALUE_ENTRIES_MAX;
  const isShort = values.every((value) => typeof value === "string" && value.length < WORD_CHARS);
  if (isShort && rest <= 0) return values.join(", ");
  return (
    <ul class="plain-list">
      {values.slice(0, VALUE_ENTRIES_MAX).map((value) => <li>{shown(value, depth + 1)}</li>)}
      {rest > 0 && <li>{`and ${rest.toLocaleString("en")} more`}</li>}
    </ul>
  );
}

function named(values: { [name: string]: Json }, depth: number): Child {
  return (
    <dl class="value-list">
      {Object.entries(values).map(([name, value]) => (
        <div>
          <dt>{capitalized(name)}</dt>
          <dd>{shown(value, depth + 1)}</dd>
        </div>
      ))}
    </dl>
  );
}
