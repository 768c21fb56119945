/**
 * Runs in the browser, on every page of the studio. Each element with `data-island` is passed to the function
 * of that name.
 *
 * @module
 */
import { startActions } from "./forms/actions.ts";
import { readForm, replaceBySentence, startApiForms, takeTokenFromAddress } from "./api_form.ts";
import { startBoard } from "./board.ts";
import { startComboboxes } from "./forms/combobox.ts";
import { startColorField } from "./forms/color_field.ts";
import { startDatePickers } from "./forms/date_picker.ts";
import { startDefinitionForm } from "./definition/definition_form.ts";
import { startRemovals } from "./definition/removal.ts";
import { startFieldOrder } from "./definition/field_order.ts";
import { startTemplateChoice } from "./definition/template_choice.ts";
import { startDesign } from "./design.ts";
import { startDocumentEditor } from "./document/editor.ts";
import { startDocumentList } from "./document_list.ts";
import { attempt, call } from "./page/call.ts";
import { all, dataOf, embedded, enclosing, get, make } from "./page/elements.ts";
import { clearFailures, showFailures } from "./page/failures.ts";
import { startFocus } from "./page/focus.ts";
import { startInvitation } from "./forms/invitation.ts";
import { fillDates } from "./document/dates.ts";
import { controlAt, readField, readFields } from "./document/control_values.ts";
import { startRows } from "./document/rows.ts";
import { startJob, startJobList } from "./jobs.ts";
import { isTyping, startKeys } from "./page/keys.ts";
import { allowLeaving, guard, startLeaveGuard } from "./forms/leave_guard.ts";
import { freshPage, pageAt } from "./page/fresh_page.ts";
import { keepFocus } from "./page/kept_focus.ts";
import { startLivePart } from "./page/live_part.ts";
import { startMailCheck, startTimeZone } from "./forms/mail_check.ts";
import { startFolderMove, startMediaGrid } from "./media/media_grid.ts";
import { openModal } from "./page/modal.ts";
import { startPaletteWhenUsed, whenIdle } from "./page/palette_start.ts";
import { startProofs } from "./forms/proof.ts";
import { startPublishers } from "./publishers.ts";
import { provideEditors, startEditor } from "./forms/rich_text.ts";
import { startRowOrder } from "./forms/row_order.ts";
import { startRoleForm } from "./forms/role_form.ts";
import { startSetupCode } from "./forms/setup_code.ts";
import { startSidebar } from "./page/sidebar.ts";
import { startSchedule } from "./schedule.ts";
import { startThemeChoice } from "./page/theme.ts";
import { startApiExamples } from "./api_examples.ts";
import { startWebhookForm } from "./forms/webhook_form.ts";
import { startTokenForm } from "./forms/token_form.ts";
import { startUpload } from "./media/upload.ts";
import { startTimeTravel } from "./time_travel.ts";
import { showStoredToast, toast, toastLater } from "./page/toast.ts";

const ISLANDS: Record<string, (element: HTMLElement) => void | Promise<void>> = {
  "definition-form": startDefinitionForm,
  "field-order": startFieldOrder,
  "design": startDesign,
  "document-editor": startDocumentEditor,
  "document-list": startDocumentList,
  "board": startBoard,
  "color": startColorField,
  "dates": fillDates,
  "job": startJob,
  "job-list": startJobList,
  "focus": startFocus,
  "folder-move": startFolderMove,
  "media-grid": startMediaGrid,
  "invitation": startInvitation,
  "live-part": startLivePart,
  "mail-check": startMailCheck,
  "notifications": (panel) =>
    whenIdle(async () =>
      (await import("./page/notifications.ts")).startNotifications(
        { all, call, get, make, pageAt },
        panel,
      )
    ),
  "palette": startPaletteWhenUsed,
  "portable-text": (element) => void startEditor(element),
  "json": (element) => void startEditor(element),
  "publishers": startPublishers,
  "role-form": startRoleForm,
  "rows": (form) => startRows(form, { changed: () => guard(form) }),
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

/** What few pages need comes when it is needed. */
const loadChoiceLabels = async () => {
  const { startChoiceLabels } = await import("./definition/choice_labels.ts");
  const tools = { all, dataOf, enclosing, get, readField };
  return (element: HTMLElement) => startChoiceLabels(tools, element);
};
const loadCollectionOrder = async () => {
  const { startCollectionOrder } = await import("./definition/collection_order.ts");
  const tools = { call, freshPage, get, startRowOrder, toast };
  return (list: HTMLElement) => startCollectionOrder(tools, list);
};
const loadCrops = async () => {
  const { startCrops } = await import("./media/crops.ts");
  const tools = { all, call, dataOf, embedded, get, toast, toastLater };
  return (card: HTMLElement) => startCrops(tools, card);
};
const loadImport = async () => (await import("./import.ts")).startImport;
const loadInstall = async () => (await import("./install.ts")).startInstall;
const loadMissingMedia = async () => (await import("./media/missing_media.ts")).startMissingMedia;
const loadSaveBar = async () => {
  const { startSaveBar } = await import("./forms/save_bar.ts");
  const tools = {
    all,
    allowLeaving,
    call,
    controlAt,
    dataOf,
    get,
    readForm,
    showFailures,
    toastLater,
  };
  return (page: HTMLElement) => startSaveBar(tools, page);
};
const loadSignIn = async () =>
  (await import("./people/sign_in_island.ts")).startSignInIsland({
    attempt,
    call,
    dataOf,
    get,
    make,
    toast,
  });
const loadTransfer = async () =>
  (await import("./transfers/transfer_islands.ts")).startTransferIsland({
    all,
    allowLeaving,
    call,
    clearFailures,
    controlAt,
    dataOf,
    embedded,
    get,
    guard,
    make,
    readFields,
    showFailures,
    startRows,
    toastLater,
  });
const loadChangeSteps = async () => {
  const { startChangeSteps } = await import("./change_steps.ts");
  const tools = { all, dataOf, enclosing, get, isTyping, openModal };
  return (bar: HTMLElement) => startChangeSteps(tools, bar);
};
const loadTranslationImport = async () => {
  const { startTranslationImport } = await import("./translation_import.ts");
  return (form: HTMLElement) => startTranslationImport({ call, dataOf, get }, form);
};
const loadProviderTest = async () => {
  const { startProviderTest } = await import("./people/provider_test.ts");
  return (card: HTMLElement) => startProviderTest({ dataOf, get }, card);
};
const LOADED: Record<string, () => Promise<(element: HTMLElement) => void | Promise<void>>> = {
  "missing-media": loadMissingMedia,
  "change-steps": loadChangeSteps,
  "choice-labels": loadChoiceLabels,
  "collection-order": loadCollectionOrder,
  "crops": loadCrops,
  "import": loadImport,
  "install": loadInstall,
  "provider-test": loadProviderTest,
  "save-bar": loadSaveBar,
  "translation-import": loadTranslationImport,
  "transfer-source": loadTransfer,
  "transfer-plan": loadTransfer,
  "transfer-progress": loadTransfer,
  "sign-in": loadSignIn,
  "security": loadSignIn,
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
const loading: Promise<void>[] = [];
for (const element of all(document, "[data-island]")) {
  const name = dataOf(element, "island");
  void ISLANDS[name]?.(element);
  const load = LOADED[name];
  if (load !== undefined) loading.push(load().then((start) => void start(element)));
}
showStoredToast();
keepFocus();
const markReady = () => void (document.documentElement.dataset.ready = "");
if (loading.length === 0) markReady();
else void Promise.all(loading).then(markReady);
