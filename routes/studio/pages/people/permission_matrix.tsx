/**
 * What each role may do, by area of the service; a role can be previewed.
 *
 * @module
 */
import { isAdministratorRole, type Role } from "../../../../kv/model/entities/access.ts";
import { type Permission, PERMISSIONS } from "../../../../kv/model/entities/permission.ts";
import { Button } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { Table } from "../../components/table.tsx";
import type { Visit } from "../../serving/studio_env.ts";
import { roleName } from "../../wording/entity_names.ts";
import { PERMISSION_GROUPS } from "./permission_groups.ts";
import { RightsInWords } from "./role_form.tsx";

/** A row for each permission, a column for each role. */
export function PermissionMatrix({ roles, visit }: { roles: Role[]; visit: Visit }) {
  return (
    <Table
      class="matrix"
      label="Permissions of each role"
      head={
        <>
          <th scope="col">Permission</th>
          {roles.map((role) => (
            <th scope="col">
              {role.builtIn || !visit.can("roles.manage")
                ? roleName(role.name)
                : <a href={`/admin/roles/${role.id}`}>{roleName(role.name)}</a>}
              {visit.can("users.read") && !isAdministratorRole(role) && (
                <div>
                  <Button
                    size="small"
                    data-action="PUT /api/admin/session/preview"
                    data-body={JSON.stringify({ role: role.name })}
                    data-then="/admin"
                    aria-label={`Preview as ${roleName(role.name)}`}
                  >
                    Preview
                  </Button>
                </div>
              )}
            </th>
          ))}
        </>
      }
    >
      {PERMISSION_GROUPS.map(([group, names]) => (
        <>
          <tr class="matrix-group">
            <th scope="rowgroup">{group}</th>
            <td colspan={roles.length}></td>
          </tr>
          {names.map((name) => (
            <tr>
              <th scope="row">
                {PERMISSIONS[name]}
                <div>
                  <code class="muted small">{name}</code>
                </div>
              </th>
              {roles.map((role) => <td>{hasPermission(role, name) && <Yes />}</td>)}
            </tr>
          ))}
        </>
      ))}
      {roles.some(({ collections }) => collections !== undefined) && (
        <tr>
          <th scope="row">Per collection</th>
          {roles.map((role) => (
            <td>
              <RightsInWords role={role} schema={visit.schema} />
            </td>
          ))}
        </tr>
      )}
    </Table>
  );
}

function Yes() {
  return (
    <span class="yes">
      <Icon name="check" />
      <span class="sr">yes</span>
    </span>
  );
}

function hasPermission(role: Role, name: Permission): boolean {
  return isAdministratorRole(role) || role.permissions.includes(name);
}
