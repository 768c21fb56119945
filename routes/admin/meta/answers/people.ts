/**
 * What the admin API answers about users, roles, sessions, tokens and sign-in.
 *
 * @module
 */
import { z } from "zod";
import { PERMISSION_NAMES } from "../../../../kv/model/entities/permission.ts";
import { NOTIFICATION_EMAILS } from "../../../../kv/model/people/user.ts";
import {
  count,
  id,
  idOrNull,
  openObject,
  text,
  textOrNull,
  texts,
  time,
  timeOrNull,
  times,
} from "./answer_parts.ts";

const user = {
  id,
  email: text,
  displayName: text,
  roles: texts,
  invited: z.boolean().meta({
    description: "Whether the user has not yet accepted the invitation.",
  }),
  disabledAt: timeOrNull,
  notificationEmails: z.enum(NOTIFICATION_EMAILS).meta({
    description: "When the user gets emails about reviews and mentions.",
  }),
  pendingEmail: text.optional().meta({ description: "An address that waits for confirmation." }),
  ...times,
};
const User = z.object(user);
const SignedInUser = z.object({ ...user, permissions: z.array(z.enum(PERMISSION_NAMES)) });

const Session = z.object({
  id: text,
  createdAt: time,
  usedAt: time,
  expiresAt: time,
  agent: text,
  address: text,
  method: text.meta({ description: "`password`, `passkey`, `oidc:<provider>` and others." }),
  secondFactor: textOrNull,
  provenAt: timeOrNull,
  current: z.boolean(),
});

const Passkey = z.object({
  id: text,
  name: text,
  createdAt: time,
  lastUsedAt: timeOrNull,
  synced: z.boolean(),
});

const token = {
  id,
  name: text,
  scopes: texts,
  quotaPerMinute: count,
  allowedOrigins: texts,
  languages: texts.nullable().optional(),
  expiresAt: timeOrNull,
  revokedAt: timeOrNull,
  lastUsedAt: timeOrNull,
  ...times,
};
const secret = text.meta({ description: "Shown in this response only." });

const ProviderCheck = z.object({
  ok: z.boolean(),
  value: z.unknown().optional(),
  error: text.optional(),
});

/** The answers by component name. */
export const PEOPLE_ANSWERS = {
  SetupState: z.object({ needed: z.boolean() }),
  NewSite: z.object({ user: SignedInUser }),
  SignedIn: z.object({
    user: SignedInUser,
    scopes: texts,
    previewedRole: text.optional().meta({
      description: "The role that the user previews: the permissions are those of the role alone.",
    }),
  }),
  RolePreview: z.object({ previewedRole: text }),
  SecondFactorChallenge: z.object({ challenge: text, methods: texts, expiresAt: time }),
  Proof: z.object({ provenAt: time }),
  PasskeyRequest: openObject.meta({ description: "PublicKeyCredentialRequestOptions, as JSON." }),
  PasskeyCreation: openObject.meta({ description: "PublicKeyCredentialCreationOptions, as JSON." }),
  Account: z.object({
    user: SignedInUser,
    passkeys: z.array(Passkey),
    totp: z.object({ enabled: z.boolean(), since: timeOrNull }),
    recoveryCodesLeft: count,
    identities: z.array(z.object({ provider: text, name: text, email: text, linkedAt: time })),
    required: z.object({ secondFactor: z.boolean(), until: timeOrNull }),
  }),
  Passkey,
  NewPasskey: Passkey.extend({ recoveryCodes: texts.optional() }),
  TotpSecret: z.object({ secret, uri: text, qr: text }),
  TotpConfirmation: z.object({ recoveryCodes: texts.optional() }),
  RecoveryCodes: z.object({ recoveryCodes: texts }),
  Grant: z.object({
    id: text,
    client: openObject.meta({ description: "The program, as its metadata describes it." }),
    scopes: texts,
    resource: text,
    createdAt: time,
    usedAt: time,
  }),
  User,
  SignedInUser,
  Invitation: z.object({ url: text, expiresAt: time }),
  Session,
  Role: z.object({
    id,
    name: text,
    permissions: z.array(z.enum(PERMISSION_NAMES)),
    builtIn: z.boolean(),
    collections: z.array(z.object({ collection: text, actions: texts })).optional(),
    languages: texts.optional(),
    requireSecondFactor: z.boolean(),
    ...times,
  }),
  Token: z.object(token),
  NewToken: z.object({ ...token, token: secret }),
  ExplorerToken: z.object({ token: text, scopes: texts, expiresAt: time }),
  AuditEntry: z.object({
    at: time,
    event: text,
    userId: idOrNull,
    tokenId: idOrNull,
    address: text,
    details: openObject,
  }),
  ProviderTest: z.object({
    discovery: ProviderCheck,
    keys: ProviderCheck,
    mapping: z.object({
      outcome: text,
      reason: textOrNull,
      userId: idOrNull,
      roles: texts,
    }).nullable(),
  }),
};
