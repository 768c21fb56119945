/**
 * The panel of a document with its search result and its card, drawn from its preview.
 *
 * @module
 */
import { searchFields } from "../../../../jobs/render/views/search_facts.ts";
import { type Collection, hasPages } from "../../../../kv/model/entities/collection.ts";
import type { DocumentState } from "../../../../kv/model/entities/document.ts";
import type { NestedField } from "../../../../kv/model/fields/field_definition.ts";
import { Button } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import type { Visit } from "../../serving/studio_env.ts";
import { WhenCreated } from "../planning/when_created.tsx";

/** The group of fields that the panel offers to a collection without any; their names give them their roles. */
const SEO_GROUP = {
  name: "seo",
  label: "Search and sharing",
  type: "group",
  options: {
    fields: [
      nested("title", "Title for search engines", "text"),
      nested("description", "Description", "text", { multiline: true }),
      nested("image", "Image for shared links", "media"),
      nested("noindex", "Hide from search engines", "boolean"),
      nested("canonical", "Canonical URL", "url"),
    ],
  },
};

/** The panel; nothing for documents without a page. */
export function SearchPanel(
  { visit, collection, state, language }: {
    visit: Visit;
    collection: Collection;
    state: Pick<DocumentState, "id"> | null;
    /** Of a translation. */
    language?: string;
  },
) {
  if (!hasPages(collection)) return null;
  const fields = searchFields(collection);
  const roles = Object.fromEntries(fields.toReversed().map(({ role, path }) => [role, path]));
  const query = language === undefined ? "" : `?language=${language}`;
  const isOffered = fields.length === 0 && visit.can("collections.write") &&
    collection.fields.every(({ name }) => name !== SEO_GROUP.name);
  const field = { ...SEO_GROUP, ...(collection.localized && { localized: true }) };
  return (
    <WhenCreated state={state}>
      {(id) => (
        <details
          class="card search-panel"
          data-search-panel
          data-page={`/admin/documents/${id}/preview${query}`}
          data-roles={JSON.stringify(roles)}
        >
          <summary>
            <Icon name="search" />
            Search and sharing
          </summary>
          <div data-search-output aria-live="polite">
            <p class="muted">Loading …</p>
          </div>
          {isOffered && (
            <>
              <p class="help">
                This collection has no fields for a title, description or image of their own.
              </p>
              <Button
                size="small"
                data-add-seo={`/api/admin/collections/${collection.slug}/fields`}
                data-field={JSON.stringify(field)}
              >
                Add SEO fields
              </Button>
            </>
          )}
        </details>
      )}
    </WhenCreated>
  );
}

function nested(
  name: string,
  label: string,
  type: NestedField["type"],
  options: NestedField["options"] = {},
) {
  return { name, label, type, options };
}
