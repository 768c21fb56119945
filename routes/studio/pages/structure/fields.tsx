/**
 * Defining a field of a collection, and kinds of blocks.
 *
 * @module
 */
import { getBlock } from "../../../../kv/schema/blocks.ts";
import { getField } from "../../../../kv/schema/fields.ts";
import {
  type BlockDefinition,
  codesOf,
  type Collection,
  getCollection,
} from "../../../../kv/model/entities/collection.ts";
import {
  FIELD_TYPE_NAMES,
  type FieldDefinition,
  type FieldTypeName,
} from "../../../../kv/model/fields/field_definition.ts";
import {
  Definition,
  type DefinitionScope,
  DefinitionTemplate,
  EMPTY_FIELD,
  NestedDefinitions,
} from "../../definitions/definition_form.tsx";
import { FieldPreview, FieldPreviewPane } from "../../definitions/field_preview.tsx";
import { BlockTemplates } from "../../controls/block_control.tsx";
import { FIELD_FACETS } from "../../controls/field_facets.tsx";
import { NOTHING_REFERENCED } from "../../controls/referenced.ts";
import type { ControlContext } from "../../controls/control_props.ts";
import { controlContextOf } from "../../controls/control_context.ts";
import { readJsonObject } from "../../../input/body.ts";
import { page } from "../../serving/page.tsx";
import { copiedField, FieldsToCopy } from "../content/copied_field.tsx";
import type { StudioContext, Visit } from "../../serving/studio_env.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { EmptyState } from "../../components/empty_state.tsx";
import type { Handlers } from "../../screens.ts";
import { PickerDialogs } from "../content/document_dialogs.tsx";

/** `/collections/:slug/fields/…` and `/blocks…`. */
export function fieldScreens(): Handlers<
  "newField" | "field" | "fieldPreview" | "blocks" | "newBlock" | "block"
> {
  return {
    fieldPreview: async (c) => {
      const definition = await readJsonObject(c.req.raw);
      const controlContext = trialOf(c.get("visit"));
      return c.html(<FieldPreview definition={definition} controlContext={controlContext} />);
    },
    newField: (c) => newField(c),
    field: (c) => {
      const visit = c.get("visit");
      const collection = getCollection(visit.schema, c.req.param("slug"));
      const field = getField(collection, c.req.param("name"));
      const facts = { title: field.label, crumbs: crumbs(collection) };
      return page(c, facts, <FieldForm visit={visit} collection={collection} field={field} />);
    },
    blocks: (c) => blockList(c),
    newBlock: (c) => blockForm(c, null),
    block: (c) => {
      return blockForm(c, getBlock(c.get("visit").schema, c.req.param("name")));
    },
  };
}

function newField(c: StudioContext): Promise<Response> {
  const visit = c.get("visit");
  const collection = getCollection(visit.schema, c.req.param("slug") ?? "");
  const copied = copiedField(visit, c.req.query("copy"));
  const type = copied?.type ?? FIELD_TYPE_NAMES.find((name) => name === c.req.query("type"));
  const title = type === undefined
    ? "Choose a field type"
    : `New ${inSentence(FIELD_FACETS[type].label)} field`;
  const body = type === undefined
    ? (
      <>
        <TypeChoice />
        <FieldsToCopy visit={visit} collection={collection} />
      </>
    )
    : <FieldForm visit={visit} collection={collection} copied={copied} type={type} />;
  return page(c, { title, crumbs: crumbs(collection) }, body);
}

/** A name inside a sentence, in lower case unless it is an abbreviation. */
function inSentence(name: string): string {
  return name === name.toUpperCase() ? name : name.toLowerCase();
}

function crumbs({ name, slug }: Collection) {
  return [
    { label: "Collections", href: "/admin/collections" },
    { label: name, href: `/admin/collections/${slug}` },
  ];
}

