/**
 * Runs in the browser, on every page of the admin application: starts what the page has. Each element
 * with `data-island` is handed to the function of that name.
 *
 * @module
 */
import { startActions } from "./actions.ts";
import { replaceBySentence, startApiForms, takeTokenFromAddress } from "./api_form.ts";
import { startBoard } from "./board.ts";
import { startComboboxes } from "./combobox.ts";
import { startColourField } from "./colour_field.ts";
import { startDatePickers } from "./date_picker.ts";
import { startDefinitionForm } from "./definition/definition_form.ts";
import { startRemovals } from "./definition/removal.ts";
import { startFieldOrder } from "./definition/field_order.ts";
import { startTemplateChoice } from "./definition/template_choice.ts";
import { startDesign } from "./design.ts";
import { startDocumentEditor } from "./document/editor.ts";
import { startDocumentList } from "./document_list.ts";
import { all } from "./elements.ts";
import { startCrops } from "./crops.ts";
import { startFocus } from "./focus.ts";
import { startImport } from "./import.ts";
import { startInstall } from "./install.ts";
import { startInvitation } from "./invitation.ts";
import { fillDates } from "./document/dates.ts";
import { startJob, startJobList } from "./jobs.ts";
import { startKeys } from "./keys.ts";
import { startLeaveGuard } from "./leave_guard.ts";
import { startLivePart } from "./live_part.ts";
import { startMailCheck, startTimeZone } from "./mail_check.ts";
import { startFolderMove, startMediaGrid } from "./media_grid.ts";
import { startMissingMedia } from "./missing_media.ts";
import { startPalette } from "./palette.ts";
import { startProofs } from "./proof.ts";
import { startPublishers } from "./publishers.ts";
import { provideEditors, startEditor } from "./rich_text.ts";
import { startRoleForm } from "./role_form.ts";
import { startSetupCode } from "./setup_code.ts";
import { startSidebar } from "./sidebar.ts";
import { startSchedule } from "./schedule.ts";
import { startThemeChoice } from "./theme.ts";
import { startApiExamples } from "./api_examples.ts";
import { startWebhookForm } from "./webhook_form.ts";
import { startTokenForm } from "./token_form.ts";
import { startUpload } from "./upload.ts";
import { startTimeTravel } from "./time_travel.ts";
import { showKeptToast } from "./toast.ts";

const ISLANDS: Record<string, (element: HTMLElement) => void | Promise<void>> = {
  "definition-form": startDefinitionForm,
  "field-order": startFieldOrder,
  "design": startDesign,
  "document-editor": startDocumentEditor,
  "document-list": startDocumentList,
  "board": startBoard,
  "colour": startColourField,
  "dates": fillDates,
  "job": startJob,
  "job-list": startJobList,
  "crops": startCrops,
  "focus": startFocus,
  "folder-move": startFolderMove,
  "media-grid": startMediaGrid,
  "import": startImport,
  "missing-media": startMissingMedia,
  "install": startInstall,
  "invitation": startInvitation,
  "live-part": startLivePart,
  "mail-check": startMailCheck,
  "palette": startPalette,
  "portable-text": (element) => void startEditor(element),
  "json": (element) => void startEditor(element),
  "publishers": startPublishers,
  "role-form": startRoleForm,
  "schedule": startSchedule,
  "setup-code": startSetupCode,
  "template-choice": startTemplateChoice,
  "time-travel": startTimeTravel,
  "time-zone": startTimeZone,
  "upload": startUpload,
  "token-form": startTokenForm,
  "webhook-form": startWebhookForm,
  "api-examples": startApiExamples,
  "sent": replaceBySentence,
  "token-from-address": takeTokenFromAddress,
};

provideEditors({
  "portable-text": async () =>
    (await import("../editor/portable_text_editor.ts")).startPortableText,
  json: async () => (await import("../editor/json_editor.ts")).startJson,
});
startApiForms();
startRemovals();
startActions();
startProofs();
startDatePickers();
startComboboxes();
startKeys();
startLeaveGuard();
startThemeChoice();
startSidebar();
for (const element of all(document, "[data-island]")) {
  void ISLANDS[element.dataset.island!]?.(element);
}
showKeptToast();
document.documentElement.dataset.ready = "";
