/**
 * What a pull of the schema can add: roles, webhooks without their secrets, settings without the secret ones.
 *
 * @module
 */
import type { Content } from "../../../kv/documents/content.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
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

/** Whether something can be added. */
export function isSiteFile(name: string): name is SiteFile {
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
    const all = Object.entries(await people.settings.all());
    return Object.fromEntries(all.sort(([a], [b]) => a < b ? -1 : 1));
  },
};

function withoutTimes({ createdAt: _created, updatedAt: _updated, ...rest }: object & {
  createdAt: number;
  updatedAt: number;
}): Json {
  return rest as unknown as Json;
}