function TypeChoice() {
  return (
    <ul class="type-grid">
      {FIELD_TYPE_NAMES.map((type) => (
        <li>
          <a class="tile" href={`?type=${type}`}>
            <Icon name={FIELD_FACETS[type].icon} />
            <b>{FIELD_FACETS[type].label}</b>
            <span class="small">{FIELD_FACETS[type].purpose}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** The context of a preview control, whose value is not saved. */
function trialOf(visit: Visit): ControlContext {
  return { ...controlContextOf(visit, NOTHING_REFERENCED, false), mayUpload: false };
}

function FieldForm(
  { visit, collection, field, copied, type = "text" }: {
    visit: Visit;
    collection: Collection;
    field?: FieldDefinition;
    /** The field of another collection with which a new one begins. */
    copied?: FieldDefinition | undefined;
    type?: FieldTypeName;
  },
) {
  const fields = collection.fields.filter(({ name }) => name !== field?.name);
  const scope = { ...scopeOf(visit), siblings: fields.map(({ name, label }) => ({ name, label })) };
  const base = `/api/admin/collections/${collection.slug}/fields`;
  const flags = field ?? copied ?? { unique: false, indexed: false, sortable: false };
  const definition = field ?? copied ?? { ...EMPTY_FIELD, type, localized: false };
  const controlContext = trialOf(visit);
  return (
    <div class="definition-columns">
      <form
        class="form card"
        data-island="definition-form"
        data-row
        data-method={field === undefined ? "POST" : "PATCH"}
        data-path={field === undefined ? base : `${base}/${field.name}`}
        data-type={field?.type}
        data-after={`/admin/collections/${collection.slug}`}
        novalidate
      >
        <div class="alert bad" data-failure role="alert" tabindex={-1} hidden></div>
        <Definition
          field={definition}
          id="d"
          scope={scope}
          flags={{
            ...flags,
            localized: codesOf(collection).length > 0 ? definition.localized === true : undefined,
          }}
          isNew={field === undefined}
        />
        <div class="dialog-foot">
          <ButtonLink href={`/admin/collections/${collection.slug}`}>Cancel</ButtonLink>
          <Button type="submit" variant="primary">
            {field === undefined ? "Create field" : "Save"}
          </Button>
        </div>
        <DefinitionTemplate scope={scope} />
      </form>
      <FieldPreviewPane definition={definition} controlContext={controlContext} />
      <BlockTemplates controlContext={controlContext} />
      <PickerDialogs visit={visit} />
    </div>
  );
}

function blockList(c: StudioContext): Promise<Response> {
  const visit = c.get("visit");
  const blocks = [...visit.schema.blocks.values()].sort((a, b) => a.label < b.label ? -1 : 1);
  const mayWrite = visit.can("collections.write");
  const add = (
    <ButtonLink variant="primary" href="/admin/blocks/new" icon="plus">
      New block
    </ButtonLink>
  );
  const intro = "Building blocks for pages: a quotation, a gallery, a call to action.";
  return page(
    c,
    { title: "Blocks", intro, ...(mayWrite && { actions: add }) },
    blocks.length === 0
      ? (
        <EmptyState icon="blocks" title="No blocks yet">
          <p>
            A block has its own fields and can be used in block fields and in the page blocks of any
            document. Editors can add it as soon as you define it.
          </p>
          {mayWrite && add}
        </EmptyState>
      )
      : (
        <ul class="cards">
          {blocks.map((block) => (
            <li class="card linked">
              <h2>
                {mayWrite ? <a href={`/admin/blocks/${block.name}`}>{block.label}</a> : block.label}
              </h2>
              <p class="muted">
                {block.fields.map(({ label }) => label).join(", ") || "No fields"}
              </p>
              <code class="small">{block.name}</code>
            </li>
          ))}
        </ul>
      ),
  );
}

function blockForm(c: StudioContext, block: BlockDefinition | null): Promise<Response> {
  const scope = scopeOf(c.get("visit"));
  const facts = {
    title: block?.label ?? "New block",
    crumbs: [{ label: "Blocks", href: "/admin/blocks" }],
  };
  return page(
    c,
    facts,
    <form
      class="form card narrow"
      data-island="definition-form"
      data-row
      data-method={block === null ? "POST" : "PATCH"}
      data-path={block === null ? "/api/admin/blocks" : `/api/admin/blocks/${block.name}`}
      data-after="/admin/blocks"
      data-renames={block?.name}
      novalidate
    >
      <div class="alert bad" data-failure role="alert" tabindex={-1} hidden></div>
      <div class="pair">
        <div class="control" data-name="label" data-type="text">
          <label for="b-label">Label</label>
          <input id="b-label" type="text" value={block?.label ?? ""} autofocus={block === null} />
        </div>
        <div class="control" data-name="name" data-type="text">
          <label for="b-name">Name in the API</label>
          <input
            id="b-name"
            type="text"
            class="mono"
            value={block?.name ?? ""}
            data-follows={block === null ? "label" : undefined}
          />
        </div>
      </div>
      <fieldset
        class="control repeater"
        data-name="fields"
        data-type="repeater"
        data-keeps-empty
      >
        <legend>Fields</legend>
        <NestedDefinitions fields={block?.fields ?? []} id="b" scope={scope} />
      </fieldset>
      <div class="dialog-foot">
        {block !== null && (
          <Button
            variant="danger"
            data-action={`DELETE /api/admin/blocks/${block.name}`}
            data-then="/admin/blocks"
            data-done={`${block.label} is deleted`}
            data-impact={`/api/admin/blocks/${block.name}`}
            data-ask="Delete this block? Documents keep their blocks of this type, but the site no longer shows them."
          >
            Delete
          </Button>
        )}
        <ButtonLink href="/admin/blocks">Cancel</ButtonLink>
        <Button type="submit" variant="primary">Save</Button>
      </div>
      <DefinitionTemplate scope={scope} />
    </form>,
  );
}

function scopeOf({ schema }: Visit): DefinitionScope {
  return {
    collections: schema.collections.map(({ slug, name }) => ({ slug, name })),
    blocks: [...schema.blocks.values()].map(({ name, label }) => ({ name, label })),
    ...schema.languages !== undefined && { languages: schema.languages },
  };
}
