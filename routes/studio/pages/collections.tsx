/**
 * The builder: collections, their fields, and how documents will look.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import type { Collection } from "../../../kv/model/collection.ts";
import { type Status, STATUSES } from "../../../kv/model/document.ts";
import { getCollection } from "../../../kv/schema/schema.ts";
import { may } from "../../admin/admin_env.ts";
import type { Deps } from "../../deps.ts";
import { ApiForm } from "../components/api_form.tsx";
import { Icon } from "../components/icon.tsx";
import { page } from "../page.tsx";
import type { StudioEnv, Visit } from "../studio_env.ts";
import { CollectionPage } from "./collection.tsx";
import { CollectionFields } from "./collection_fields.tsx";
import { DialogHead } from "../components/dialog_head.tsx";

/** `/collections` and `/collections/:slug`. */
export function collectionPages({ content }: Deps): Hono<StudioEnv> {
  return new Hono<StudioEnv>()
    .get("/collections", may("collections.read"), async (c) => {
      const visit = c.get("visit");
      const { collections } = visit.schema;
      const counts = await Promise.all(
        collections.map(async (collection) =>
          living(await content.index.countByStatus([collection]))
        ),
      );
      const intro = "Kinds of things you write about. A new one is live in the API at once.";
      const mayWrite = visit.can("collections.write");
      return await page(
        c,
        { title: "Collections", intro, ...(mayWrite && { actions: <NewButton /> }) },
        <>
          {collections.length === 0
            ? <NoCollections mayWrite={mayWrite} />
            : <CollectionList collections={collections} counts={counts} />}
          {mayWrite && <NewCollection />}
        </>,
      );
    })
    .get("/collections/:slug", may("collections.read"), async (c) => {
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
    });
}

/** Documents that are not in the trash. */
function living(counts: Record<Status, number>): number {
  return STATUSES.filter((status) => status !== "trashed")
    .reduce((sum, status) => sum + counts[status], 0);
}

function NewButton() {
  return (
    <button type="button" class="button primary" data-opens="new-collection">
      <Icon name="plus" /> New collection
    </button>
  );
}

function CollectionActions({ visit, collection }: { visit: Visit; collection: Collection }) {
  return (
    <>
      {visit.can("versions.read") && (
        <a class="button quiet" href={`/admin/versions/collection/${collection.id}`}>
          <Icon name="history" /> History
        </a>
      )}
      {visit.can("documents.read") && (
        <a class="button" href={`/admin/content/${collection.slug}`}>
          <Icon name="documents" /> Documents
        </a>
      )}
      {visit.can("collections.write") && (
        <a class="button primary" href={`/admin/collections/${collection.slug}/fields/new`}>
          <Icon name="plus" /> Add a field
        </a>
      )}
    </>
  );
}

function CollectionList({ collections, counts }: { collections: Collection[]; counts: number[] }) {
  return (
    <ul class="cards">
      {collections.map((collection, place) => (
        <li class="card linked">
          <h2>
            <a href={`/admin/collections/${collection.slug}`}>{collection.name}</a>
          </h2>
          <p class="muted">{collection.description || `/${collection.slug}`}</p>
          <p class="row small">
            <span>{`${collection.fields.length} fields`}</span>
            <span class="muted">·</span>
            <span>{`${counts[place]!.toLocaleString("en")} documents`}</span>
            {!collection.exposed && <span class="badge warn">Not in the API</span>}
          </p>
        </li>
      ))}
    </ul>
  );
}

function NoCollections({ mayWrite }: { mayWrite: boolean }) {
  return (
    <div class="empty">
      <h2>Begin with a collection</h2>
      <p>
        Posts, pages, recipes, people: a collection is a kind of document with fields of its own.
        You can change them at any time; documents are converted, and nothing is lost.
      </p>
      {mayWrite && <NewButton />}
    </div>
  );
}

function NewCollection() {
  return (
    <dialog id="new-collection" class="dialog" aria-labelledby="new-collection-title">
      <DialogHead id="new-collection-title" title="New collection" />
      <ApiForm to="POST /api/admin/collections" after="/admin/collections/{slug}">
        <CollectionFields collection={null} />
        <div class="dialog-foot">
          <button type="button" class="button" data-close>Cancel</button>
          <button type="submit" class="button primary">Create</button>
        </div>
      </ApiForm>
    </dialog>
  );
}
