/**
 * The pages of the admin application, with all that draws them.
 *
 * @module
 */
import type { Deps } from "../../deps/deps.ts";
import { accountScreens } from "../pages/people/account.tsx";
import { activityScreens } from "../pages/system/activity.tsx";
import { backUpScreens } from "../pages/system/backups.tsx";
import { componentScreens } from "../pages/system/components.tsx";
import { collectionScreens } from "../pages/structure/collections.tsx";
import { documentChangesScreens } from "../pages/content/document_changes.tsx";
import { documentListScreens } from "../pages/content/lists/document_list.tsx";
import { documentScreens } from "../pages/content/document.tsx";
import { fieldScreens } from "../pages/structure/fields.tsx";
import { notificationScreens } from "../pages/planning/notifications.tsx";
import { homeScreens } from "../pages/planning/home.tsx";
import { jobScreens } from "../pages/system/jobs.tsx";
import { mediaScreens } from "../pages/media/media.tsx";
import { packageScreens } from "../pages/site/packages.tsx";
import { peopleScreens } from "../pages/people/people.tsx";
import { previewScreens } from "../pages/planning/preview.ts";
import { publisherScreens } from "../pages/site/publishers.tsx";
import { redirectScreens } from "../pages/site/redirects.tsx";
import { releaseChangesScreens } from "../pages/planning/release_changes.tsx";
import { releaseScreens } from "../pages/planning/releases.tsx";
import { scheduleScreens } from "../pages/planning/schedule.tsx";
import { designScreens } from "../pages/site/design.tsx";
import { settingScreens } from "../pages/site/settings.tsx";
import { mailCheckScreens, setupScreens } from "../pages/people/setup.tsx";
import { signInScreens } from "../pages/people/sign_in.tsx";
import { themeScreens } from "../pages/site/theme.tsx";
import { timeTravelScreens } from "../pages/planning/time_travel.tsx";
import { translationExchangeScreens } from "../pages/planning/translation_exchange.tsx";
import { transferScreens } from "../pages/transfers/transfers.tsx";
import { translationScreens } from "../pages/content/translations/translation.tsx";
import { tokenScreens } from "../pages/people/tokens.tsx";
import { webhookScreens } from "../pages/system/webhooks.tsx";
import { pinScreens } from "../pages/structure/pins.tsx";
import { boardScreens } from "../pages/content/lists/board.tsx";
import { choiceScreens } from "../pages/media/choices.ts";
import { findScreens } from "../pages/planning/find.ts";
import { listLayoutScreens } from "../pages/content/lists/list_layout.ts";
import { collectionApiScreens } from "../pages/structure/collection_api.tsx";
import { versionScreens } from "../pages/content/versions.tsx";
import type { Handlers, ScreenId } from "../screens.ts";

export { refusalPage } from "../pages/people/refusal.tsx";

/** The handler of each screen. */
export function handlersOf(deps: Deps): Handlers<ScreenId> {
  return {
    ...setupScreens(deps),
    ...signInScreens(deps),
    ...mailCheckScreens(),
    ...homeScreens(deps),
    ...notificationScreens(deps),
    ...accountScreens(deps),
    ...componentScreens(deps),
    ...documentListScreens(deps),
    ...findScreens(deps),
    ...choiceScreens(deps),
    ...listLayoutScreens(deps),
    ...pinScreens(deps),
    ...boardScreens(deps),
    ...documentScreens(deps),
    ...documentChangesScreens(deps),
    ...translationScreens(deps),
    ...translationExchangeScreens(deps),
    ...previewScreens(deps),
    ...scheduleScreens(deps),
    ...releaseScreens(deps),
    ...releaseChangesScreens(deps),
    ...mediaScreens(deps),
    ...collectionScreens(deps),
    ...fieldScreens(),
    ...designScreens(deps),
    ...settingScreens(deps),
    ...redirectScreens(deps),
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
    ...transferScreens(deps),
  };
}
