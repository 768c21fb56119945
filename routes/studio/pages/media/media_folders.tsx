/**
 * The folders of the media library: breadcrumbs, subfolders, and renaming.
 *
 * @module
 */
import type { FolderCount } from "../../../../kv/media/folders.ts";
import { NO_FOLDER } from "../../../../kv/media/media_list.ts";
import { Button } from "../../components/button.tsx";
import { Dialog, DialogFoot } from "../../components/overlays/dialog.tsx";
import { Field } from "../../components/forms/field.tsx";
import { Icon } from "../../components/icon.tsx";
import type { ListState } from "../../list_state.ts";

/** The id of the list of folders that fields for a folder offer. */
export const FOLDER_LIST = "folder-names";

/** The folder that a list is about; empty for all of them and for none. */
export function folderPath(params: URLSearchParams): string {
  const given = params.get("folder") ?? "";
  return given === NO_FOLDER ? "" : given.replace(/\/+$/, "");
}

/** The folders as choices of a field. */
export function FolderNames({ folders }: { folders: FolderCount[] }) {
  return (
    <datalist id={FOLDER_LIST}>
      {folders.map(({ path }) => <option value={path} />)}
    </datalist>
  );
}

interface FoldersProps {
  folders: FolderCount[];
  /** Media that are in no folder. */
  unfiled: number;
  state: ListState;
  mayMove: boolean;
}

/** The current folder and its subfolders. */
export function MediaFolders({ folders, unfiled, state, mayMove }: FoldersProps) {
  if (folders.length === 0) return null;
  const current = folderPath(state.params);
  const inside = folders.filter(({ path }) => outerOf(path) === current);
  const isUnfiled = state.params.get("folder") === NO_FOLDER;
  return (
    <nav class="media-folders" aria-label="Folders">
      {(current !== "" || isUnfiled) && (
        <Way current={isUnfiled ? "" : current} state={state} mayMove={mayMove} />
      )}
      {!isUnfiled && (
        <ul>
          {inside.map(({ path, media }) => (
            <li>
              <Tile
                href={state.with({ folder: path })}
                label={path.slice(path.lastIndexOf("/") + 1)}
                media={media}
              />
            </li>
          ))}
          {current === "" && unfiled > 0 && (
            <li>
              <Tile href={state.with({ folder: NO_FOLDER })} label="No folder" media={unfiled} />
            </li>
          )}
        </ul>
      )}
      {mayMove && current !== "" && <RenameDialog current={current} />}
    </nav>
  );
}

function Tile({ href, label, media }: { href: string; label: string; media: number }) {
  return (
    <a class="media-folder" href={href}>
      <Icon name="folder" />
      <span>{label}</span>
      <span class="count">{media.toLocaleString("en")}</span>
    </a>
  );
}

/** The breadcrumbs to the current folder; an empty path means files without a folder. */
function Way(
  { current, state, mayMove }: { current: string; state: ListState; mayMove: boolean },
) {
  const names = current === "" ? [] : current.split("/");
  const pathTo = (index: number) => names.slice(0, index + 1).join("/");
  return (
    <div class="media-way">
      <a href={state.with({ folder: null })}>All files</a>
      {names.slice(0, -1).map((name, index) => (
        <>
          <Icon name="right" />
          <a href={state.with({ folder: pathTo(index) })}>{name}</a>
        </>
      ))}
      <Icon name="right" />
      <strong aria-current="page">{names.at(-1) ?? "No folder"}</strong>
      {mayMove && current !== "" && (
        <Button size="small" variant="quiet" icon="edit" data-opens="rename-folder">
          Rename or move
        </Button>
      )}
    </div>
  );
}

function RenameDialog({ current }: { current: string }) {
  return (
    <Dialog id="rename-folder" title="Rename or move folder">
      <form class="form" data-island="folder-move" data-from={current}>
        <Field
          label="Path"
          name="to"
          value={current}
          list={FOLDER_LIST}
          help="Files and subfolders move with it. Leave empty to move the files out of all folders."
        />
        <p class="muted small" data-progress role="status"></p>
        <DialogFoot>
          <Button data-close>Cancel</Button>
          <Button type="submit" variant="primary">Move</Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}

function outerOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
