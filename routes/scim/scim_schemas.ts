/**
 * What a directory reads of the service before it provisions: its features, resource types and schemas.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { SCIM_PAGE_MAX } from "../../kv/limits/people.ts";
import { Refusal } from "../../kv/refusals.ts";
import { pathParameter } from "../input/path_parameter.ts";
import { scimJson } from "./scim_answer.ts";
import type { scimCalls } from "./scim_call.ts";
import { GROUP_SCHEMA } from "./scim_groups.ts";
import { listBody } from "./scim_list.ts";
import { USER_SCHEMA } from "./scim_users.ts";

const SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:Schema";
const TYPE = "urn:ietf:params:scim:schemas:core:2.0:ResourceType";

interface Attribute {
  name: string;
  type: string;
  multiValued?: boolean;
  required?: boolean;
  mutability?: string;
  uniqueness?: string;
  subAttributes?: Attribute[];
}

const attribute = ({ subAttributes, ...given }: Attribute): Record<string, unknown> => ({
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: "readWrite",
  returned: "default",
  uniqueness: "none",
  ...given,
  ...(subAttributes && { subAttributes: subAttributes.map(attribute) }),
});

const USER_ATTRIBUTES: Attribute[] = [
  { name: "userName", type: "string", required: true, uniqueness: "server" },
  { name: "externalId", type: "string" },
  { name: "displayName", type: "string" },
  {
    name: "name",
    type: "complex",
    subAttributes: [
      { name: "formatted", type: "string" },
      { name: "givenName", type: "string", mutability: "writeOnly" },
      { name: "familyName", type: "string", mutability: "writeOnly" },
    ],
  },
  { name: "active", type: "boolean" },
  {
    name: "emails",
    type: "complex",
    multiValued: true,
    mutability: "readOnly",
    subAttributes: [
      { name: "value", type: "string" },
      { name: "type", type: "string" },
      { name: "primary", type: "boolean" },
    ],
  },
  {
    name: "groups",
    type: "complex",
    multiValued: true,
    mutability: "readOnly",
    subAttributes: [{ name: "value", type: "string" }, { name: "display", type: "string" }],
  },
];

const GROUP_ATTRIBUTES: Attribute[] = [
  { name: "displayName", type: "string", required: true, mutability: "readOnly" },
  {
    name: "members",
    type: "complex",
    multiValued: true,
    subAttributes: [{ name: "value", type: "string" }, { name: "display", type: "string" }],
  },
];

/** The three endpoints. */
export function scimSchemaRoutes(call: ReturnType<typeof scimCalls>): Hono {
  const found = (resources: { id: string }[], id: string) => {
    const one = resources.find((resource) => resource.id === id);
    if (one === undefined) throw new Refusal("NOT_FOUND");
    return one;
  };
  return new Hono()
    .get(
      "/ServiceProviderConfig",
      call(({ base, headers }) => Promise.resolve(scimJson(features(base), 200, headers))),
    )
    .get(
      "/ResourceTypes",
      call(({ base, headers }) =>
        Promise.resolve(scimJson(listBody(resourceTypes(base)), 200, headers))
      ),
    )
    .get(
      "/ResourceTypes/:id",
      call(({ c, base, headers }) =>
        Promise.resolve(scimJson(found(resourceTypes(base), pathParameter(c, "id")), 200, headers))
      ),
    )
    .get(
      "/Schemas",
      call(({ base, headers }) => Promise.resolve(scimJson(listBody(schemas(base)), 200, headers))),
    )
    .get(
      "/Schemas/:id",
      call(({ c, base, headers }) =>
        Promise.resolve(scimJson(found(schemas(base), pathParameter(c, "id")), 200, headers))
      ),
    );
}

function features(base: string) {
  return {
    schemas: ["urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: SCIM_PAGE_MAX },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: true },
    authenticationSchemes: [{
      type: "oauthbearertoken",
      name: "API token",
      description: "An API token with the scope scim",
      primary: true,
    }],
    meta: {
      resourceType: "ServiceProviderConfig",
      location: `${base}/ServiceProviderConfig`,
    },
  };
}

function resourceTypes(base: string) {
  return [["User", USER_SCHEMA], ["Group", GROUP_SCHEMA]].map(([name = "", schema = ""]) => ({
    schemas: [TYPE],
    id: name,
    name,
    endpoint: `/${name}s`,
    schema,
    meta: { resourceType: "ResourceType", location: `${base}/ResourceTypes/${name}` },
  }));
}

function schemas(base: string) {
  return ([
    [USER_SCHEMA, "User", USER_ATTRIBUTES],
    [GROUP_SCHEMA, "Group", GROUP_ATTRIBUTES],
  ] as const).map(([id, name, attributes]) => ({
    schemas: [SCHEMA],
    id,
    name,
    attributes: attributes.map(attribute),
    meta: { resourceType: "Schema", location: `${base}/Schemas/${id}` },
  }));
}
