/**
 * The bar on every page while a user previews a role.
 *
 * @module
 */
import { roleName } from "../../wording/entity_names.ts";
import { Button } from "../button.tsx";

/** Says which role is previewed, and ends the preview. */
export function RolePreviewBar({ role }: { role: string }) {
  return (
    <aside class="alert info with-icon preview-bar" aria-label="Preview of a role">
      <p class="fill">
        {"You see the studio as "}
        <strong>{roleName(role)}</strong>
        . Changes are still made in your name.
      </p>
      <Button
        size="small"
        data-action="DELETE /api/admin/session/preview"
        data-then="/admin/roles"
      >
        Exit preview
      </Button>
    </aside>
  );
}
