/**
 * The types module that a service serves.
 *
 * @module
 */
import { failureLine } from "../failure_line.ts";
import { RemoteRefusal } from "../remote/remote_service.ts";
import type { SchemaContext } from "../schema/schema_command.ts";

/** The module of the service at an address; CMS_TOKEN is an API token of any scope. */
export async function servedModule(
  { token, fetch }: SchemaContext,
  address: string,
): Promise<string> {
  const url = `${address.replace(/\/+$/, "")}/api/v1/_meta/types.ts`;
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(url, { headers, redirect: "error" }).catch((error: unknown) => {
    throw new RemoteRefusal(0, [failureLine(error) ?? `${url} cannot be reached`]);
  });
  const text = await response.text();
  if (response.ok) return text;
  const why = response.status === 401 ? "CMS_TOKEN is not an API token of this service" : text;
  throw new RemoteRefusal(response.status, [`${url}: ${response.status} ${why.slice(0, 200)}`]);
}
