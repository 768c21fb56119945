/**
 * A card of the settings page: settings that are saved together.
 *
 * @module
 */
import type { Child } from "@hono/hono/jsx";
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { Button } from "../../components/button.tsx";
import { ApiForm } from "../../components/forms/api_form.tsx";

/** The settings of a group. */
export interface GroupProps {
  values: Record<string, Json>;
  readOnly: boolean;
}

/** A card with a form. */
export function Group(
  { heading, text, readOnly, island, children }: {
    heading: string;
    text: string;
    readOnly: boolean;
    island?: string;
    children: Child;
  },
) {
  return (
    <section class="card">
      <h2>{heading}</h2>
      <p class="muted">{text}</p>
      <ApiForm
        to="PATCH /api/admin/settings"
        after="reload"
        done="Saved"
        guard
        {...(island !== undefined && { island })}
      >
        {children}
        {!readOnly && <Button type="submit" variant="primary">Save</Button>}
      </ApiForm>
    </section>
  );
}
