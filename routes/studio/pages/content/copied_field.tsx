/**
 * A new field that begins as one of another collection.
 *
 * @module
 */
import type { Collection } from "../../../../kv/model/entities/collection.ts";
import type { FieldDefinition } from "../../../../kv/model/fields/field_definition.ts";
import { Icon } from "../../components/icon.tsx";
import { FIELD_FACETS } from "../../controls/field_facets.tsx";
import type { Visit } from "../../serving/studio_env.ts";

/** The field that an address names as `collection.field`, without what only its own collection knows. */
export function copiedField(
  { schema }: Visit,
  address: string | undefined,
): FieldDefinition | undefined {
  const [slug, name] = address?.split(".") ?? [];
  const collection = schema.bySlug.get(slug ?? "");
  const field = collection?.fields.find((one) => one.name === name);
  if (field === undefined) return undefined;
  const { showWhen: _when, showWhenIs: _is, ...options } = field.options;
  return { ...field, options };
}

/** The fields of other collections, as links to a prefilled form. */
export function FieldsToCopy({ visit, collection }: { visit: Visit; collection: Collection }) {
  const others = visit.schema.collections.filter((one) =>
    one.slug !== collection.slug && one.fields.length > 0
  );
  if (others.length === 0) return null;
  return (
    <section class="copied-fields" aria-labelledby="copied-fields-title">
      <h2 id="copied-fields-title">Or copy an existing field</h2>
      {others.map(({ slug, name, fields }) => (
        <details>
          <summary>
            {name} <span class="count">{fields.length}</span>
          </summary>
          <ul class="chips">
            {fields.map((field) => (
              <li>
                <a class="badge" href={`?copy=${slug}.${field.name}`}>
                  <Icon name={FIELD_FACETS[field.type].icon} />
                  {field.label}
                </a>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </section>
  );
}
