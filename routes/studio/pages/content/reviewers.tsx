/**
 * The reviewers of a document: who can be asked, and the choice among them.
 *
 * @module
 */
import type { Collection } from "../../../../kv/model/entities/collection.ts";
import { canSignIn } from "../../../../kv/model/people/user.ts";
import type { Deps } from "../../../deps/deps.ts";
import { Avatar } from "../../components/avatar.tsx";
import { Choices } from "../../components/forms/field.tsx";
import type { Visit } from "../../serving/studio_env.ts";

/** A user who may publish the document. */
export interface Reviewer {
  id: string;
  name: string;
}

/** The users whom the visitor can ask for a review in a collection and, if it has languages, in one, by name. */
export async function findReviewers(
  { people }: Deps,
  { user }: Visit,
  { id: collectionId }: Collection,
  language: string | undefined,
): Promise<Reviewer[]> {
  const access = await people.access.current();
  return [...access.users.values()]
    .filter((one) =>
      one.id !== user.id && canSignIn(one) && access.mayPublish(one.id, collectionId, language)
    )
    .map(({ id, displayName }) => ({ id, name: displayName }))
    .sort((a, b) => a.name.localeCompare(b.name, "en"));
}

/** A checkbox for each reviewer; with a single one there is nothing to choose. */
export function ReviewerChoice({ reviewers }: { reviewers: readonly Reviewer[] }) {
  if (reviewers.length < 2) return null;
  return (
    <Choices
      legend="Reviewers"
      name="reviewers"
      help="They get an email. If you don't choose anyone, everyone who can publish is asked."
    >
      <div class="reviewer-list">
        {reviewers.map(({ id, name }) => (
          <label class="check">
            <input type="checkbox" value={id} />
            <span class="with-face">
              <Avatar id={id} name={name} size="small" />
              {name}
            </span>
          </label>
        ))}
      </div>
    </Choices>
  );
}
