/**
 * Settings whose values never leave the service.
 *
 * @module
 */

/** Whether a setting is one of them. */
export function isSecretSetting(key: string): boolean {
  return key.startsWith("secret.");
}
