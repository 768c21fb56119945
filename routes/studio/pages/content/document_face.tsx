/**
 * The face of who began a document.
 *
 * @module
 */
import type { StoredDocument } from "../../../../kv/documents/write.ts";
import { Avatar } from "../../components/avatar.tsx";
import { nameOf, type Names } from "../../wording/user_names.ts";

/** The avatar of a document's creator; programs have none. */
export function Face({ stored: { state }, people }: { stored: StoredDocument; people: Names }) {
  if (state.createdBy === undefined) return <span class="face" />;
  const name = nameOf(people, state.createdBy);
  return (
    <span class="face" title={name}>
      <Avatar id={state.createdBy} name={name} size="small" />
      <span class="sr">{name}</span>
    </span>
  );
}
