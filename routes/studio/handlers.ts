/**
 * The pages of the admin application, with all that draws them.
 *
 * @module
 */
import type { Deps } from "../deps.ts";
import { accountScreens } from "./pages/account.tsx";
import { activityScreens } from "./pages/activity.tsx";
import { backUpScreens } from "./pages/back_ups.tsx";
import { componentScreens } from "./pages/components.tsx";
import { collectionScreens } from "./pages/collections.tsx";
import { documentChangesScreens } from "./pages/document_changes.tsx";
import { documentListScreens } from "./pages/document_list.tsx";
import { documentScreens } from "./pages/document.tsx";
import { fieldScreens } from "./pages/fields.tsx";
import { homeScreens } from "./pages/home.tsx";
import { jobScreens } from "./pages/jobs.tsx";
import { mediaScreens } from "./pages/media.tsx";
import { packageScreens } from "./pages/packages.tsx";
import { peopleScreens } from "./pages/people.tsx";
import { previewScreens } from "./pages/preview.ts";
import { publisherScreens } from "./pages/publishers.tsx";
import { releaseScreens } from "./pages/releases.tsx";
import { scheduleScreens } from "./pages/schedule.tsx";
import { settingScreens } from "./pages/settings.tsx";
import { mailCheckScreens, setupScreens } from "./pages/setup.tsx";
import { signInScreens } from "./pages/sign_in.tsx";
import { themeScreens } from "./pages/theme.tsx";
import { timeTravelScreens } from "./pages/time_travel.tsx";
import { tokenScreens } from "./pages/tokens.tsx";
import { webhookScreens } from "./pages/webhooks.tsx";
import { boardScreens } from "./pages/board.tsx";
import { choiceScreens } from "./pages/choices.ts";
import { findScreens } from "./pages/find.ts";
import { listLayoutScreens } from "./pages/list_layout.ts";
import { collectionApiScreens } from "./pages/collection_api.tsx";
import { versionScreens } from "./pages/versions.tsx";
import type { Handlers, ScreenId } from "./screens.ts";

export { refusalPage } from "./pages/refusal.tsx";

/** What answers for each screen. */
export function handlersOf(deps: Deps): Handlers<ScreenId> {
  return {
    ...setupScreens(deps),
    ...signInScreens(deps),
    ...mailCheckScreens(),
    ...homeScreens(deps),
    ...accountScreens(deps),
    ...componentScreens(deps),
    ...documentListScreens(deps),
    ...findScreens(deps),
    ...choiceScreens(deps),
    ...listLayoutScreens(deps),
    ...boardScreens(deps),
    ...documentScreens(deps),
    ...documentChangesScreens(deps),
    ...previewScreens(deps),
    ...scheduleScreens(deps),
    ...releaseScreens(deps),
    ...mediaScreens(deps),
    ...collectionScreens(deps),
    ...fieldScreens(),
    ...settingScreens(deps),
    ...peopleScreens(deps),
    ...packageScreens(deps),
    ...themeScreens(deps),
    ...publisherScreens(deps),
    ...tokenScreens(deps),
    ...webhookScreens(deps),
    ...collectionApiScreens(deps),
    ...jobScreens(deps),
    ...activityScreens(deps),
    ...versionScreens(deps),
    ...backUpScreens(deps),
    ...timeTravelScreens(deps),
  };
}
