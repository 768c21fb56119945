/**
 * What the operations of the admin API do, take and answer, one a line: method and path, summary, keys of the
 * body (`!` is required), and the answer. A key's type is that of `admin_schemas.ts`.
 *
 * @module
 */

/** An operation, as its line says it. */
export interface AdminOperation {
  summary: string;
  /** Keys of a JSON body; `multipart`, `gzip`, `xliff` or `package` for other bodies; null for none. */
  body: string | null;
  /** The status and the schema: `201 Block`, `200 list of Block`, `204`. */
  answer: string;
}

const LINES = `
GET /setup | Whether the site still has to be set up | | 200 SetupState
POST /setup | Set the site up and sign in | code! email! displayName! password! siteTitle! seedExample | 201 SignedIn
POST /setup/code | Check the setup code | code! | 204
POST /session | Sign in | email! password! | 200 SignedIn
GET /session | The user who is signed in | | 200 SignedIn
DELETE /session | Sign out | | 204
POST /session/prove | Prove who is signed in, for sensitive actions | password | 204
POST /session/second-factor | Continue a sign-in with the second factor | code | 200 SignedIn
POST /session/passkey/options | Options for signing in with a passkey | | 200 Any
POST /session/passkey | Sign in with a passkey | any | 200 SignedIn
POST /password-reset | Send a link that resets a password | email! | 202
POST /password-reset/confirm | Set a new password | token! password! | 204
POST /address-confirmation | Confirm a new email address | token! | 204
GET /account | The factors of the own account | | 200 Any
POST /account/passkeys/options | Options for adding a passkey | | 200 Any
POST /account/passkeys | Add a passkey | any | 201 Any
PATCH /account/passkeys/:id | Rename a passkey | name! | 200 Any
DELETE /account/passkeys/:id | Remove a passkey | | 204
POST /account/totp | Begin to set up an authenticator app | | 200 Any
PUT /account/totp | Confirm the authenticator app | code! | 200 Any
DELETE /account/totp | Remove the authenticator app | | 204
GET /account/grants | Programs that act for the user | | 200 list of Any
DELETE /account/grants/:id | Revoke a program's access | | 204
POST /account/recovery-codes | Make new recovery codes | | 200 Any
GET /audit | The audit log | | 200 list of AuditEntry
GET /blocks | List block definitions | | 200 list of Block
POST /blocks | Define a block | name! label fields | 201 Block
GET /blocks/:name | Get a block definition | | 200 Block
PATCH /blocks/:name | Change a block definition | name label fields | 200 Block
DELETE /blocks/:name | Remove a block definition | | 204
GET /collections | List collections | | 200 list of Collection
POST /collections | Define a collection | slug! name! description exposed singleton icon pageless unlisted undated fields | 201 Collection
GET /collections/:slug | Get a collection | | 200 Collection
PATCH /collections/:slug | Change a collection | slug name description exposed singleton icon pageless unlisted undated | 200 Collection
DELETE /collections/:slug | Remove a collection | | 204
POST /collections/:slug/fields | Add a field | fieldName! label fieldType! required unique indexed sortable help options position | 201 Field
GET /collections/:slug/fields/:name | Get a field | | 200 Field
PATCH /collections/:slug/fields/:name | Change a field; a changed type is migrated by a job | fieldName label fieldType required unique indexed sortable help options position | 200 Field or 202 Job
DELETE /collections/:slug/fields/:name | Remove a field | | 204
GET /documents | List documents | | 200 list of Document
POST /documents | Create a document | collection! title! slug documentStatus blocks any | 201 Document
GET /documents/:id | Get a document | | 200 Document
PATCH /documents/:id | Change a document | title slug documentStatus blocks any | 200 Document
DELETE /documents/:id | Move a document to the trash | | 204
GET /documents/:id/live | Edit together, as a WebSocket | | 101
GET /documents/:id/working-copy | Get a document with its unpublished changes | | 200 Document
PATCH /documents/:id/working-copy | Change the working copy | title slug blocks any | 200 Document
DELETE /documents/:id/working-copy | Discard unpublished changes | | 204
POST /documents/:id/preview | Make a preview link | ttl | 201 Preview
POST /documents/:id/publish | Publish a document, or some of its languages | publishedLanguages | 202 QueuedJob
POST /documents/:id/unpublish | Unpublish a document | | 202 QueuedJob
POST /documents/:id/archive | Archive a document | | 200 Document
POST /documents/:id/untrash | Take a document out of the trash | | 200 Document
POST /documents/:id/remove | Delete a document in the trash for good | | 204
POST /documents/:id/schedule | Schedule publication and its end | publishAt unpublishAt | 200 Document
POST /documents/:id/review | Request a review | note | 200 Document
DELETE /documents/:id/review | Withdraw the request for a review | | 200 Document
POST /documents/:id/review/return | Request changes | note | 200 Document
GET /documents/:id/comments | List the comments on a document | | 200 Any
POST /documents/:id/comments | Comment on a document | text! field | 201 Any
PATCH /documents/:id/comments/:commentId | Change or resolve a comment | text resolved | 200 Any
DELETE /documents/:id/comments/:commentId | Delete a comment | | 204
GET /documents/:id/translations | List the translations of a document | | 200 list of Any
GET /documents/:id/translations/:language | Get a translation | | 200 Any
PUT /documents/:id/translations/:language | Create or replace a translation | title slug documentStatus blocks any | 200 Any
PATCH /documents/:id/translations/:language | Create or change a translation | title slug documentStatus blocks any | 200 Any
DELETE /documents/:id/translations/:language | Delete a translation | | 204
GET /documents/:id/translations/:language/working-copy | Get a translation with its unpublished changes | | 200 Any
PATCH /documents/:id/translations/:language/working-copy | Change the working copy of a translation | title slug blocks any | 200 Any
DELETE /documents/:id/translations/:language/working-copy | Discard unpublished changes of a translation | | 204
POST /documents/:id/translations/:language/publish | Publish a translation | | 202 QueuedJob
POST /documents/:id/translations/:language/unpublish | Unpublish a translation | | 202 QueuedJob
POST /documents/:id/translations/:language/schedule | Schedule the publication of a translation and its end | publishAt unpublishAt | 200 Any
POST /documents/:id/translations/:language/accept | Confirm that a translation still holds | fieldNames | 200 Any
POST /documents/:id/translations/:language/copy | Copy values of another language | from! fieldNames | 200 Any
POST /documents/:id/translations/:language/preview | Make a preview link of a translation | ttl | 201 Preview
POST /documents/:id/translations/:language/review | Request a review of a translation | note | 200 Any
DELETE /documents/:id/translations/:language/review | Withdraw the request for a review of a translation | | 204
POST /documents/:id/translations/:language/review/return | Request changes of a translation | note | 200 Any
POST /documents/:id/original | Make a translation the original | language! | 200 Document
GET /translations | Count translations by state | | 200 Any
POST /translations/export | Export texts for translators, as XLIFF 2.1 | language! slugs filter states | 202 Job
GET /translations/exports/:jobId | Download texts for translators | | 200 file
POST /translations/import | Import translations from XLIFF 2 | xliff | 202 Job
POST /example-site/seed | Create the example site | | 202 Job
POST /explorer-token | A token for the API explorer | | 200 Any
GET /exports | List backups | | 200 list of Any
POST /exports | Create a backup | redacted | 202 Job
GET /exports/:id | Download a backup | | 200 file
POST /imports | Restore a backup, or check it | gzip | 202 Job
GET /jobs | List jobs | | 200 list of JobState
GET /jobs/:id | Get a job | | 200 JobState
GET /jobs/:id/lost | Values that a migration could not convert | | 200 Any
POST /jobs/:id/retry | Retry a failed job | | 200 JobState
POST /jobs/:id/cancel | Cancel a job | | 200 JobState
GET /media | List media | | 200 list of Medium
POST /media | Upload a file | multipart | 201 Medium
GET /media/limits | Limits of uploads | | 200 MediaLimits
POST /media/import | Import a file from a URL | url! alt filename folder private | 201 Medium
GET /media/folders | List folders | | 200 Any
POST /media/folders/move | Rename or move a folder | from! to! | 200 Any
POST /media/organize | Put media into a folder, and tag them | ids! folder addTags removeTags | 200 Any
GET /media/missing | Media whose bytes are missing | | 200 list of Any
POST /media/missing | Upload the bytes of missing media | multipart | 200 Any
POST /media/missing/archive | Upload an archive of missing bytes | gzip | 200 Any
GET /media/:id | Get a medium | | 200 Medium
PATCH /media/:id | Describe a medium | alt alts mediaTitle folder tags filename focus crops private | 200 Medium
DELETE /media/:id | Delete a medium | | 204
PUT /media/:id/file | Replace the file of a medium | multipart | 200 Medium
POST /media/:id/undelete | Restore a deleted medium | | 200 Medium
GET /media/:id/uses | Where a medium is used | | 200 Any
GET /plugins | List plugins | | 200 list of Package
POST /plugins | Install a plugin | package | 202 Job
GET /plugins/:id | Get a plugin | | 200 Package
DELETE /plugins/:id | Remove a plugin | | 204
POST /plugins/:id/enable | Enable a plugin | | 200 Package
POST /plugins/:id/disable | Disable a plugin | | 200 Package
GET /plugins/:id/config | Settings of a plugin | | 200 Any
PUT /plugins/:id/config | Change the settings of a plugin | any | 200 Any
POST /plugins/:id/secret | Rotate the secret of a plugin | | 200 Any
GET /plugins/:id/deliveries | List deliveries to a plugin | | 200 list of Delivery
POST /plugins/:id/deliveries/:deliveryId/resend | Resend a delivery | | 202 Any
GET /previews | List previews | | 200 list of Preview
DELETE /previews/:id | Revoke a preview | | 204
GET /redirects | List former addresses | | 200 list of Any
GET /releases | List releases | | 200 list of Release
POST /releases | Create a release | name! description publishAt | 201 Release
GET /releases/:id | Get a release | | 200 Release
PATCH /releases/:id | Change or schedule a release | name description publishAt | 200 Release
DELETE /releases/:id | Delete a release | | 204
PUT /releases/:id/documents/:documentId | Add a document to a release | action! publishedLanguages | 200 Release
DELETE /releases/:id/documents/:documentId | Remove a document from a release | | 200 Release
GET /releases/:id/check | Check whether a release can be published | | 200 ReleaseCheck
POST /releases/:id/preview | Make a preview link of a release | ttl | 201 Preview
POST /releases/:id/publish | Publish a release | | 202 Job
POST /releases/:id/revert | Revert a release | | 202 Job
POST /restore | Restore the site to a moment | timestamp! | 202 Job
GET /roles | List roles | | 200 list of Role
POST /roles | Define a role | name! permissions! roleCollections languages requireSecondFactor | 201 Role
GET /roles/:id | Get a role | | 200 Role
PATCH /roles/:id | Change a role | name permissions roleCollections languages requireSecondFactor | 200 Role
DELETE /roles/:id | Delete a role | | 204
POST /search/rebuild | Rebuild the search index | force | 202 Job
GET /sessions | List the own sessions | | 200 list of Any
DELETE /sessions | Sign out everywhere else | | 204
DELETE /sessions/:id | End one of the own sessions | | 204
GET /settings | All settings | | 200 Settings
PATCH /settings | Change settings | any | 200 Settings
POST /settings/test-mail | Send a test email | | 202 Any
GET /state-at | The site at a moment | | 200 Any
GET /state-at/diff | What changed between two moments | | 200 Any
GET /themes | List themes | | 200 list of Package
POST /themes | Install a theme | package | 202 Job
GET /themes/:id | Get a theme | | 200 Package
DELETE /themes/:id | Remove a theme | | 204
GET /themes/:id/preview | Preview the site in a theme | | 200 file
POST /themes/:id/activate | Activate a theme | | 200 Package
GET /tokens | List API tokens | | 200 list of Token
POST /tokens | Create an API token; its secret is in this response only | name! scopes! quotaPerMinute allowedOrigins languages expiresAt | 201 NewToken
GET /tokens/:id | Get an API token | | 200 Token
PATCH /tokens/:id | Change an API token | name scopes quotaPerMinute allowedOrigins languages expiresAt | 200 Token
DELETE /tokens/:id | Revoke an API token | | 204
POST /tokens/:id/rotate | Rotate the secret of an API token | overlapSeconds | 200 NewToken
GET /transfers | List transfers | | 200 list of Transfer
POST /transfers | Begin a transfer | package | 202 Job
GET /transfers/:id | Get a transfer | | 200 Transfer
PATCH /transfers/:id | Change the plan of a transfer | plan! | 200 Transfer
GET /transfers/:id/sample | A sample of what a transfer will write | | 200 Any
GET /transfers/:id/report | The report of a transfer | | 200 file
POST /transfers/:id/run | Run a transfer | dryRun | 202 Job
POST /transfers/:id/retry | Retry a transfer | any | 202 Job
POST /transfers/:id/undo | Undo a transfer | | 202 Job
POST /transfers/:id/files | Run a transfer with a later export of its source | multipart | 202 Job
POST /transfers/export | Export content for another system | kind! collections filter | 202 Job
GET /transfers/exports/:jobId | Download an export for another system | | 200 file
POST /transfers/:id/pause | Pause a transfer | | 200 Transfer
POST /transfers/:id/resume | Resume a transfer | | 200 Transfer
POST /transfers/:id/cancel | Cancel a transfer | | 200 Transfer
GET /users | List users | | 200 list of User
POST /users | Invite a user | email! displayName! password roles! | 201 User
GET /users/:id | Get a user | | 200 User
PATCH /users/:id | Change a user | email displayName password roles | 200 User
DELETE /users/:id | Delete a user | | 204
POST /users/:id/invitation | Send the invitation again | | 202
GET /users/:id/sessions | List the sessions of a user | | 200 list of Any
DELETE /users/:id/sessions | End all sessions of a user | | 204
DELETE /users/:id/sessions/:sessionId | End a session of a user | | 204
GET /versions/:entityType/:entityId | List the versions of an entity | | 200 list of Version
GET /versions/:versionId | Get a version with its state | | 200 Version
PATCH /versions/:versionId | Name a version | versionName! | 200 Version
GET /versions/:versionId/diff | Compare a version with another state | | 200 Any
POST /versions/:versionId/restore | Restore a version | workingCopy content fieldNames | 200 Any
GET /views | List saved views | | 200 list of View
POST /views | Save a view | name! viewCollection query! shared | 201 View
DELETE /views/:id | Delete a view | | 204
GET /webhooks | List webhooks | | 200 list of Webhook
POST /webhooks | Create a webhook; its secret is in this response only | name! url! events! webhookCollections filter enabled | 201 NewWebhook
GET /webhooks/:id | Get a webhook | | 200 Webhook
PATCH /webhooks/:id | Change a webhook | name url events webhookCollections filter enabled | 200 Webhook
DELETE /webhooks/:id | Delete a webhook | | 204
POST /webhooks/:id/rotate-secret | Rotate the secret of a webhook | | 200 NewWebhook
POST /webhooks/:id/test | Send a test message | | 202 Any
POST /webhooks/:id/replay | Send past events again | since! | 202 Any
GET /webhooks/:id/deliveries | List deliveries | | 200 list of Delivery
POST /webhooks/:id/deliveries/:deliveryId/resend | Resend a delivery | | 202 Any
GET /schema | The schema as files | | 200 SchemaState
POST /schema/diff | What files would change | schemaFiles! | 200 SchemaDiff
POST /schema/push | Apply files to the schema | schemaFiles! etag allowLoss delete dryRun | 200 SchemaDiff or 202 Job
POST /schema/pushes/:id/revert | Undo a push | | 202 Job
GET /schema/jobs/:id | The job of a push | | 200 Any
GET /_meta | This description | | 200 Any
`;

/** The operations by method and path below `/api/admin`: `POST /blocks`. */
export const ADMIN_OPERATIONS: ReadonlyMap<string, AdminOperation> = new Map(
  LINES.trim().split("\n").map((line) => {
    const [name = "", summary = "", body = "", answer = ""] = line.split("|")
      .map((part) => part.trim());
    return [name, { summary, body: body === "" ? null : body, answer }];
  }),
);
