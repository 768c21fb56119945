/**
 * The dialogs of the editor: publishing, choosing media and documents.
 *
 * @module
 */
import { newDocumentWords } from "../../wording/new_document.ts";
import type { DocumentState } from "../../../../kv/model/entities/document.ts";
import { MEDIA_MIMES } from "../../../../kv/model/entities/media.ts";
import { Icon } from "../../components/icon.tsx";
import type { Visit } from "../../serving/studio_env.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/overlays/dialog.tsx";
import { DateInput } from "../../components/forms/date_input.tsx";
import { EmbeddedJson } from "../../components/embedded_json.tsx";

/** The publish dialog. */
export function PublishDialog(
  { state, timezone, release, language, mayPlan }: {
    state: Pick<DocumentState, "title" | "status" | "publishAt" | "unpublishAt"> | null;
    timezone: string;
    release: { name: string } | undefined;
    /** Whether the document can be added to a release. */
    mayPlan: boolean;
    /** The name of the language that it publishes, if the document has several. */
    language: string | undefined;
  },
) {
  const scheduled = state?.status === "scheduled";
  const isPublic = state?.status === "published";
  const publish = language === undefined ? "Publish" : `Publish ${language}`;
  const title = scheduled ? "Change schedule" : isPublic ? `${publish} changes` : publish;
  return (
    <Dialog id="publish" title={title}>
      <div class="publish-summary" data-summary></div>
      <div data-checks aria-live="polite"></div>
      <fieldset
        class="when"
        data-public={isPublic ? state.title : undefined}
        hidden={isPublic && release !== undefined}
      >
        <legend class="label">When</legend>
        <label class="check">
          <input type="radio" name="when" value="now" checked={!scheduled} />
          <span>Now</span>
        </label>
        <label class="check">
          <input type="radio" name="when" value="later" checked={scheduled} />
          <span>Schedule</span>
        </label>
        {scheduled && (
          <label class="check">
            <input type="radio" name="when" value="never" />
            <span>Don't publish: back to draft</span>
          </label>
        )}
        <div class="field" data-later hidden={!scheduled}>
          <label for="publish-at">Date and time</label>
          <DateInput
            id="publish-at"
            step={60}
            data-epoch={state?.publishAt ?? undefined}
          />
          <p class="help" data-zones data-site-zone={timezone}></p>
        </div>
      </fieldset>
      <UnpublishTime at={state?.unpublishAt} />
      <div class="alert bad" data-publish-failure role="alert" hidden></div>
      <div class="dialog-foot">
        {mayPlan && (
          <Button variant="quiet" class="publish-plan" data-opens="add-to-release">
            Add to release …
          </Button>
        )}
        <Button data-close>Cancel</Button>
        <Button variant="primary" data-publish-go>Publish now</Button>
      </div>
    </Dialog>
  );
}

/** When the document stops being public; `at` is in epoch seconds. */
function UnpublishTime({ at }: { at: number | undefined }) {
  return (
    <div class="field" data-ends>
      <label for="publish-until">
        Unpublish on <span class="optional">optional</span>
      </label>
      <DateInput
        id="publish-until"
        step={60}
        data-epoch={at}
      />
      <p class="help">It will be unpublished and become a draft.</p>
    </div>
  );
}

/** The pickers of files and documents. */
export function PickerDialogs({ visit }: { visit: Visit }) {
  const collections = visit.readable.map((collection) => {
    const { id, slug, name, singleton } = collection;
    return [slug, {
      name,
      words: newDocumentWords(collection),
      creates: !singleton && visit.documents.in("create", id),
    }];
  });
  return (
    <>
      <Dialog id="pick-media" title="Choose an image" size="large">
        <input type="search" aria-label="Search files" placeholder="Search by name or alt text" />
        <p class="muted small" data-picker-message aria-live="polite"></p>
        <PickerResults class="media-grid" />
        {visit.can("media.write") && (
          <div class="picker-create">
            <label class="button quiet">
              <Icon name="upload" /> Upload
              <input class="sr" type="file" accept={MEDIA_MIMES.join(",")} data-upload />
            </label>
          </div>
        )}
        <PickerDone />
      </Dialog>
      <Dialog id="pick-document" title="Choose a document">
        <EmbeddedJson name="collections" of={Object.fromEntries(collections)} />
        <input type="search" aria-label="Search documents" placeholder="Search by title" />
        <p class="muted small" data-picker-message aria-live="polite"></p>
        <PickerResults class="picker-list" />
        <div class="picker-create" data-picker-create hidden></div>
        <PickerDone />
      </Dialog>
    </>
  );
}

/** The results of a picker. Its end loads more when it becomes visible or is pressed. */
function PickerResults(looks: { class: string }) {
  return (
    <div class="picker-scroll">
      <div {...looks} data-picker-results></div>
      <Button variant="quiet" size="small" class="picker-more" data-picker-more hidden>
        Show more
      </Button>
    </div>
  );
}

/** Closes a dialog in which several were chosen. */
function PickerDone() {
  return (
    <div class="dialog-foot" data-picker-done hidden>
      <Button variant="primary" data-close>Done</Button>
    </div>
  );
}
