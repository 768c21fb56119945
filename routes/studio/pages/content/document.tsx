/**
 * The editor of a document.
 *
 * @module
 */
import { newDocumentLabel } from "../../wording/new_document.ts";
import { isUlid } from "../../../../kv/model/values/ulid.ts";
import type { VersionRow } from "../../../../kv/versioning/entities.ts";
import { versionKey } from "../../../../kv/keys.ts";
import type { StoredDocument } from "../../../../kv/documents/write.ts";
import { type Collection, getCollection } from "../../../../kv/model/entities/collection.ts";
import { workingWire } from "../../../../kv/model/input/document_wire.ts";
import { checkComplete, fillDefaults } from "../../../../kv/model/input/document_check.ts";
import { type DocumentState, isForPublic } from "../../../../kv/model/entities/document.ts";
import { findUses } from "../../../../kv/media/uses.ts";
import { laidOver } from "../../../../kv/model/entities/working_copy.ts";
import { reviewLanguage } from "../../../../kv/model/languages/reviews_in.ts";
import { Refusal } from "../../../../kv/refusals.ts";
import type { Deps } from "../../../deps/deps.ts";
import { ownHost } from "../../../middleware/own_origin.ts";
import { findChecks } from "../../checklist.ts";
import { findReferenced, NOTHING_REFERENCED } from "../../controls/referenced.ts";
import { controlContextOf } from "../../controls/control_context.ts";
import { textPictures } from "../../text_pictures.ts";
import { publishAudience } from "../../publish_audience.ts";
import { readableUses } from "../../readable_uses.ts";
import { page } from "../../serving/page.tsx";
import { type StudioContext, type Visit, visitIn, visitOf } from "../../serving/studio_env.ts";
import { singleDocument } from "./lists/document_list.tsx";
import { findReviewers } from "./reviewers.tsx";
import { DocumentForm } from "./document_form.tsx";
import { userNames } from "../../wording/user_names.ts";
import { findTranslationChecks } from "./translations/translation_checks.ts";
import { readDiscussion } from "../../../../kv/documents/discussion.ts";
import { openThreads } from "../../../../kv/model/entities/discussion.ts";
import type { Handlers } from "../../screens.ts";

/** Documents that reference one: so many are looked at before it goes, and so many are named. */
const USES_READ = 100;
const USES_NAMED = 3;
const NO_STORE = { "cache-control": "no-store" };

/** `/content/:slug/new`, `/documents/:id`, and what its publishing dialog asks. */
export function documentScreens(
  deps: Deps,
): Handlers<"newDocument" | "document" | "documentChecks" | "documentUses"> {
  return {
    newDocument: (c) => newDocumentPage(deps, c, c.req.param("slug")),
    document: async (c) => {
      const { stored, collection } = await findDocument(deps, c.get("visit"), c.req.param("id"));
      const { state } = stored;
      const language = reviewLanguage(state, collection);
      const visit = visitIn(c.get("visit"), state, language);
      const edited = laidOver(state);
      const { references } = checkComplete(edited, collection, visit.schema);
      const values = workingWire(state, collection);
      const pictures = textPictures(values).map(({ media: id }) => ({
        kind: "media" as const,
        id,
      }));
      const [frontEnd, referenced, editor, people, reviewers, releases, discussion] = await Promise
        .all([
          frontEndOf(deps, c),
          findReferenced(deps, [...references, ...pictures], visit),
          editorOf(deps, stored),
          userNames(deps),
          findReviewers(deps, visit, collection, language),
          deps.releases.current(),
          readDiscussion(deps.content.context, state.id),
        ]);
      const readOnly = state.status === "trashed" || !visit.can("documents.write") ||
        (state.status === "scheduled" && !visit.can("documents.publish"));
      return await page(
        c,
        {
          title: edited.title || "Untitled",
          crumbs: crumbsOf(collection),
          wide: true,
          editing: true,
          framed: frontEnd,
        },
        <DocumentForm
          visit={visit}
          collection={collection}
          values={values}
          state={state}
          version={stored.n}
          editor={editor}
          controlContext={controlContextOf(visit, referenced, readOnly)}
          people={people}
          reviewers={reviewers}
          releases={releases}
          openComments={openThreads(discussion)}
          frontEnd={frontEnd}
        />,
      );
    },
    ...publishingScreens(deps),
  };
}

