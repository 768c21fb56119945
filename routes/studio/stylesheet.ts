/**
 * The style sheets of the admin application, in the order in which they apply: tokens, elements, components,
 * controls, the text editor, screens.
 *
 * @module
 */

/** Paths below this folder; each stands beside what it styles. */
export const STYLE_SHEETS: readonly string[] = [
  "style/tokens.css",
  "style/base.css",
  "style/utilities.css",
  "components/layout.css",
  "components/sidebar.css",
  "components/avatar.css",
  "components/button.css",
  "components/field.css",
  "components/date_input.css",
  "components/colour_field.css",
  "components/choice_list.css",
  "components/segments.css",
  "components/alert.css",
  "components/card.css",
  "components/badge.css",
  "components/empty_state.css",
  "components/dialog.css",
  "components/toast.css",
  "components/palette.css",
  "components/keys_dialog.css",
  "components/menu.css",
  "components/panel.css",
  "components/tabs.css",
  "components/table.css",
  "components/pagination.css",
  "components/tile.css",
  "components/lines.css",
  "components/steps.css",
  "components/value_list.css",
  "components/code.css",
  "components/field_diff.css",
  "components/session_list.css",
  "components/delivery_list.css",
  "definitions/template_choice.css",
  "definitions/icon_choice.css",
  "controls/control.css",
  "controls/rows.css",
  "controls/quick_control.css",
  "browser/document/live/presence.css",
  "editor/editor_frame.css",
  "editor/text.css",
  "editor/embedded_objects.css",
  "editor/text_objects.css",
  "editor/waiting_text.css",
  "pages/document_bar.css",
  "pages/document.css",
  "pages/document_dialogs.css",
  "pages/comments.css",
  "pages/document_list.css",
  "pages/columns.css",
  "pages/board.css",
  "pages/home.css",
  "pages/jobs.css",
  "pages/activity.css",
  "pages/media.css",
  "pages/medium_crops.css",
  "pages/fields.css",
  "pages/packages.css",
  "pages/roles.css",
  "pages/settings.css",
  "pages/setup.css",
  "pages/time_travel.css",
  "pages/tokens.css",
  "pages/users.css",
  "pages/versions.css",
  "pages/calendar.css",
  "pages/releases.css",
  "pages/components.css",
];

/** What the build makes of the font's package. */
const FONT = "built/font.css";

/** The whole style sheet, as it is served. */
export async function readStyleSheet(): Promise<string> {
  const texts = [FONT, ...STYLE_SHEETS].map((path) =>
    Deno.readTextFile(new URL(path, import.meta.url))
  );
  return (await Promise.all(texts)).join("\n");
}
