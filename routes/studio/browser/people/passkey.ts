/**
 * Runs in the browser. Asking an authenticator for a passkey, in the JSON that the API speaks.
 *
 * @module
 */
/// <reference lib="dom" />

/** Members that browsers have added to `PublicKeyCredential` later. */
interface PasskeyFactory {
  parseCreationOptionsFromJSON?: (options: unknown) => PublicKeyCredentialCreationOptions;
  parseRequestOptionsFromJSON?: (options: unknown) => PublicKeyCredentialRequestOptions;
  isConditionalMediationAvailable?: () => Promise<boolean>;
}

/** Whether the browser can use passkeys here. */
export function canUsePasskeys(): boolean {
  return factory()?.parseRequestOptionsFromJSON !== undefined;
}

/** Whether the browser offers passkeys in the autofill of a field. */
export async function canAutofill(): Promise<boolean> {
  return await factory()?.isConditionalMediationAvailable?.() ?? false;
}

/** Makes a passkey; null if the user cancels. */
export async function createPasskey(options: unknown): Promise<unknown> {
  const publicKey = factory()?.parseCreationOptionsFromJSON?.(options);
  if (publicKey === undefined) return null;
  return asJson(await navigator.credentials.create({ publicKey }).catch(() => null));
}

/** Signs a challenge with a passkey; null if the user cancels. */
export async function usePasskey(
  options: unknown,
  { signal, autofill = false }: { signal?: AbortSignal; autofill?: boolean } = {},
): Promise<unknown> {
  const publicKey = factory()?.parseRequestOptionsFromJSON?.(options);
  if (publicKey === undefined) return null;
  const request: CredentialRequestOptions = {
    publicKey,
    ...(signal !== undefined && { signal }),
    ...(autofill && { mediation: "conditional" as CredentialMediationRequirement }),
  };
  return asJson(await navigator.credentials.get(request).catch(() => null));
}

function factory(): PasskeyFactory | undefined {
  return (globalThis as { PublicKeyCredential?: PasskeyFactory }).PublicKeyCredential;
}

function asJson(credential: Credential | null): unknown {
  return (credential as { toJSON?: () => unknown } | null)?.toJSON?.() ?? null;
}
