/**
 * Content Credentials (C2PA) of a medium: a signed statement of where a file comes from. The manifest is an
 * object of its own, because the cleaned file no longer holds it.
 *
 * @module
 */

/** The claims of a manifest. None of them is verified. */
export type CredentialsFacts = {
  /** Common name of the certificate that signed it. */
  signer?: string;
  /** Organization of that certificate. */
  organization?: string;
  /** The program that made the claim. */
  generator?: string;
};

/** The credentials of a medium, as its versions record them. */
export type MediaCredentials = CredentialsFacts & {
  /** Which object holds the manifest. */
  object: string;
  bytes: number;
  sha256: string;
  /** Set when the file was kept as it came, with its credentials inside. */
  embedded?: true;
};

/** Credentials as the admin API shows them. */
export type CredentialsView = {
  url: string;
  bytes: number;
  embedded: boolean;
  signer: string | null;
  organization: string | null;
  generator: string | null;
  /** Neither the signature nor the certificate is checked here. */
  verified: false;
};

/** The media type of a manifest. */
export const CREDENTIALS_MIME = "application/c2pa";
/** The name under which the manifest of a medium is served. */
export const CREDENTIALS_FILENAME = "credentials.c2pa";

/** Path of the manifest of a medium. */
export function credentialsUrl(id: string): string {
  return `/media/${id}/${CREDENTIALS_FILENAME}`;
}

/** Credentials without what only the service needs. */
export function credentialsView(id: string, credentials: MediaCredentials): CredentialsView {
  const { bytes, embedded = false, signer = null, organization = null, generator = null } =
    credentials;
  const url = credentialsUrl(id);
  return { url, bytes, embedded, signer, organization, generator, verified: false };
}
