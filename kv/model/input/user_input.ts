/**
 * Request bodies about people: users, roles, signing in, setup.
 *
 * @module
 */
import { z } from "zod";
import {
  COLLECTIONS_MAX,
  EMAIL_CHARS_MAX,
  NAME_CHARS_MAX,
  SLUG_CHARS_MAX,
} from "../../limits/content.ts";
import {
  CREDENTIAL_CHARS_MAX,
  PASSWORD_CHARS_MAX,
  PASSWORD_CHARS_MIN,
  ROLE_NAME_CHARS_MAX,
  USER_ROLES_MAX,
} from "../../limits/people.ts";
import { isTimeZone } from "../entities/setting.ts";
import { DOCUMENT_ACTIONS } from "../entities/document_rights.ts";
import { type Permission, PERMISSION_NAMES } from "../entities/permission.ts";
import { namedLanguages } from "../languages/language.ts";
import { NOTIFICATION_EMAILS } from "../people/user.ts";
import { boundedText, lineText } from "../values/text_check.ts";

const email = boundedText(1, EMAIL_CHARS_MAX).transform((text) => text.trim()).pipe(z.email());
const password = boundedText(PASSWORD_CHARS_MIN, PASSWORD_CHARS_MAX);
/** A credential as given: bounded, and otherwise only right or wrong. */
const given = z.string().max(CREDENTIAL_CHARS_MAX);

const user = {
  email,
  displayName: lineText(NAME_CHARS_MAX),
  password: password.optional(),
  roles: z.array(lineText(ROLE_NAME_CHARS_MAX)).max(USER_ROLES_MAX),
};

/** A new user; without a password they are invited. */
export const NewUser = z.strictObject(user);
export type NewUser = z.infer<typeof NewUser>;

/** A patch of a user; changing one's own password requires the current one. */
export const UserPatch = z.strictObject({
  ...user,
  notificationEmails: z.enum(NOTIFICATION_EMAILS),
  currentPassword: given,
}).partial();
export type UserPatch = z.infer<typeof UserPatch>;

const rights = z.strictObject({
  collection: z.string().max(SLUG_CHARS_MAX),
  actions: z.array(z.enum(DOCUMENT_ACTIONS)).max(DOCUMENT_ACTIONS.length),
});

/** The actions that a role allows in the collection with a slug. */
export type RightsInput = z.infer<typeof rights>;

/** Transfers write everything: the permission is only for roles that may do everything else. */
function isCovered(permissions: readonly Permission[]): boolean {
  return !permissions.includes("transfers.manage") ||
    PERMISSION_NAMES.every((name) => permissions.includes(name));
}

const role = {
  name: lineText(ROLE_NAME_CHARS_MAX),
  permissions: z.array(z.enum(PERMISSION_NAMES as [Permission, ...Permission[]]))
    .max(PERMISSION_NAMES.length)
    .refine(isCovered, {
      message: "transfers.manage requires every other permission",
      params: { code: "INVALID_CHOICE" },
    }),
  collections: z.array(rights).max(COLLECTIONS_MAX).exactOptional(),
  languages: namedLanguages,
  requireSecondFactor: z.boolean().exactOptional(),
};

/** The role to preview, by name. */
export const RolePreview = z.strictObject({ role: lineText(ROLE_NAME_CHARS_MAX) });

/** A new role. */
export const NewRole = z.strictObject(role);
export type NewRole = z.infer<typeof NewRole>;

/** A patch of a role. */
export const RolePatch = z.strictObject({
  name: role.name.exactOptional(),
  permissions: role.permissions.exactOptional(),
  collections: role.collections,
  languages: role.languages,
  requireSecondFactor: role.requireSecondFactor,
});
export type RolePatch = z.infer<typeof RolePatch>;

/** Signing in. */
export const SignIn = z.strictObject({ email: given, password: given });

/** Confirming a new email address. */
export const AddressConfirmation = z.strictObject({ token: given });

/** Asking for a password reset. */
export const ResetRequest = z.strictObject({ email: given });

/** Choosing a password by a reset or an invitation. */
export const ResetConfirmation = z.strictObject({ token: given, password });

/** The first run. */
export const Setup = z.strictObject({
  code: given,
  email,
  displayName: lineText(NAME_CHARS_MAX),
  password,
  siteTitle: lineText(200),
  seedExample: z.boolean().default(false),
  timezone: z.string().refine(isTimeZone, {
    message: "Must be the name of a time zone",
    params: { code: "INVALID_CHOICE" },
  }).optional(),
});
