/**
 * The style sheets of the admin application, in the order in which they apply: tokens, elements, components,
 * controls, the text editor, screens.
 *
 * @module
 */

/** Paths below this folder; each style sheet is in the folder of the module that it styles. */
export const STYLE_SHEETS: readonly string[] = [
  "style/tokens.css",
  "style/base.css",
  "style/utilities.css",
  "components/navigation/layout.css",
  "components/navigation/sidebar.css",
  "components/navigation/bell.css",
  "components/avatar.css",
  "components/button.css",
  "components/overlays/popover.css",
  "components/forms/field.css",
  "components/forms/date_input.css",
  "components/forms/save_bar.css",
  "components/forms/color_field.css",
  "components/forms/choice_list.css",
  "components/forms/language_texts.css",
  "components/navigation/segments.css",
  "components/alert.css",
  "components/card.css",
  "components/badge.css",
  "components/empty_state.css",
  "components/overlays/dialog.css",
  "components/overlays/sheet.css",
  "components/overlays/toast.css",
  "components/overlays/palette.css",
  "components/overlays/keys_dialog.css",
  "components/overlays/menu.css",
  "components/overlays/panel.css",
  "components/navigation/tabs.css",
  "components/table.css",
  "components/navigation/pagination.css",
  "components/tile.css",
  "components/lines.css",
  "components/navigation/steps.css",
  "components/forms/value_list.css",
  "components/code.css",
  "components/comparison/field_diff.css",
  "components/session_list.css",
  "components/delivery_list.css",
  "definitions/template_choice.css",
  "definitions/icon_choice.css",
  "controls/control.css",
  "controls/rows.css",
  "controls/quick_control.css",
  "browser/document/live/presence.css",
  "editor/editor_frame.css",
  "editor/block_grip.css",
  "editor/text.css",
  "editor/objects/embedded_objects.css",
  "editor/objects/text_objects.css",
  "editor/waiting_text.css",
  "components/comparison/rich_text_diff.css",
  "pages/content/document_bar.css",
  "pages/content/document.css",
  "pages/content/document_dialogs.css",
  "pages/content/publish_summary.css",
  "pages/content/search_panel.css",
  "pages/content/translations/translation.css",
  "pages/content/comments.css",
  "pages/content/lists/document_list.css",
  "pages/content/lists/columns.css",
  "pages/content/lists/board.css",
  "pages/planning/home.css",
  "pages/system/jobs.css",
  "pages/system/activity.css",
  "pages/media/media.css",
  "pages/media/medium_crops.css",
  "pages/structure/fields.css",
  "pages/site/packages.css",
  "pages/people/roles.css",
  "pages/site/design.css",
  "pages/site/settings.css",
  "pages/people/setup.css",
  "pages/planning/time_travel.css",
  "pages/people/tokens.css",
  "pages/people/users.css",
  "pages/content/versions.css",
  "pages/content/lists/calendar.css",
  "pages/planning/releases.css",
  "pages/transfers/transfer.css",
  "pages/system/components.css",
];

/** The font style sheet of the build. */
const FONT = "built/font.css";

/** The complete style sheet as served. */
export async function readStyleSheet(): Promise<string> {
  const texts = [FONT, ...STYLE_SHEETS].map((path) =>
    Deno.readTextFile(new URL(`../${path}`, import.meta.url))
  );
  return (await Promise.all(texts)).join("\n");
}
