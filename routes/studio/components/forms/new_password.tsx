/**
 * The field in which a user chooses a password.
 *
 * @module
 */
import { PASSWORD_CHARS_MIN } from "../../../../kv/limits/people.ts";
import { Field } from "./field.tsx";

/** A new password, with the rule that it has to meet. */
export function NewPassword(
  { label = "New password", autofocus = false }: { label?: string; autofocus?: boolean },
) {
  return (
    <Field
      label={label}
      name="password"
      type="password"
      autocomplete="new-password"
      minlength={PASSWORD_CHARS_MIN}
      help={`At least ${PASSWORD_CHARS_MIN} characters; several words are better than symbols.`}
      required
      autofocus={autofocus}
    />
  );
}
