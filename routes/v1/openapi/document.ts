/**
 * The OpenAPI 3.1 description of a site, made from its live schema: the same definitions that validate.
 *
 * @module
 */
import type { Collection, Schema } from "../../../kv/model/entities/collection.ts";
import { HEADERS, markdown, type Part, responseComponents } from "./answers.ts";
import { collectionPaths } from "./collection_paths.ts";
import { reverseNames } from "../../query/include.ts";
import { collectionSchemas } from "./collection_schemas.ts";
import { isDemanded } from "./field_schema.ts";
import { exampleFraming, exampleValue, exampleValues } from "./example.ts";
import { type CollectionNames, collectionNames, namesOf } from "./names.ts";
import { sharedParameters } from "./parameters.ts";
import { sharedPaths } from "./shared_paths.ts";
import { MEDIA_SCHEMAS, mediaPaths } from "./media_paths.ts";
import { CHANGE_SCHEMAS } from "./change_path.ts";
import { sharedLanguageSchemas } from "./language_parts.ts";
import { SHARED_SCHEMAS } from "./shared_schemas.ts";
import { WEBHOOK_SCHEMAS, WEBHOOK_TAG, webhookMessages } from "./webhook_messages.ts";

const INTRODUCTION =
  `Read and write the content of this site. All paths except search and the explorer require a token in the
\`Authorization\` header. HEAD is supported wherever GET is. Times are Unix epoch seconds, IDs are ULIDs.
Every response has \`X-Request-Id\`; responses that count against a quota have \`RateLimit\`. A value stored
before its field's definition became stricter is returned unchanged. Unknown parameters are ignored unless the
request has \`Prefer: handling=strict\`.`;

/** The description of all exposed collections and shared routes, in a stable order. */
export function openApiDocument(schema: Schema, origin: string): Part {
  const exposed = schema.collections.filter((collection) => collection.exposed);
  const names = collectionNames(exposed);
  const find = (slug: string) => exposed.find((collection) => collection.slug === slug);
  return {
    openapi: "3.1.0",
    info: {
      title: "Content API",
      version: schema.stamp ?? "0",
      description: INTRODUCTION.replaceAll("\n", " "),
      contact: { name: "The operator of this site", url: origin },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: origin }],
    security: [{ bearer: [] }],
    tags: [
      { name: "search", description: "Full-text search." },
      { name: "description", description: "The description of this API." },
      { name: "changes", description: "The change feed: follow changes to documents." },
      { name: WEBHOOK_TAG, description: "Messages that this site sends to webhooks." },
      { name: "media", description: "Images and other uploaded files, with their metadata." },
      ...exposed.map(collectionTag),
    ],
    paths: Object.assign(
      sharedPaths(schema.languages),
      mediaPaths(schema.languages),
      ...exposed.map((collection) =>
        collectionPaths(collection, namesOf(names, collection.slug), {
          find,
          blocks: schema.blocks,
          collections: exposed,
        })
      ),
    ),
    webhooks: webhookMessages(),
    components: {
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "svc_pk",
          description:
            "An API token created in the admin application. Its scopes determine what it can do.",
        },
      },
      schemas: schemaComponents(exposed, names, schema),
      examples: exampleComponents(exposed, names),
      parameters: sharedParameters(schema.slugs),
      headers: HEADERS,
      responses: responseComponents(),
    },
  };
}

function collectionTag({ slug, name, description }: Collection): Part {
  const text = description === "" ? name : `${name}: ${description}`;
  return { name: slug, description: markdown(text) };
}

type Names = Map<string, CollectionNames>;

function schemaComponents(
  collections: Collection[],
  names: Names,
  { slugs, languages }: Schema,
): Part {
  const shared = {
    ...SHARED_SCHEMAS,
    ...CHANGE_SCHEMAS,
    ...MEDIA_SCHEMAS,
    ...WEBHOOK_SCHEMAS,
  };
  const schemas = { ...shared, ...sharedLanguageSchemas(languages, shared) };
  for (const collection of collections) {
    Object.assign(
      schemas,
      collectionSchemas(collection, namesOf(names, collection.slug), {
        slugs,
        reverse: reverseNames(collection, collections),
      }),
    );
  }
  return schemas;
}

function exampleComponents(collections: Collection[], names: Names): Part {
  const examples: Part = {};
  for (const collection of collections) {
    const { one } = namesOf(names, collection.slug);
    const { fields } = collection;
    const values = exampleValues(fields);
    const document: Part = exampleFraming();
    for (const field of fields) document[field.name] = exampleValue(field);
    document.blocks = [];
    const status = fields.some((field) => isDemanded(field) && values[field.name] === undefined)
      ? "draft"
      : "published";
    examples[one] = { value: document };
    examples[`${one}List`] = {
      value: { data: [document], meta: { page: 1, perPage: 20, total: 1 } },
    };
    examples[`${one}Create`] = { value: { title: document.title ?? "", status, ...values } };
    examples[`${one}Patch`] = { value: { title: "A better title" } };
  }
  return examples;
}
