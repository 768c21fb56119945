/**
 * Open releases, and the documents that are in them.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { type CurrentRow, readHead } from "./entities.ts";
import { currentKey, openReleaseKey, openReleasePrefix, releasesKey } from "../keys.ts";
import { isOpenRelease, type ReleasePlan, type ReleaseState } from "../model/entities/release.ts";
import { Refusal } from "../refusals.ts";
import { StampedCache } from "./stamped_cache.ts";
import type { Entry, Operation } from "../store/operation.ts";

/** Adds the row of an open release (null: no longer open) to the commit that changes it. */
export function stageOpenRelease(
  operation: Operation,
  id: string,
  state: ReleaseState | null,
): void {
  if (state !== null && isOpenRelease(state)) operation.set(openReleaseKey(id), 1);
  else operation.delete(openReleaseKey(id));
}

/** The open releases, oldest first. */
export async function readOpenReleases(context: Context): Promise<ReleaseState[]> {
  const rows = await context.store.listAll({ prefix: openReleasePrefix });
  const keys = rows.map(({ key }) => currentKey("release", key[1] as string));
  const found: ReleaseState[] = [];
  for (const entry of await context.store.getMany(keys) as Entry<CurrentRow>[]) {
    const id = entry.key[2] as string;
    const { state } = await readHead(context, "release", id, entry.key, entry);
    if (state !== null && isOpenRelease(state)) found.push(state);
  }
  return found;
}

/** The open releases as of one moment. */
export interface OpenReleases {
  byId: ReadonlyMap<string, ReleaseState>;
  /** The newest of those that a document is in: several may have languages of it. */
  byDocument: ReadonlyMap<string, ReleaseState>;
}

/** Reads the open releases from the store. */
export class ReleaseSource {
  readonly #cache: StampedCache<OpenReleases>;

  constructor(context: Context) {
    this.#cache = new StampedCache<OpenReleases>(context, releasesKey, async () => {
      const open = await readOpenReleases(context);
      return {
        byId: new Map(open.map((release) => [release.id, release])),
        byDocument: new Map(
          open.flatMap((release) =>
            release.documents.map(({ documentId }) => [documentId, release] as const)
          ),
        ),
      };
    });
  }

  /**
   * Refuses with FORBIDDEN to change a document that a scheduled release will publish: such a change decides
   * what becomes public, which requires permission to publish. With a language, only a plan that names it counts.
   */
  async refusePlanned(documentId: string, language?: string): Promise<void> {
    const isNamed = ({ languages }: ReleasePlan) =>
      language === undefined || languages === "*" || languages?.includes(language) === true;
    const release = [...(await this.current()).byId.values()].find(({ state, documents }) =>
      state !== "open" &&
      documents.some((planned) => planned.documentId === documentId && isNamed(planned))
    );
    if (release === undefined) return;
    throw new Refusal("FORBIDDEN", {
      about: `the document is planned in the release "${release.name}"`,
    });
  }

  /** The current open releases. */
  current(): Promise<OpenReleases> {
    return this.#cache.current();
  }
}
