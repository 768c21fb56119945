/**
 * `/api/admin/translations/export`, `/exports/{jobId}` and `/import`: texts for translators as XLIFF 2.1, and back.
 *
 * @module
 */
import { type Context as HttpContext, Hono } from "@hono/hono";
import { z } from "zod";
import { storeImport } from "../../../kv/backup/store_import.ts";
import { TRANSLATION_STATES } from "../../../kv/index/query/language_query.ts";
import { addJob } from "../../../kv/jobs/jobs.ts";
import {
  COLLECTIONS_MAX,
  LANGUAGE_CODE_CHARS_MAX,
  SLUG_CHARS_MAX,
} from "../../../kv/limits/content.ts";
import { TRANSLATIONS_BYTES_MAX } from "../../../kv/limits/transfers.ts";
import { codesOf } from "../../../kv/model/entities/collection.ts";
import type { SiteLanguages } from "../../../kv/model/languages/language.ts";
import { parseBody } from "../../../kv/model/input/zod_details.ts";
import { invalid, Refusal } from "../../../kv/refusals.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { commitAudited } from "../../../kv/versioning/audit.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import type { Deps } from "../../deps/deps.ts";
import { pacedBody } from "../../input/arrival.ts";
import { readJsonObject } from "../../input/body.ts";
import { oneParameter } from "../../query/parameters.ts";
import { may } from "../admin_env.ts";
import { downloadExport, exportScope, startExport } from "../transfers/transfer_exports.ts";

/** Which texts translators get. */
export const ExportBody = z.strictObject({
  language: z.string().max(LANGUAGE_CODE_CHARS_MAX),
  collections: z.array(z.string().max(SLUG_CHARS_MAX)).min(1).max(COLLECTIONS_MAX).exactOptional(),
  filter: z.record(z.string(), z.json()).exactOptional(),
  states: z.array(z.enum(TRANSLATION_STATES)).min(1).max(TRANSLATION_STATES.length).exactOptional(),
});

/** The types of bodies that are imported, and the names of their files. */
const IMPORTED = new Map([
  ["application/zip", "translations.zip"],
  ["application/xliff+xml", "translation.xlf"],
]);

/** Translations that leave and come back. */
export function translationExchangeRoutes(deps: Deps): Hono<AdminEnv> {
  const { content } = deps;
  return new Hono<AdminEnv>()
    .post("/export", may("documents.write"), async (c) => {
      const body = await readJsonObject(c.req.raw);
      const schema = await content.schema.current();
      const languages = await languagesOf(deps);
      const { language, states, ...wanted } = parseBody(ExportBody, body);
      if (!languages.byCode.has(language)) {
        throw invalid("language", "INVALID_LANGUAGE", "Is not one of the site's languages");
      }
      const localized = schema.collections.filter((one) => codesOf(one).includes(language));
      const collections = localized.map(({ slug }) => slug);
      const scope = exportScope(schema, { collections, ...wanted });
      const payload = { language, ...scope, ...(states && { states }) };
      return await startExport(content, c, { type: "TRANSLATION_EXPORT", payload });
    })
    .get("/exports/:jobId", may("documents.write"), async (c) => {
      await languagesOf(deps);
      return await downloadExport(content, c, "TRANSLATION_EXPORT");
    })
    .post("/import", may("documents.write"), (c) => startImport(deps, c));
}

async function startImport(deps: Deps, c: HttpContext<AdminEnv>): Promise<Response> {
  const { context } = deps.content;
  const { body, headers } = c.req.raw;
  const type = (headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  const name = IMPORTED.get(type);
  if (name === undefined) {
    const about = `use ${[...IMPORTED.keys()].join(" or ")}`;
    throw new Refusal("UNSUPPORTED_MEDIA_TYPE", { about });
  }
  await languagesOf(deps);
  const force = oneParameter(c.req.query(), "force") === "true";
  const upload = { body: body && pacedBody(body), headers };
  const importId = await storeImport(context, upload, TRANSLATIONS_BYTES_MAX);
  const { userId, documents, audit } = c.get("session");
  const languages = documents.languagesOn("edit", { collectionId: "" });
  const payload = {
    importId,
    name,
    userId,
    force,
    ...(languages && { languages: [...languages] }),
  };
  const operation = new Operation();
  const jobId = addJob(operation, context, { type: "TRANSLATION_IMPORT", payload });
  await commitAudited(context.store, operation, audit);
  return c.json({ jobId }, 202, { location: `/api/admin/jobs/${jobId}` });
}

/** The languages of the site; without any there are no such routes. */
async function languagesOf({ content: { schema } }: Deps): Promise<SiteLanguages> {
  const { languages } = await schema.current();
  if (languages === undefined) throw new Refusal("NOT_FOUND");
  return languages;
}
