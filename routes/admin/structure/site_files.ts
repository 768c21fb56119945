/**
 * What a pull of the schema can add: roles, webhooks without their secrets, settings without the secret ones.
 *
 * @module
 */
import type { Content } from "../../../kv/documents/content.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { sortedByKey } from "../../../kv/model/primitives/sorted_by_key.ts";
import type { People } from "../../../kv/people/people.ts";
import { roleView } from "../../../kv/people/role_rights.ts";
import { listRoles } from "../../../kv/people/roles.ts";
import { webhookView } from "../../../kv/webhooks/webhooks.ts";
import type { SchemaFiles } from "../../../kv/schema/files/schema_files.ts";

/** What can be added, by the names of the files. */
export const SITE_FILES = ["roles", "webhooks", "settings"] as const;

/** One of {@linkcode SITE_FILES}. */
export type SiteFile = typeof SITE_FILES[number];

/** Where they are read. */
export interface SiteSources {
  content: Content;
  people: Pick<People, "access" | "settings">;
}

/** The names in a text, separated by commas; null if one of them cannot be added. */
export function parseSiteFiles(text: string): SiteFile[] | null {
  const names = text.split(",").filter((name) => name !== "");
  return names.every(isSiteFile) ? names : null;
}

function isSiteFile(name: string): name is SiteFile {
  return SITE_FILES.some((one) => one === name);
}

/** The files that are asked for. */
export async function siteFiles(
  sources: SiteSources,
  names: readonly SiteFile[],
): Promise<SchemaFiles> {
  const entries = await Promise.all(
    [...new Set(names)].map(async (name) => [`${name}.json`, await READ[name](sources)] as const),
  );
  return Object.fromEntries(entries);
}

const READ: Record<SiteFile, (sources: SiteSources) => Promise<Json>> = {
  async roles({ content, people }) {
    const schema = await content.schema.current();
    return listRoles(await people.access.current()).map((role) =>
      withoutTimes(roleView(role, schema))
    );
  },
  async webhooks({ content }) {
    const schema = await content.schema.current();
    const webhooks = await content.schema.webhooks();
    return webhooks.map((webhook) => {
      const { disabledReason: _reason, ...view } = webhookView(webhook, schema);
      return withoutTimes(view);
    });
  },
  async settings({ people }) {
    return sortedByKey(await people.settings.all());
  },
};

function withoutTimes({ createdAt: _created, updatedAt: _updated, ...rest }: object & {
  createdAt: number;
  updatedAt: number;
}): Json {
  return rest;
}
