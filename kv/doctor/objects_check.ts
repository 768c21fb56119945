/**
 * The objects that rows name: spilled versions, and the bytes of media.
 *
 * @module
 */
import { livingEntities, type VersionRow } from "../versioning/entities.ts";
import { versionTypePrefix } from "../keys.ts";
import { ENTITY_TYPES } from "../model/entities/entity_kinds.ts";
import { objectsOf } from "../model/entities/media.ts";
import { mediaPath } from "../objects/paths.ts";
import type { DoctorOptions, Finding } from "./finding.ts";

/** Examines every object that something names. */
export async function* checkObjects(
  { content: { context } }: DoctorOptions,
): AsyncGenerator<Finding> {
  const { store, objects } = context;
  for (const type of ENTITY_TYPES) {
    for await (
      const { key, value } of store.list<VersionRow>({ prefix: versionTypePrefix(type) })
    ) {
      const snapshot = value?.snapshot;
      if (snapshot === undefined) continue;
      const found = await objects.head(snapshot.key);
      if (found?.bytes === snapshot.bytes) continue;
      const subject = `${type} ${key[2]} version ${value.n}`;
      yield { check: "objects", subject, problem: `its object ${snapshot.key} is missing` };
    }
  }
  for await (const { id, state } of livingEntities(context, "media_metadata")) {
    for (const object of objectsOf(state)) {
      const path = mediaPath(object);
      if (await objects.head(path) !== null) continue;
      yield { check: "objects", subject: `medium ${id}`, problem: `its object ${path} is missing` };
    }
  }
}
