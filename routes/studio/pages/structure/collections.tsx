/**
 * The builder: collections, their fields, and how documents will look.
 *
 * @module
 */
import {
  type Collection,
  getCollection,
  type Schema,
} from "../../../../kv/model/entities/collection.ts";
import { type Status, STATUSES } from "../../../../kv/model/entities/document.ts";
import type { Deps } from "../../../deps/deps.ts";
import { ApiForm } from "../../components/forms/api_form.tsx";
import { page } from "../../serving/page.tsx";
import type { Visit } from "../../serving/studio_env.ts";
import { CollectionPage } from "./collection.tsx";
import { CollectionFields } from "./collection_fields.tsx";
import { CollectionList } from "./collection_list.tsx";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Dialog } from "../../components/overlays/dialog.tsx";
import { EmptyState } from "../../components/empty_state.tsx";
import { TemplateChoice } from "../../definitions/template_choice.tsx";
import type { Handlers } from "../../screens.ts";

/** `/collections` and `/collections/:slug`. */
export function collectionScreens({ content }: Deps): Handlers<"collections" | "collection"> {
  return {
    collections: async (c) => {
      const visit = c.get("visit");
      const { collections } = visit.schema;
      const counts = new Map(
        await Promise.all(
          collections.map(async (collection) =>
            [collection.id, living(await content.index.countByStatus([collection]))] as const
          ),
        ),
      );
      const intro =
        "The kinds of content on your site. A new collection is available in the API immediately.";
      const mayWrite = visit.can("collections.write");
      return await page(
        c,
        { title: "Collections", intro, ...(mayWrite && { actions: <NewButton /> }) },
        <>
          {collections.length === 0
            ? <NoCollections mayWrite={mayWrite} />
            : <CollectionList collections={collections} counts={counts} mayWrite={mayWrite} />}
          {mayWrite && <NewCollection schema={visit.schema} />}
        </>,
      );
    },
    collection: async (c) => {
      const visit = c.get("visit");
      const collection = getCollection(visit.schema, c.req.param("slug"));
      const documents = living(await content.index.countByStatus([collection]));
      return await page(
        c,
        {
          title: collection.name,
          crumbs: [{ label: "Collections", href: "/admin/collections" }],
          actions: <CollectionActions visit={visit} collection={collection} />,
          ...(collection.description && { intro: collection.description }),
        },
        <CollectionPage visit={visit} collection={collection} documents={documents} />,
      );
    },
  };
}

/** Documents that are not in the trash. */
function living(counts: Record<Status, number>): number {
  return STATUSES.filter((status) => status !== "trashed")
    .reduce((sum, status) => sum + counts[status], 0);
}

function NewButton() {
  return (
    <Button variant="primary" data-opens="new-collection" icon="plus">
      New collection
    </Button>
  );
}

function CollectionActions({ visit, collection }: { visit: Visit; collection: Collection }) {
  return (
    <>
      {visit.can("versions.read") && (
        <ButtonLink
          variant="quiet"
          href={`/admin/versions/collection/${collection.id}`}
          icon="history"
        >
          History
        </ButtonLink>
      )}
      <ButtonLink href={`/admin/collections/${collection.slug}/api`} icon="code">API</ButtonLink>
      {visit.documents.in("read", collection.id) && (
        <ButtonLink href={`/admin/content/${collection.slug}`} icon="documents">
          Documents
        </ButtonLink>
      )}
      {visit.can("collections.write") && (
        <ButtonLink
          variant="primary"
          href={`/admin/collections/${collection.slug}/fields/new`}
          icon="plus"
        >
          Add field
        </ButtonLink>
      )}
    </>
  );
}

function NoCollections({ mayWrite }: { mayWrite: boolean }) {
  return (
    <EmptyState icon="structure" title="Create your first collection">
      <p>
        A collection is a kind of document with its own fields, such as posts, pages, recipes or
        people. You can change the fields at any time; existing documents are converted, and nothing
        is lost.
      </p>
      {mayWrite && <NewButton />}
    </EmptyState>
  );
}

function NewCollection({ schema }: { schema: Schema }) {
  return (
    <Dialog id="new-collection" title="New collection">
      <ApiForm to="POST /api/admin/collections" after="/admin/collections/{slug}">
        <TemplateChoice collections={schema.collections} />
        <CollectionFields collection={null} schema={schema} />
        <div class="dialog-foot">
          <Button data-close>Cancel</Button>
          <Button type="submit" variant="primary">Create</Button>
        </div>
      </ApiForm>
    </Dialog>
  );
}