/** The checks before publishing, and the uses before unpublishing. */
function publishingScreens(deps: Deps): Handlers<"documentChecks" | "documentUses"> {
  return {
    documentChecks: async (c) => {
      const visit = c.get("visit");
      if (isUlid(c.req.param("id"))) await deps.live.flush(c.req.param("id"));
      const { stored, collection } = await findDocument(deps, visit, c.req.param("id"));
      const language = c.req.query("language");
      const checks = language === undefined
        ? await findChecks(deps, laidOver(stored.state), collection, visit)
        : await findTranslationChecks(deps, stored.state, collection, language, visit);
      const audience = await publishAudience(deps, stored.state, collection, language, visit);
      return c.json({ checks, audience }, 200, NO_STORE);
    },
    documentUses: async (c) => {
      const { stored } = await findDocument(deps, c.get("visit"), c.req.param("id"));
      const { total, uses } = await findUses(deps, stored.state.id, {
        offset: 0,
        limit: USES_READ,
      });
      const published = uses.filter(({ status }) => isForPublic(status));
      const titles = readableUses(c.get("visit"), published).slice(0, USES_NAMED).map(({ title }) =>
        title
      );
      return c.json({ total, published: published.length, titles }, 200, NO_STORE);
    },
  };
}

/** The form of a new document; a single-document collection opens its existing one. */
async function newDocumentPage(deps: Deps, c: StudioContext, slug: string): Promise<Response> {
  const { schema, user, documents } = c.get("visit");
  const collection = getCollection(schema, slug);
  if (!documents.in("create", collection.id)) throw new Refusal("FORBIDDEN");
  const visit = visitOf(c.get("visit"), { collectionId: collection.id, createdBy: user.id });
  const only = collection.singleton ? await singleDocument(deps, collection) : null;
  if (only !== null) return c.redirect(`/admin/documents/${only}`);
  const frontEnd = await frontEndOf(deps, c);
  return await page(
    c,
    {
      title: collection.singleton ? collection.name : newDocumentLabel(collection),
      crumbs: crumbsOf(collection),
      wide: true,
      editing: true,
      framed: frontEnd,
      sheet: c.req.query("sheet") !== undefined,
    },
    <DocumentForm
      visit={visit}
      collection={collection}
      values={newValues(collection)}
      state={null}
      version={0}
      editor={null}
      controlContext={controlContextOf(visit, NOTHING_REFERENCED, false)}
      people={await userNames(deps)}
      reviewers={await findReviewers(deps, visit, collection, reviewLanguage(null, collection))}
      openComments={0}
      frontEnd={frontEnd}
    />,
  );
}

/** A document and the collection it is in. */
export async function findDocument(
  { reader }: Deps,
  { schema, documents }: Visit,
  id: string,
): Promise<{ stored: StoredDocument; collection: Collection }> {
  const stored = isUlid(id) ? await reader.find(id) : null;
  const collection = stored && schema.byId.get(stored.state.collectionId);
  if (!stored || !collection) throw new Refusal("NOT_FOUND");
  if (!documents.on("read", stored.state)) throw new Refusal("FORBIDDEN");
  return { stored, collection };
}

/** The pages above a document. */
export function crumbsOf({ name, slug }: Collection) {
  return [{ label: name, href: `/admin/content/${slug}` }];
}

/** The origin of the front end that previews are shown in; null for the site itself. */
async function frontEndOf(deps: Deps, c: StudioContext): Promise<string | null> {
  const address = String((await deps.settings.all())["preview.url"]);
  const known = URL.parse(address.replace(/\{\w+\}/g, "x"));
  // A page from the studio's own host must not run scripts in the frame.
  const own = [ownHost(c, deps.trustProxy), URL.parse(deps.baseUrl)?.host];
  return known === null || own.includes(known.host) ? null : known.origin;
}

function newValues(collection: Collection) {
  const data: DocumentState["data"] = {};
  fillDefaults(data, collection);
  const byName = collection.fields.map(({ name, key }) => [name, data[key] ?? null] as const);
  // A document that has no siblings is called what its collection is.
  const title = collection.singleton ? collection.name : "";
  return { ...Object.fromEntries(byName), title };
}

/** The author of a version. */
async function editorOf(
  { content: { context }, people }: Deps,
  { state: { id }, n }: StoredDocument,
): Promise<string | null> {
  const { value } = await context.store.get<VersionRow>(versionKey("document", id, n));
  if (!value?.by) return null;
  return (await people.access.current()).users.get(value.by)?.displayName ?? null;
}
