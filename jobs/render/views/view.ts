/**
 * The view of a document for templates: values by field, with checked links, rendered text and resolved
 * references.
 *
 * @module
 */
import type { PageRole } from "../../../kv/model/fields/field_role.ts";
import { storedValue, typedBlocks } from "./stored_values.ts";
import { isJsonObject } from "../../../kv/model/values/json_object.ts";
import type { Collection, Schema } from "../../../kv/model/entities/collection.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import type { FieldTypeName, NestedField } from "../../../kv/model/fields/field_definition.ts";
import type { PublishedDocument } from "../../../kv/model/entities/page.ts";
import { BlockBounds } from "../rich_text/block_bounds.ts";
import {
  type DateView,
  dateView,
  type DayFormat,
  type MomentView,
  momentView,
} from "./date_view.ts";
import { FIELD_RENDERINGS, type FieldKind } from "./field_renderings.ts";
import { fieldLabel } from "./field_label.ts";
import { fieldRole } from "./field_role.ts";
import { Html } from "../markup.ts";
import { type MediaFacts, type MediaView, mediaView } from "./media_view.ts";
import { portableTextHtml } from "../rich_text/portable_text.ts";
import { documentPath, type SiteFacts } from "../site_facts.ts";
import { wordsOf } from "../theme/site_words.ts";
import type { Theme } from "../theme/theme.ts";

/** The inputs of every page other than its documents. */
export interface Rendering {
  site: SiteFacts;
  schema: Schema;
  theme: Theme;
  /** How the site spells days. */
  days: DayFormat;
  /** The release of the service, because another one may render differently. */
  release?: string;
  /** Days since 1970 in UTC: lists of events start with the upcoming ones. */
  day?: number;
  /** Ids of collections in which nothing is published: no menu leads there. */
  empty?: ReadonlySet<string>;
}

/** Resolves the references of a document; null for unpublished targets. */
export interface Lookup {
  medium: (id: string) => MediaFacts | null;
  document: (id: string) => PublishedDocument | null;
}

/** A document that another one names. */
export interface ReferenceView {
  title: string;
  slug: string;
  /** Null if its collection has no pages. */
  path: string | null;
}

/** The target of a reference; null if it is not published. */
export function publicReference(
  { schema }: Pick<Rendering, "schema">,
  lookup: Pick<Lookup, "document">,
  id: unknown,
): ReferenceView | null {
  const target = typeof id === "string" ? lookup.document(id) : null;
  const collection = target && schema.byId.get(target.collectionId);
  return target && collection
    ? {
      title: target.title,
      slug: target.slug,
      path: collection.pageless ? null : documentPath(collection, target.slug),
    }
    : null;
}

/** A field in a template. */
export interface FieldView {
  name: string;
  label: string;
  type: FieldTypeName;
  value: unknown;
  kind?: FieldKind;
  multiline?: boolean;
  /** The caption of an image in rich text. */
  caption?: string;
  /** A group's fields, as of a block. */
  body?: FieldView[];
  facts?: FieldView[];
  /** A repeater's rows. */
  rows?: NestedView[];
}

/** Several fields in a template: by name, and in two parts in order. */
export interface FieldsView {
  /** Values by name; a field without a value is null. */
  fields: Record<string, unknown>;
  /** The main content, in order. */
  body: FieldView[];
  /** Single values, for a table. */
  facts: FieldView[];
  /** The authors of the document. */
  bylines: FieldView[];
  /** When it takes place. */
  dates: FieldView[];
  /** Its tags. */
  tags: FieldView[];
  /** Summary, cover and related documents, which are not part of body and facts. */
  standfirsts: FieldView[];
  covers: FieldView[];
  related: FieldView[];
}

/** Blocks, groups and rows: each value is in the body or in the facts. */
type NestedView = Pick<FieldsView, "fields" | "body" | "facts">;

/** Turns stored values into views. Stateful: use one per page. */
export class Viewer {
  readonly #rendering: Rendering;
  readonly #lookup: Lookup;
  readonly #bounds: BlockBounds;

  constructor(rendering: Rendering, lookup: Lookup) {
    this.#rendering = rendering;
    this.#lookup = lookup;
    this.#bounds = new BlockBounds(rendering.schema);
  }

  /** Values as views, each found under the key that `keyOf` gives its field. */
  fields<F extends NestedField>(
    definitions: F[],
    values: Record<string, Json>,
    keyOf: (field: F) => string,
  ): FieldsView {
    const view: FieldsView = {
      fields: {},
      body: [],
      facts: [],
      bylines: [],
      dates: [],
      tags: [],
      standfirsts: [],
      covers: [],
      related: [],
    };
    const parts: Record<Exclude<PageRole, "hidden">, FieldView[]> = {
      date: view.dates,
      body: view.body,
      facts: view.facts,
      byline: view.bylines,
      tags: view.tags,
      standfirst: view.standfirsts,
      cover: view.covers,
      related: view.related,
    };
    for (const field of definitions) {
      const stored = storedValue(values, keyOf(field));
      const shown = stored === null ? null : this.#field(field, stored);
      view.fields[field.name] = shown?.value ?? null;
      if (shown === null) continue;
      const role = fieldRole(field);
      if (role !== "hidden") parts[role].push(shown);
    }
    return view;
  }

