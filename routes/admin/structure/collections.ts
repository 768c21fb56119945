/**
 * `/api/admin/collections`: the schema. Changes take effect as soon as they are saved.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import {
  createCollection,
  patchCollection,
  removeCollection,
} from "../../../kv/schema/collections.ts";
import type { Content } from "../../../kv/documents/content.ts";
import { localizedImpact } from "../../../kv/documents/lists/translation_counts.ts";
import { createField, getField, patchField, removeField } from "../../../kv/schema/fields.ts";
import { previewMigration } from "../../../kv/schema/migrate_field.ts";
import { type Collection, getCollection } from "../../../kv/model/entities/collection.ts";
import { parseCollection, parseCollectionPatch } from "../../../kv/model/input/collection_input.ts";
import type { FieldDefinition } from "../../../kv/model/fields/field_definition.ts";
import { parseField } from "../../../kv/model/fields/field_input.ts";
import { collectionImpact, fieldImpact } from "../../../kv/schema/impact.ts";
import { carryOutUnique } from "../../../kv/schema/make_unique.ts";
import { UNIQUE_WAIT_MS } from "../../../kv/tuning.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import type { Deps } from "../../deps/deps.ts";
import { readJsonObject } from "../../input/body.ts";
import { isDryRun } from "../../query/dry_run.ts";
import { actorOf, may, pageOf } from "../admin_env.ts";
import { impactView } from "./impact_view.ts";

/** Collections and their fields. */
export function collectionRoutes({ content }: Deps): Hono<AdminEnv> {
  return new Hono<AdminEnv>()
    .get("/", may("collections.read"), async (c) => {
      const { collections } = await content.schema.current();
      return c.json(pageOf(c, collections.map(collectionView)));
    })
    .post("/", may("collections.write"), async (c) => {
      const input = parseCollection(await readJsonObject(c.req.raw));
      const collection = await createCollection(content, actorOf(c), input);
      const location = `/api/admin/collections/${collection.slug}`;
      return c.json(collectionView(collection), 201, { location });
    })
    .get("/:slug", may("collections.read"), async (c) => {
      const schema = await content.schema.current();
      return c.json(collectionView(getCollection(schema, c.req.param("slug"))));
    })
    .patch("/:slug", may("collections.write"), async (c) => {
      const patch = parseCollectionPatch(await readJsonObject(c.req.raw));
      if (isDryRun(c.req.queries()) && patch.localized !== undefined) {
        return c.json(await impactOfLocalizing(content, c.req.param("slug"), null));
      }
      const collection = await patchCollection(content, actorOf(c), c.req.param("slug"), patch);
      return c.json(collectionView(collection));
    })
    .delete("/:slug", may("collections.write"), async (c) => {
      if (isDryRun(c.req.queries())) {
        return c.json(impactView(c, await collectionImpact(content, c.req.param("slug"))));
      }
      await removeCollection(content, actorOf(c), c.req.param("slug"));
      return c.body(null, 204);
    })
    .post("/:slug/fields", may("collections.write"), async (c) => {
      const input = parseField(await readJsonObject(c.req.raw));
      const field = await createField(content, actorOf(c), c.req.param("slug"), input);
      const location = `/api/admin/collections/${c.req.param("slug")}/fields/${field.name}`;
      return c.json(fieldView(field), 201, { location });
    })
    .get("/:slug/fields/:name", may("collections.read"), async (c) => {
      const schema = await content.schema.current();
      const collection = getCollection(schema, c.req.param("slug"));
      return c.json(fieldView(getField(collection, c.req.param("name"))));
    })
    .patch("/:slug/fields/:name", may("collections.write"), async (c) => {
      const body = await readJsonObject(c.req.raw);
      const { slug, name } = c.req.param();
      if (isDryRun(c.req.queries()) && body.localized !== undefined) {
        return c.json(await impactOfLocalizing(content, slug, name));
      }
      if (isDryRun(c.req.queries())) {
        return c.json(await previewMigration(content, slug, name, body));
      }
      const patched = await patchField(content, actorOf(c), slug, name, body);
      if ("field" in patched) return c.json(fieldView(patched.field));
      if ("jobId" in patched) return c.json(patched, 202);
      const { building } = patched;
      const field = await carryOutUnique(content, actorOf(c), building, UNIQUE_WAIT_MS);
      return field === null ? c.json({ jobId: building.jobId }, 202) : c.json(fieldView(field));
    })
    .delete("/:slug/fields/:name", may("collections.write"), async (c) => {
      const { slug, name } = c.req.param();
      if (isDryRun(c.req.queries())) {
        return c.json(impactView(c, await fieldImpact(content, slug, name)));
      }
      await removeField(content, actorOf(c), slug, name);
      return c.body(null, 204);
    });
}

/** The documents whose translations a change of `localized` hides or shows, of a field or all of them. */
async function impactOfLocalizing(content: Content, slug: string, name: string | null) {
  const schema = await content.schema.current();
  const collection = getCollection(schema, slug);
  const key = name === null ? null : getField(collection, name).key;
  return await localizedImpact(content, schema, collection, key);
}

/** A collection as the admin API shows it. */
export function collectionView(collection: Collection) {
  return { ...collection, fields: collection.fields.map(fieldView) };
}

/** A field as the admin API shows it: without what only the store needs. */
function fieldView(field: FieldDefinition) {
  const { key: _key, collectionId: _collection, uniqueBuilding: _building, ...rest } = field;
  const { migrating, formerly: _formerly, ...view } = rest;
  return migrating === undefined
    ? view
    : { ...view, migrating: { jobId: migrating.jobId, to: migrating.to.type } };
}
