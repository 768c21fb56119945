/**
 * The bodies of the admin API by name: the schemas that parse them, and media types of others.
 *
 * @module
 */
import { z } from "zod";
import { STATUSES } from "../../../kv/model/entities/document.ts";
import { CommentPatch, NewComment } from "../../../kv/model/entities/discussion.ts";
import { MediaPatch } from "../../../kv/model/entities/media.ts";
import { newRelease, ReleasePatch, ReleasePlanBody } from "../../../kv/model/entities/release.ts";
import { ReviewBody, ReviewRequestBody } from "../../../kv/model/entities/review.ts";
import { NewWebhook, WebhookPatch } from "../../../kv/model/entities/webhook.ts";
import { NewField } from "../../../kv/model/fields/field_input.ts";
import { nestedShape } from "../../../kv/model/fields/field_shape.ts";
import { BlockChange, NewBlock } from "../../../kv/model/input/block_input.ts";
import { CollectionChange, NewCollection } from "../../../kv/model/input/collection_input.ts";
import * as factors from "../../../kv/model/input/factor_input.ts";
import { newToken, tokenPatch } from "../../../kv/model/input/token_input.ts";
import * as users from "../../../kv/model/input/user_input.ts";
import { RestoreBody } from "../../../kv/history/restore/content_restore.ts";
import { NewView } from "../../../kv/documents/lists/saved_views.ts";
import { PlacedAddress } from "../content/media_creation.ts";
import { MoveFolder, Organize } from "../content/media_organization.ts";
import { NotificationsReadBody } from "../content/notifications.ts";
import { PreviewBody } from "../content/previews.ts";
import { Rebuild } from "../content/search.ts";
import { ExportBody as TranslationExport } from "../content/translation_exchange.ts";
import {
  Acceptance,
  Copy,
  Original,
  Publication,
  scheduledTimes,
} from "../content/translations.ts";
import { NameBody } from "../content/versions.ts";
import { Claims } from "../people/provider_check.ts";
import { Rotation } from "../people/tokens.ts";
import { DiffBody, PushBody } from "../structure/schema.ts";
import { ExportBody as BackupOptions } from "../system/exports.ts";
import { AddressBody } from "../system/package_upload.ts";
import { siteRestore } from "../system/site_restore.ts";
import { Replay } from "../system/webhooks.ts";
import { ExportBody as TransferExport } from "../transfers/transfer_exports.ts";
import { TransferAddress } from "../transfers/transfer_upload.ts";
import { PlanBody as TransferPlan, RetryBody, RunBody } from "../transfers/transfers.ts";

const text = z.string();
const nested = z.array(nestedShape);
const fieldValues = "Values of fields by their names, as the collection defines them.";
const documentKeys = {
  title: text,
  slug: text.nullable(),
  status: z.enum(STATUSES),
  blocks: z.array(z.record(z.string(), z.json())),
};
const DocumentPatch = z.looseObject(documentKeys).partial().meta({ description: fieldValues });

/** The bodies in JSON. Times are checked against the clock when they arrive. */
export const JSON_BODIES: { [name: string]: z.ZodType } = {
  Setup: users.Setup,
  SetupCode: users.Setup.pick({ code: true }),
  SignIn: users.SignIn,
  Proof: factors.Proof,
  RolePreview: users.RolePreview,
  SecondFactor: factors.SecondFactorInput,
  PasskeyOptions: factors.PasskeyOptions,
  PasskeySignIn: factors.PasskeySignIn,
  ResetRequest: users.ResetRequest,
  ResetConfirmation: users.ResetConfirmation,
  AddressConfirmation: users.AddressConfirmation,
  NewPasskey: factors.NewPasskey,
  PasskeyPatch: factors.PasskeyPatch,
  TotpCode: factors.Code,
  TotpRemoval: factors.TotpRemoval,
  ProviderClaims: Claims,
  NewUser: users.NewUser,
  UserPatch: users.UserPatch,
  NewRole: users.NewRole,
  RolePatch: users.RolePatch,
  NewToken: newToken(0, false),
  TokenPatch: tokenPatch(0),
  TokenRotation: Rotation,
  NewBlock: NewBlock.extend({ fields: nested.optional() }),
  BlockPatch: BlockChange.extend({ fields: nested.exactOptional() }),
  NewCollection: NewCollection.extend({ fields: z.array(NewField).optional() }),
  CollectionPatch: CollectionChange,
  NewField,
  FieldPatch: NewField.partial(),
  SchemaFiles: DiffBody,
  SchemaPush: PushBody,
  NewDocument: DocumentPatch.required({ title: true }).extend({ collection: text }),
  DocumentPatch,
  TranslationBody: DocumentPatch,
  PreviewOptions: PreviewBody,
  Publication,
  Schedule: scheduledTimes(0),
  ReviewNote: ReviewBody,
  ReviewRequest: ReviewRequestBody,
  NotificationsRead: NotificationsReadBody,
  NewComment,
  CommentPatch,
  Acceptance,
  TranslationCopy: Copy,
  NewOriginal: Original,
  TranslationExport,
  NewRelease: newRelease(0),
  ReleasePatch,
  ReleaseDocument: ReleasePlanBody,
  VersionName: NameBody,
  VersionRestore: RestoreBody,
  NewView,
  SearchRebuild: Rebuild,
  MediaPatch,
  MediaAddress: PlacedAddress,
  FolderMove: MoveFolder,
  MediaOrganization: Organize,
  SettingsPatch: z.record(z.string(), z.json()).meta({ description: "Settings by their keys." }),
  BackupOptions,
  SiteRestore: siteRestore(Number.MAX_SAFE_INTEGER),
  PluginConfig: z.record(z.string(), z.json()).meta({ description: "Values by their keys." }),
  NewWebhook,
  WebhookPatch,
  WebhookReplay: Replay,
  TransferPlan,
  TransferRun: RunBody,
  TransferRetry: RetryBody,
  TransferExport,
};

/** Bodies in other media types: bytes, a form with files, or one of these and an address in JSON. */
export const OTHER_BODIES: {
  [name: string]: { types: string[]; file?: string; json?: z.ZodType };
} = {
  upload: { types: ["multipart/form-data"], file: "file" },
  gzip: { types: ["application/gzip"] },
  xliff: { types: ["application/xliff+xml", "application/zip"] },
  package: { types: ["multipart/form-data"], file: "package", json: AddressBody },
  transfer: { types: ["multipart/form-data"], file: "file", json: TransferAddress },
  laterExport: { types: ["multipart/form-data"], file: "file", json: z.strictObject({}) },
};