  /** A block tree, or the value of a block field. */
  blocks(value: unknown): Html[] {
    return typedBlocks(value).map(({ type, data }) => this.#block(type, data))
      .filter((html) => html !== null);
  }

  #field(field: NestedField, value: Json): FieldView | null {
    const { name, type } = field;
    const view: FieldView = { name, label: fieldLabel(field), type, value };
    const { kind, view: viewOf } = FIELD_RENDERINGS[field.type];
    if (kind !== undefined) view.kind = kind;
    const shown = viewOf(value, { viewer: this, field, view });
    if (shown === null || shown === "") return null;
    view.value = shown;
    return view;
  }

  /** Portable Text as markup, with the blocks and media inside it. */
  richText(value: unknown): Html {
    const { site } = this.#rendering;
    return portableTextHtml(value, (node, isInline) => {
      if (isInline) return null;
      const { _type, _key, ...values } = node;
      return this.#bounds.isImage(_type)
        ? this.#image(values)
        : this.#block(_type, values as Record<string, Json>);
    }, { words: wordsOf(site.language), embedHosts: site.embedHosts });
  }

  /** A time in the language and zone of the site. */
  date(at: number): DateView {
    return dateView(at, this.#rendering.days);
  }

  /** The same to the minute. */
  moment(at: number): MomentView {
    return momentView(at, this.#rendering.days);
  }

  #image({ media, alt, caption }: Record<string, unknown>): Html | null {
    const medium = this.medium(media);
    if (medium === null || !medium.mime.startsWith("image/")) return null;
    if (typeof alt === "string" && alt !== "") medium.alt = alt;
    const field: FieldView = { name: "image", label: "", type: "media", value: medium };
    if (typeof caption === "string" && caption !== "") field.caption = caption;
    return new Html(this.#rendering.theme.render("field", { field, site: this.#rendering.site }));
  }

  #block(name: string, values: Record<string, Json>): Html | null {
    const { theme, site } = this.#rendering;
    return this.#bounds.within(name, ({ label, fields }) => {
      const block = { name, label, ...this.#nested(fields, values) };
      if (theme.has(`blocks/${name}`)) {
        return new Html(theme.render(`blocks/${name}`, { block, site }));
      }
      return new Html(`<div class="block">${theme.render("block", { block, site })}</div>`);
    });
  }

  /** A group's values by name; null when all of them are empty. */
  group(field: NestedField, value: Json, view: FieldView): unknown {
    if (!isJsonObject(value)) return null;
    const { fields, body, facts } = this.#nested(nestedOf(field), value);
    Object.assign(view, { body, facts });
    return body.length + facts.length === 0 ? null : fields;
  }

  /** A repeater's rows; null when there are none. */
  repeater(field: NestedField, value: Json, view: FieldView): unknown {
    if (!Array.isArray(value) || value.length === 0) return null;
    view.rows = value.filter(isJsonObject).map((row) => this.#nested(nestedOf(field), row));
    return view.rows.map((row) => row.fields);
  }

  #nested(definitions: NestedField[], values: Record<string, Json>): NestedView {
    const view = this.fields(definitions, values, ({ name }) => name);
    const { fields, body, facts, bylines, dates, tags, standfirsts, covers, related } = view;
    return {
      fields,
      body: [...standfirsts, ...covers, ...body],
      facts: [...bylines, ...dates, ...tags, ...facts, ...related],
    };
  }

  /** A medium by id; null when there is none. */
  medium(id: unknown): MediaView | null {
    const medium = typeof id === "string" ? this.#lookup.medium(id) : null;
    if (medium === null) return null;
    return mediaView(this.#rendering.site, medium);
  }

  /** A document by id; null when the public may not see it. */
  reference(id: unknown): ReferenceView | null {
    return publicReference(this.#rendering, this.#lookup, id);
  }
}

/** The ids that rendering a document asks for, found by a rendering that finds nothing. */
export function referencesOf(
  document: PublishedDocument,
  collection: Collection,
  rendering: Rendering,
): { media: string[]; documents: string[] } {
  const media = new Set<string>();
  const documents = new Set<string>();
  const viewer = new Viewer(rendering, {
    medium: (id) => (media.add(id), null),
    document: (id) => (documents.add(id), null),
  });
  viewer.fields(collection.fields, document.data, (field) => field.key);
  viewer.blocks(document.blocks);
  return { media: [...media], documents: [...documents] };
}

function nestedOf({ options }: NestedField): NestedField[] {
  return options.fields ?? [];
}
