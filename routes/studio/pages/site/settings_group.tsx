/**
 * A card of the settings page, and the list of its cards.
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

/** A card with a form, which the bar of the page saves. */
export function Group(
  { id, heading, text, island, children }: {
    /** The address of the card on its page. */
    id: string;
    heading: string;
    text: string;
    island?: string;
    children: Child;
  },
) {
  return (
    <section class="card" id={id}>
      <h2>{heading}</h2>
      <p class="muted">{text}</p>
      <ApiForm
        to="PATCH /api/admin/settings"
        guard
        {...(island !== undefined && { island })}
      >
        {children}
        {/* Enter submits a form with several fields only if it has a button that does. */}
        <Button type="submit" hidden>Save</Button>
      </ApiForm>
    </section>
  );
}

/** A link to a card. */
export type SectionLink = readonly [id: string, label: string];

/** The cards of the page, at its side where there is room. */
export function SectionLinks({ sections }: { sections: readonly SectionLink[] }) {
  return (
    <nav class="section-links" aria-label="Sections" data-sections>
      {sections.map(([id, label]) => <a href={`#${id}`}>{label}</a>)}
    </nav>
  );
}
