/**
 * `/oauth/device`: the endpoint of devices, the page for their code, and its form.
 *
 * @module
 */
import { type Context as HttpContext, Hono } from "@hono/hono";
import {
  answerDevice,
  beginDevice,
  DEVICE_INTERVAL_SECONDS,
  DEVICE_SECONDS,
  findDevice,
  type WaitingDevice,
} from "../../kv/people/oauth/devices.ts";
import { offeredScopes, parseScope, storedScopes } from "../../kv/people/oauth/oauth_scopes.ts";
import type { ActiveSession } from "../../kv/people/sessions.ts";
import type { Deps } from "../deps/deps.ts";
import { readForm } from "../input/form.ts";
import { accountOrigin } from "../middleware/account_origin.ts";
import { countAddress } from "../middleware/address_quota.ts";
import type { OAuthClients } from "./clients.ts";
import { OAuthError } from "./oauth_error.ts";
import { parseResource } from "./resource.ts";
import { consentPage, deviceCodePage, messagePage } from "./pages.ts";
import { answered } from "./token.ts";
import { visitorOf } from "./visitor.ts";

const UNKNOWN = "This code is unknown or has expired. Check it, or start again on the device.";

/** The device flow. */
export function deviceRoutes(deps: Deps, clients: OAuthClients): Hono {
  return new Hono()
    .post("/", async (c) => await answered(deps, c, () => begin(deps, c, clients)))
    .get("/", async (c) => {
      const visitor = await visitorOf(deps, c);
      if (visitor instanceof Response) return visitor;
      return await deviceCodePage(c, { userCode: c.req.query("user_code") ?? "", fault: null });
    })
    .post("/confirm", async (c) => {
      const visitor = await visitorOf(deps, c);
      if (visitor instanceof Response) return visitor;
      const form = await readForm(c.req.raw);
      await deps.people.attempts.device(visitor.user.id);
      const userCode = form.get("user_code") ?? "";
      const device = await findDevice(deps.content.context, userCode);
      if (device === null) return await deviceCodePage(c, { userCode, fault: UNKNOWN });
      return await confirm(deps, c, { visitor, device, form });
    });
}

async function begin(deps: Deps, c: HttpContext, clients: OAuthClients): Promise<Response> {
  await countAddress(deps, c, {});
  const form = await readForm(c.req.raw);
  const { id, name, url } = await clients.find(form.get("client_id"));
  const issuer = await accountOrigin(deps, c);
  const resource = parseResource(issuer, form.get("resource"), id === "cms" ? "admin" : "mcp");
  const scopes = parseScope(form.get("scope") ?? undefined, resource);
  if (scopes === null) throw new OAuthError("invalid_scope", "A scope is unknown");
  const request = { client: { id, name, url }, scopes, resource };
  const { deviceCode, userCode } = await beginDevice(deps.content.context, request);
  const address = `${issuer}/oauth/device`;
  return c.json(
    {
      device_code: deviceCode,
      user_code: userCode,
      verification_uri: address,
      verification_uri_complete: `${address}?user_code=${userCode}`,
      expires_in: DEVICE_SECONDS,
      interval: DEVICE_INTERVAL_SECONDS,
    },
    200,
    { "cache-control": "no-store" },
  );
}

interface Confirmation {
  visitor: ActiveSession;
  device: WaitingDevice;
  form: URLSearchParams;
}

/** Shows what a device asks for; or answers it as the form says. */
async function confirm(
  deps: Deps,
  c: HttpContext,
  { visitor, device, form }: Confirmation,
): Promise<Response> {
  const { content: { context, schema }, settings } = deps;
  const { client, resource, userCode } = device;
  const { user, authority, provenAt } = visitor;
  const current = await schema.current();
  const offered = offeredScopes(device.scopes, resource, authority, current);
  const given = form.get("answer");
  if (given === null) {
    return await consentPage(c, {
      action: "/oauth/device/confirm",
      hidden: { user_code: userCode, selected: "true" },
      client,
      redirectUri: null,
      userName: user.displayName,
      siteTitle: await settings.get<string>("site.title"),
      scopes: offered,
    });
  }
  // A form without check boxes gives everything that the device asks for.
  const scopes = form.has("selected") || form.has("scope")
    ? form.getAll("scope").filter((scope) => offered.includes(scope))
    : offered;
  const isAllowed = given === "allow" && scopes.length > 0;
  const answer = isAllowed ? { user, scopes: storedScopes(scopes, current), provenAt } : null;
  if (!(await answerDevice(context, userCode, answer))) {
    return await deviceCodePage(c, { userCode: "", fault: UNKNOWN });
  }
  return isAllowed
    ? await messagePage(c, "The device is connected", "You can close this page.")
    : await messagePage(c, "Access was refused", "You can close this page.");
}
