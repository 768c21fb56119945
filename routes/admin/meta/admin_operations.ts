/**
 * The operations of the admin API, one a line: method and path, summary, query parameters, body, and answers.
 *
 * A body is a name of `admin_bodies.ts`; `?` marks one that may be left out. An answer is a status and a schema of
 * `answers/`: `200 Role`, `200 Role[]` for a page, `200 data Role` for a list without paging, `200 text/csv` for a
 * file, or a status alone. Several answers are joined by `or`.
 *
 * @module
 */

/** An operation, as its line says it. */
export interface AdminOperation {
  summary: string;
  /** Names of `admin_parameters.ts`. */
  query: string[];
  /** A name of `admin_bodies.ts`, with `?` if it may be left out; empty for none. */
  body: string;
  answers: string[];
}

const LINES = `
GET /setup | Whether the site still has to be set up | | | 200 SetupState
POST /setup | Set the site up and sign in | | Setup | 201 NewSite
POST /setup/code | Check the setup code | | SetupCode | 204
POST /session | Sign in; a second factor may have to follow | | SignIn | 200 SignedIn or 202 SecondFactorChallenge
GET /session | The user who is signed in | | | 200 SignedIn
DELETE /session | Sign out; the URL of a provider is where the sign-out continues | | | 204 or 200 Address
PUT /session/preview | Preview what a role may do: the session gets the rights of that role alone | | RolePreview | 200 RolePreview
DELETE /session/preview | End the preview of a role | | | 204
POST /session/prove | Prove who is signed in, for sensitive actions | | Proof | 200 Proof
POST /session/second-factor | Continue a sign-in with the second factor | | SecondFactor | 200 SignedIn
POST /session/passkey/options | Options for signing in with a passkey | | PasskeyOptions? | 200 PasskeyRequest
POST /session/passkey | Sign in with a passkey | | PasskeySignIn | 200 SignedIn
POST /password-reset | Send a link that resets a password | | ResetRequest | 202 Empty
POST /password-reset/confirm | Set a new password | | ResetConfirmation | 204
POST /address-confirmation | Confirm a new email address | | AddressConfirmation | 204
GET /account | The own account and its factors | | | 200 Account
POST /account/passkeys/options | Options for adding a passkey | | | 200 PasskeyCreation
POST /account/passkeys | Add a passkey | | NewPasskey | 201 NewPasskey
PATCH /account/passkeys/:id | Rename a passkey | | PasskeyPatch | 200 Passkey
DELETE /account/passkeys/:id | Remove a passkey | | | 204
POST /account/totp | Begin to set up an authenticator app | | | 201 TotpSecret
PUT /account/totp | Confirm the authenticator app | | TotpCode | 200 TotpConfirmation
DELETE /account/totp | Remove the authenticator app | | TotpRemoval | 204
GET /account/grants | Programs that act for the user | | | 200 Grant[]
DELETE /account/grants/:id | Revoke a program's access | | | 204
POST /account/recovery-codes | Make new recovery codes | | | 201 RecoveryCodes
POST /account/identities/:id/link | Begin to link an identity of a provider | | | 200 Address
DELETE /account/identities/:id | Unlink an identity of a provider | | | 204
POST /auth/providers/:id/test | Test a sign-in provider, and what a sign-in would do | | ProviderClaims? | 200 ProviderTest
GET /audit | The audit log; lines are sent if the Accept header asks for them | event userId tokenId auditFrom auditTo | | 200 AuditEntry[] or 200 application/x-ndjson
GET /blocks | List block definitions | | | 200 Block[]
POST /blocks | Define a block | | NewBlock | 201 Block
GET /blocks/:name | Get a block definition | | | 200 Block
PATCH /blocks/:name | Change a block definition | | BlockPatch | 200 Block
DELETE /blocks/:name | Remove a block definition, or see what that would affect | dryRun | | 204 or 200 Impact
GET /collections | List collections | | | 200 Collection[]
POST /collections | Define a collection | | NewCollection | 201 Collection
GET /collections/:slug | Get a collection | | | 200 Collection
PATCH /collections/:slug | Change a collection | dryRun | CollectionPatch | 200 Collection or 200 LocalizedChange
DELETE /collections/:slug | Remove a collection, or see what that would affect | dryRun | | 204 or 200 Impact
POST /collections/:slug/fields | Add a field | | NewField | 201 Field
GET /collections/:slug/fields/:name | Get a field | | | 200 Field
PATCH /collections/:slug/fields/:name | Change a field; a changed type is migrated by a job | dryRun | FieldPatch | 200 Field or 200 TypeChange or 200 LocalizedChange or 202 StartedJob
DELETE /collections/:slug/fields/:name | Remove a field, or see what that would affect | dryRun | | 204 or 200 Impact
GET /documents | List documents | page perPage collection status q sort filter facets include fields counts richText cursor seed workingCopy review createdBy language translation documentFormat | | 200 DocumentPage or 200 application/x-ndjson or 200 text/csv
POST /documents | Create a document | | NewDocument | 201 Document
GET /documents/:id | Get a document | | | 200 Document
PATCH /documents/:id | Change a document | | DocumentPatch | 200 Document
DELETE /documents/:id | Move a document to the trash | | | 204
GET /documents/:id/live | Edit together, as a WebSocket | | | 101
GET /documents/:id/working-copy | Get a document with its unpublished changes | | | 200 Document
PATCH /documents/:id/working-copy | Change the working copy | | DocumentPatch | 200 Document
DELETE /documents/:id/working-copy | Discard unpublished changes | | | 204
POST /documents/:id/preview | Make a preview link | | PreviewOptions? | 201 NewPreview
POST /documents/:id/publish | Publish a document, or some of its languages | | Publication? | 202 QueuedJob
POST /documents/:id/unpublish | Unpublish a document | | | 202 QueuedJob
POST /documents/:id/archive | Archive a document | | | 200 Document
POST /documents/:id/untrash | Take a document out of the trash | | | 200 Document
POST /documents/:id/remove | Delete a document in the trash for good | | | 204
POST /documents/:id/schedule | Schedule publication and its end | | Schedule | 200 Document
POST /documents/:id/review | Request a review | | ReviewRequest? | 200 Document
DELETE /documents/:id/review | Withdraw the request for a review | | | 204
POST /documents/:id/review/return | Request changes | | ReviewNote? | 200 Document
GET /documents/:id/comments | List the comments on a document | | | 200 Comment[]
POST /documents/:id/comments | Comment on a document | | NewComment | 201 Comment
PATCH /documents/:id/comments/:commentId | Change or resolve a comment | | CommentPatch | 200 Comment
DELETE /documents/:id/comments/:commentId | Delete a comment | | | 204
GET /documents/:id/translations | List the translations of a document | | | 200 data TranslationState
GET /documents/:id/translations/:language | Get a translation | | | 200 Translation
PUT /documents/:id/translations/:language | Create or replace a translation | | TranslationBody | 200 Translation or 201 Translation
PATCH /documents/:id/translations/:language | Create or change a translation | | TranslationBody | 200 Translation or 201 Translation
DELETE /documents/:id/translations/:language | Delete a translation | | | 204
GET /documents/:id/translations/:language/live | Edit a translation together, as a WebSocket | | | 101
GET /documents/:id/translations/:language/working-copy | Get a translation with its unpublished changes | | | 200 Translation
PATCH /documents/:id/translations/:language/working-copy | Change the working copy of a translation | | TranslationBody | 200 Translation
DELETE /documents/:id/translations/:language/working-copy | Discard unpublished changes of a translation | | | 204
POST /documents/:id/translations/:language/publish | Publish a translation | | | 202 QueuedJob
POST /documents/:id/translations/:language/unpublish | Unpublish a translation | | | 202 QueuedJob
POST /documents/:id/translations/:language/schedule | Schedule the publication of a translation and its end | | Schedule | 200 Translation
POST /documents/:id/translations/:language/accept | Confirm that a translation still holds | | Acceptance? | 200 Translation
POST /documents/:id/translations/:language/copy | Copy values of another language | | TranslationCopy | 200 Translation or 201 Translation
POST /documents/:id/translations/:language/preview | Make a preview link of a translation | | PreviewOptions? | 201 NewPreview
POST /documents/:id/translations/:language/review | Request a review of a translation | | ReviewRequest? | 200 Translation
DELETE /documents/:id/translations/:language/review | Withdraw the request for a review of a translation | | | 204
POST /documents/:id/translations/:language/review/return | Request changes of a translation | | ReviewNote? | 200 Translation
POST /documents/:id/original | Make a translation the original | | NewOriginal | 200 Document
GET /translations | Count translations by state | countedLanguage | | 200 data TranslationCount
POST /translations/export | Export texts for translators, as XLIFF 2.1 | | TranslationExport | 202 StartedJob
GET /translations/exports/:jobId | Download texts for translators | | | 200 application/xliff+xml or 200 application/zip
POST /translations/import | Import translations from XLIFF 2 | force | xliff | 202 StartedJob
POST /example-site/seed | Create the example site | | | 202 StartedJob
POST /explorer-token | A token for the API explorer | | | 201 ExplorerToken
GET /exports | List backups | | | 200 Backup[]
POST /exports | Create a backup | | BackupOptions? | 202 StartedJob
GET /exports/:id | Download a backup | | | 200 application/gzip
POST /imports | Restore a backup, or check it | dryRun | gzip | 202 StartedJob or 200 BackupCheck
GET /jobs | List jobs | jobType jobState | | 200 Job[]
GET /jobs/:id | Get a job, with its former runs if they are kept | | | 200 JobWithRuns
GET /jobs/:id/lost | Values that a migration could not convert | | | 200 LostValue[]
POST /jobs/:id/retry | Retry a failed job | | | 200 Job
POST /jobs/:id/cancel | Cancel a job | | | 200 Job
GET /media | List media | q mime folder tag unused deleted alt mediaSort | | 200 Medium[]
POST /media | Upload a file | ifNew | upload | 201 Medium or 200 Medium
GET /media/limits | Limits of uploads | | | 200 MediaLimits
POST /media/import | Import a file from a URL | ifNew | MediaAddress | 201 Medium or 200 Medium
GET /media/folders | List folders and tags | | | 200 MediaFolders
POST /media/folders/move | Rename or move a folder | | FolderMove | 200 MovedFolder
POST /media/organize | Put media into a folder, and tag them | | MediaOrganization | 200 OrganizedMedia
GET /media/missing | Media whose bytes are missing | | | 200 Medium[]
POST /media/missing | Upload the bytes of missing media | | upload | 200 RestoredMedia
POST /media/missing/archive | Upload an archive of missing bytes | | gzip | 200 RestoredMedia
GET /media/:id | Get a medium | | | 200 Medium
PATCH /media/:id | Describe a medium | | MediaPatch | 200 Medium
DELETE /media/:id | Delete a medium | | | 204
PUT /media/:id/file | Replace the file of a medium | | upload | 200 Medium
POST /media/:id/undelete | Restore a deleted medium | | | 200 Medium
GET /media/:id/uses | Where a medium is used | | | 200 MediaUse[]
GET /plugins | List plugins | | | 200 Plugin[]
POST /plugins | Install a plugin, or inspect it | dryRun | package | 202 StartedJob or 200 PackageCheck
GET /plugins/:id | Get a plugin | | | 200 Plugin
DELETE /plugins/:id | Remove a plugin | | | 204
POST /plugins/:id/enable | Enable a plugin | | | 200 Plugin
POST /plugins/:id/disable | Disable a plugin | | | 200 Plugin
GET /plugins/:id/config | Settings of a plugin | | | 200 PluginConfig
PUT /plugins/:id/config | Change the settings of a plugin | | PluginConfig | 200 PluginConfig
POST /plugins/:id/secret | Rotate the secret of a plugin | | | 200 PluginSecret
GET /plugins/:id/deliveries | List deliveries to a plugin | | | 200 Delivery[]
POST /plugins/:id/deliveries/:deliveryId/resend | Resend a delivery | | | 202 Delivery
GET /notifications | What the user is notified of, newest first | | | 200 Notifications
POST /notifications/read | Mark notifications up to a time as read | | NotificationsRead | 204
GET /previews | List previews | documentId | | 200 Preview[]
DELETE /previews/:id | Revoke a preview | | | 204
GET /redirects | List redirect rules and former addresses, or test one address | testedPath | | 200 Redirect[] or 200 RedirectMatch
GET /releases | List releases | | | 200 Release[]
POST /releases | Create a release | | NewRelease | 201 Release
GET /releases/:id | Get a release | | | 200 Release
PATCH /releases/:id | Change or schedule a release | | ReleasePatch | 200 Release
DELETE /releases/:id | Delete a release | | | 204
PUT /releases/:id/documents/:documentId | Add a document to a release | | ReleaseDocument | 200 Release
DELETE /releases/:id/documents/:documentId | Remove a document from a release | | | 200 Release
GET /releases/:id/check | Check whether a release can be published | | | 200 ReleaseCheck
POST /releases/:id/preview | Make a preview link of a release | | PreviewOptions? | 201 NewPreview
POST /releases/:id/publish | Publish a release | | | 202 StartedJob
POST /releases/:id/revert | Revert a release | | | 202 StartedJob
POST /restore | Restore the site to a moment | | SiteRestore | 202 StartedJob
GET /roles | List roles | | | 200 Role[]
POST /roles | Define a role | | NewRole | 201 Role
GET /roles/:id | Get a role | | | 200 Role
PATCH /roles/:id | Change a role | | RolePatch | 200 Role
DELETE /roles/:id | Delete a role | | | 204
POST /search/rebuild | Rebuild the search index | | SearchRebuild | 202 StartedJob
GET /sessions | List the own sessions | | | 200 Session[]
DELETE /sessions | Sign out everywhere else | | | 204
DELETE /sessions/:id | End one of the own sessions | | | 204
GET /settings | All settings | | | 200 Settings
PATCH /settings | Change settings | | SettingsPatch | 200 Settings
POST /settings/test-mail | Send a test email to the signed-in user | | | 200 TestMail
GET /state-at | The site at a moment | timestamp | | 200 SiteState
GET /state-at/diff | What changed between two moments | diffFrom diffTo | | 200 SiteDiff
GET /themes | List themes | | | 200 Theme[]
POST /themes | Install a theme, or inspect it | dryRun | package | 202 StartedJob or 200 PackageCheck
GET /themes/built-in | List the themes that the service includes | | | 200 BuiltInTheme[]
GET /themes/:id | Get a theme | | | 200 AnyTheme
DELETE /themes/:id | Remove a theme | | | 204
GET /themes/:id/preview | Preview a page of the site in a theme | previewPath | | 200 text/html
POST /themes/:id/activate | Activate a theme | | | 200 ActivatedTheme
GET /tokens | List API tokens | | | 200 Token[]
POST /tokens | Create an API token; its secret is in this response only | | NewToken | 201 NewToken
GET /tokens/:id | Get an API token | | | 200 Token
PATCH /tokens/:id | Change an API token | | TokenPatch | 200 Token
DELETE /tokens/:id | Revoke an API token | | | 204
POST /tokens/:id/rotate | Rotate the secret of an API token | | TokenRotation? | 200 NewToken
GET /transfers | List transfers | | | 200 Transfer[]
POST /transfers | Begin a transfer | transferKind | transfer | 202 StartedTransfer
GET /transfers/:id | Get a transfer | | | 200 Transfer
PATCH /transfers/:id | Change the plan of a transfer | | TransferPlan | 200 Transfer
GET /transfers/:id/sample | A sample of what a transfer will write | sampleCollection limit | | 200 TransferSample
GET /transfers/:id/report | The report of a transfer | level reportCollection run | | 200 application/x-ndjson
POST /transfers/:id/run | Run a transfer, or try it | | TransferRun? | 202 StartedJob
POST /transfers/:id/retry | Run the rows of a transfer that failed again | | TransferRetry | 202 StartedJob
POST /transfers/:id/undo | Undo a transfer | | | 202 StartedJob
POST /transfers/:id/files | Run a transfer with a later export of its source | | laterExport | 202 StartedTransfer
POST /transfers/export | Export content for another system | | TransferExport | 202 StartedJob
GET /transfers/exports/:jobId | Download an export for another system | | | 200 application/octet-stream
POST /transfers/:id/pause | Pause a transfer | | | 200 Transfer
POST /transfers/:id/resume | Resume a transfer | | | 200 Transfer
POST /transfers/:id/cancel | Cancel a transfer | | | 200 Transfer
GET /users | List users | | | 200 User[]
POST /users | Invite a user | | NewUser | 201 User
GET /users/:id | Get a user | | | 200 User
PATCH /users/:id | Change a user | | UserPatch | 200 User
DELETE /users/:id | Delete a user | | | 204
POST /users/:id/invitation | Send the invitation again | | | 201 Invitation
POST /users/:id/disable | Disable a user: nothing signs them in until they are enabled | | | 200 User
POST /users/:id/enable | Enable a user | | | 200 User
DELETE /users/:id/factors | Remove the passkeys and second factors of a user | | | 204
GET /users/:id/sessions | List the sessions of a user | | | 200 Session[]
DELETE /users/:id/sessions | End all sessions of a user | | | 204
DELETE /users/:id/sessions/:sessionId | End a session of a user | | | 204
GET /versions/:entityType/:entityId | List the versions of an entity | group versionLanguage | | 200 ListedVersion[]
GET /versions/:versionId | Get a version with its state | | | 200 Version
PATCH /versions/:versionId | Name a version | | VersionName | 200 Version
GET /versions/:versionId/diff | Compare a version with another state | against | | 200 VersionDiff
POST /versions/:versionId/restore | Restore a version | | VersionRestore? | 200 Version
GET /views | List saved views | | | 200 View[]
POST /views | Save a view | | NewView | 201 View
DELETE /views/:id | Delete a view | | | 204
GET /webhooks | List webhooks | | | 200 Webhook[]
POST /webhooks | Create a webhook; its secret is in this response only | | NewWebhook | 201 NewWebhook
GET /webhooks/:id | Get a webhook | | | 200 Webhook
PATCH /webhooks/:id | Change a webhook | | WebhookPatch | 200 Webhook
DELETE /webhooks/:id | Delete a webhook | | | 204
POST /webhooks/:id/rotate-secret | Rotate the secret of a webhook | | | 200 NewWebhook
POST /webhooks/:id/test | Send a test message | | | 202 Delivery
POST /webhooks/:id/replay | Send past events again | | WebhookReplay | 202 StartedJob
GET /webhooks/:id/deliveries | List deliveries | | | 200 Delivery[]
POST /webhooks/:id/deliveries/:deliveryId/resend | Resend a delivery | | | 202 Delivery
GET /schema | The schema as files | | | 200 SchemaState
POST /schema/diff | What files would change | | SchemaFiles | 200 SchemaDiff
POST /schema/push | Apply files to the schema, or see what that would change | | SchemaPush | 200 SchemaDiff or 202 SchemaPush
POST /schema/pushes/:id/revert | Undo a push | | | 202 SchemaRevert
GET /schema/jobs/:id | The job of a push | | | 200 SchemaJob
GET /_meta | This description | | | 200 Description
`;

/** The operations by method and path below `/api/admin`: `POST /blocks`. */
export const ADMIN_OPERATIONS: ReadonlyMap<string, AdminOperation> = new Map(
  LINES.trim().split("\n").map((line) => {
    const [name = "", summary = "", query = "", body = "", answers = ""] = line.split("|")
      .map((part) => part.trim());
    return [name, {
      summary,
      query: query === "" ? [] : query.split(" "),
      body,
      answers: answers.split(" or "),
    }];
  }),
);
