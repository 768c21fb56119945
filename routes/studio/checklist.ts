/**
 * The checks before a document is published: errors that prevent it, and suggestions.
 *
 * @module
 */
import type { Collection } from "../../kv/model/entities/collection.ts";
import { checkComplete } from "../../kv/model/input/document_check.ts";
import type { DocumentState } from "../../kv/model/entities/document.ts";
import type { Deps } from "../deps/deps.ts";
import type { Visit } from "./serving/studio_env.ts";
import { findReferenced } from "./controls/referenced.ts";
import { type TextPicture, textPictures } from "./text_pictures.ts";

/** One finding; an error keeps the document from being published. */
export interface Check {
  field: string;
  label: string;
  /** The problem with the field; follows its label: "is required". */
  message: string;
  level: "error" | "warning";
}

/** The webhooks that a publication calls: their number, and their names for users who may read them. */
export interface Audience {
  webhooks: number;
  names: string[];
}

/** Everything there is to say before a document is published. */
export async function findChecks(
  deps: Deps,
  state: DocumentState,
  collection: Collection,
  visit: Pick<Visit, "schema" | "documents">,
): Promise<Check[]> {
  const { details, references } = checkComplete(state, collection, visit.schema);
  const images = imagesIn(state, collection);
  const placed = images.map(({ path, media: id }) => ({ kind: "media" as const, id, path }));
  const referenced = await findReferenced(deps, [...references, ...placed], visit);
  const found = (field: string, message: string, level: Check["level"]): Check => ({
    field,
    label: labelOf(field, collection),
    message,
    level,
  });
  const checks = details.map(({ field }) => found(field, "is required", "error"));
  for (const { kind, id, path } of references) {
    if (kind === "media") {
      const medium = referenced.media.get(id);
      if (medium === undefined) {
        checks.push(found(path, "refers to a file that was deleted", "error"));
      } else if (medium.alt === "") {
        checks.push(found(path, `uses ${medium.filename}, which has no alt text`, "warning"));
      }
      continue;
    }
    const target = referenced.documents.get(id);
    if (target === undefined || target.status === "trashed") {
      checks.push(found(path, "refers to a document that was deleted", "error"));
    } else if (target.status !== "published") {
      checks.push(
        found(path, `refers to “${target.title}”, which is not published yet`, "warning"),
      );
    }
  }
  for (const { path, media, alt } of images) {
    const medium = referenced.media.get(media);
    if (medium === undefined) {
      checks.push(found(path, "contains an image that was deleted", "error"));
    } else if (alt === "" && medium.alt === "") {
      checks.push(found(path, `contains ${medium.filename}, which has no alt text`, "warning"));
    }
  }
  return checks;
}

interface PlacedImage extends TextPicture {
  /** The field that it is in. */
  path: string;
}

/** The images in rich text at any depth, each once per field. */
function imagesIn({ data }: DocumentState, { fields }: Collection): PlacedImage[] {
  return fields.flatMap(({ key, name: path }) => {
    const found = new Map<string, PlacedImage>();
    for (const picture of textPictures(data[key])) {
      if (found.get(picture.media)?.alt !== "") found.set(picture.media, { path, ...picture });
    }
    return [...found.values()];
  });
}

/** `gallery.2.caption` as people read it. */
function labelOf(path: string, collection: Collection): string {
  const [name = "", ...rest] = path.split(".");
  const label = collection.fields.find((field) => field.name === name)?.label ?? name;
  const steps = rest.filter((step) => step !== "data")
    .map((step) => /^\d+$/.test(step) ? String(Number(step) + 1) : step);
  return [label, ...steps].join(" › ");
}
