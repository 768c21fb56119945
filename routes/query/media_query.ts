/**
 * The query of a media list. `q` searches names, titles and alt texts; `mime` can be repeated;
 * `alt` is `missing` or `present`; `unused=true` lists assets without references; `deleted=true`
 * lists assets that can be restored; `folder` lists a folder with its subfolders (`/`: assets in no
 * folder); `tag` can be repeated to require several tags.
 *
 * @module
 */
import { TAGS_MAX } from "../../kv/limits/media.ts";
import { MEDIA_SORTS, type MediaQuery, NO_FOLDER } from "../../kv/media/media_list.ts";
import { ALL_MIMES, type MediaMime } from "../../kv/model/entities/media.ts";
import { type Detail, Refusal } from "../../kv/refusals.ts";
import { MEDIA_QUERY_CHARS_MAX } from "../input/limits.ts";
import { oneParameter, refuseMisspelled } from "./parameters.ts";
import { type Paging, parsePaging } from "./paging.ts";

const MEDIA_PARAMETERS = ["q", "mime", "alt", "unused", "deleted", "folder", "tag", "sort"];

/** The query and its page. */
export function parseMediaQuery(
  params: URLSearchParams,
): { query: MediaQuery; paging: Paging } {
  refuseMisspelled(params.keys(), MEDIA_PARAMETERS);
  const paging = parsePaging(params);
  const details: Detail[] = [];
  const choice = <T extends string>(name: string, choices: readonly T[]): T | undefined => {
    const given = params.get(name) ?? "";
    if (given === "") return undefined;
    const found = choices.find((one) => one === given);
    if (found === undefined) details.push(choiceDetail(name, choices));
    return found;
  };
  const query: MediaQuery = {
    deleted: choice("deleted", ["true", "false"]) === "true",
    offset: (paging.page - 1) * paging.perPage,
    limit: paging.perPage,
  };
  const text = params.get("q") ?? "";
  if ([...text].length > MEDIA_QUERY_CHARS_MAX) {
    const message = `Must have at most ${MEDIA_QUERY_CHARS_MAX} characters`;
    details.push({ field: "q", code: "TOO_LONG", message });
  }
  query.text = text;
  const alt = choice("alt", ["missing", "present"]);
  if (alt !== undefined) query.described = alt === "present";
  const unused = choice("unused", ["true", "false"]);
  if (unused !== undefined) query.used = unused === "false";
  const folder = params.get("folder") ?? "";
  if (folder !== "") query.folder = folder === NO_FOLDER ? folder : folder.replace(/\/+$/, "");
  const tags = params.getAll("tag").filter((tag) => tag !== "");
  if (tags.length > 0) query.tags = tags.slice(0, TAGS_MAX);
  const mimes = params.getAll("mime").filter((mime) => mime !== "");
  if (mimes.some((mime) => !ALL_MIMES.some((one) => one === mime))) {
    details.push(choiceDetail("mime", ALL_MIMES));
  }
  if (mimes.length > 0) query.mimes = mimes as MediaMime[];
  if (details.length > 0) throw new Refusal("VALIDATION_FAILED", { details });
  const sort = sortOf(params);
  if (sort !== undefined) query.sort = sort;
  return { query, paging };
}

/** Whether an upload is meant only for bytes that are not in the library yet. */
export function parseIfNew(query: Record<string, string>): boolean {
  const given = oneParameter(query, "ifNew") ?? "false";
  if (given === "true" || given === "false") return given === "true";
  throw new Refusal("VALIDATION_FAILED", { details: [choiceDetail("ifNew", ["true", "false"])] });
}

function sortOf(params: URLSearchParams): MediaQuery["sort"] {
  const given = params.get("sort") ?? "";
  if (given === "") return undefined;
  const descending = given.startsWith("-");
  const by = MEDIA_SORTS.find((name) => name === (descending ? given.slice(1) : given));
  if (by === undefined) throw new Refusal("SORT_FIELD_INVALID", { about: given.slice(0, 100) });
  return { by, descending };
}

function choiceDetail(field: string, choices: readonly string[]): Detail {
  return { field, code: "INVALID_CHOICE", message: `Must be one of ${choices.join(", ")}` };
}
