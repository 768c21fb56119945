/**
 * The collections in the builder, under their groups and in their order: a collection is dragged to another place
 * or group, or moved by its buttons.
 *
 * @module
 */
import type { Collection } from "../../../../kv/model/entities/collection.ts";
import { collectionGroups } from "../../collection_groups.ts";
import { IconButton } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { collectionIcon, UNGROUPED } from "../../navigation.ts";
import { counted } from "../../wording/words.ts";

interface CollectionListProps {
  collections: readonly Collection[];
  /** The number of documents by the id of the collection. */
  counts: ReadonlyMap<string, number>;
  mayWrite: boolean;
}

/** All collections, group by group. */
export function CollectionList({ collections, counts, mayWrite }: CollectionListProps) {
  const groups = collectionGroups(collections);
  const isGrouped = groups.some(({ heading }) => heading !== undefined);
  const isUngroupedMissing = isGrouped && groups.every(({ heading }) => heading !== undefined);
  return (
    <section class="card">
      <ol
        class="field-list collection-list"
        data-island={mayWrite ? "collection-order" : undefined}
      >
        {groups.map(({ heading, collections }) => (
          <>
            {isGrouped && <GroupName heading={heading} />}
            {collections.map((collection) => (
              <CollectionRow
                collection={collection}
                documents={counts.get(collection.id) ?? 0}
                mayWrite={mayWrite}
              />
            ))}
          </>
        ))}
        {isUngroupedMissing && mayWrite && (
          <GroupName heading={undefined} hint="Drag a collection here" />
        )}
      </ol>
    </section>
  );
}

/** The heading of a group; collections dragged below it join the group. */
function GroupName({ heading, hint }: { heading: string | undefined; hint?: string }) {
  return (
    <li class="field-place" data-group={heading ?? ""}>
      <h2>{heading ?? UNGROUPED}</h2>
      {hint && <span class="muted small">{hint}</span>}
    </li>
  );
}

function CollectionRow(
  { collection, documents, mayWrite }: {
    collection: Collection;
    documents: number;
    mayWrite: boolean;
  },
) {
  const { slug, name, group, position, fields, singleton, exposed, description } = collection;
  return (
    <li
      data-collection={slug}
      data-name={name}
      data-former-group={group ?? ""}
      data-position={position}
      data-grip={mayWrite ? "" : undefined}
    >
      <div>
        {mayWrite && (
          <span class="grip" data-grip>
            <Icon name="grip" />
          </span>
        )}
        <Icon name={collectionIcon(collection)} />
        <a href={`/admin/collections/${slug}`}>{name}</a>
        <code class="muted">{slug}</code>
      </div>
      <div class="row small">
        {description && <span class="muted">{description}</span>}
        <span>{`${counted(fields.length, "field")} · ${counted(documents, "document")}`}</span>
        {singleton && <span class="badge">Single document</span>}
        {!exposed && <span class="badge warn">Hidden from the API</span>}
      </div>
      {mayWrite && (
        <div class="row-buttons">
          <IconButton icon="up" data-move="up" label={`Move ${name} up`} />
          <IconButton icon="down" data-move="down" label={`Move ${name} down`} />
        </div>
      )}
    </li>
  );
}
