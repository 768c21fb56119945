/**
 * File types that a site accepts: images always, others if its settings allow them.
 *
 * @module
 */
import { type FileKind, fileMimes } from "../../kv/model/values/file_type.ts";
import { MEDIA_MIMES, type MediaMime } from "../../kv/model/entities/media.ts";
import type { StoreOptions } from "../../kv/media/upload.ts";
import type { Deps } from "../deps/deps.ts";

/** The types that may be uploaded now. */
export async function uploadTypes({ settings }: Pick<Deps, "settings">): Promise<MediaMime[]> {
  const kinds = await settings.get<FileKind[] | null>("media.file_types");
  return [...MEDIA_MIMES, ...fileMimes(kinds ?? [])];
}

/** How uploads are stored according to the settings; `types` overrides the accepted types. */
export async function storeOptions(
  deps: Pick<Deps, "settings" | "pictures">,
  types?: readonly MediaMime[],
): Promise<Required<Omit<StoreOptions, "keepIf">>> {
  const [taken, keepCredentials] = await Promise.all([
    types ?? uploadTypes(deps),
    deps.settings.get<boolean>("media.keepCredentials"),
  ]);
  return { types: taken, keepCredentials, check: deps.pictures.check };
}
