/** Guessing codes of devices, and codes that are unknown, used or expired. */
import { DEVICE_CODES_MAX } from "../../../kv/limits/people.ts";
import { DEVICE_SECONDS } from "../../../kv/people/oauth/devices.ts";
import { assertEquals } from "../../support/harness/assert.ts";
import { answered } from "../../support/sites/admin_answers.ts";
import {
  answerDevice,
  consent,
  oauthSite,
  ORIGIN,
  pollDevice,
  redeem,
  requestDevice,
  submit,
  token,
} from "../../support/sign_in/oauth_site.ts";

Deno.test("codes of devices that a user enters are limited, and unknown ones look like used ones", async () => {
  const { test, client } = await oauthSite();
  await using _ = test;
  const { user_code } = await requestDevice(test);
  const enter = (code: string) =>
    submit(test, client, "/oauth/device/confirm", [["user_code", code]]);
  assertEquals((await answerDevice(test, client, user_code, "deny")).status, 200);
  const used = await enter(user_code);
  const unknown = await enter("BBBB-BBBB");
  assertEquals(
    [used.status, used.text.replaceAll(user_code, "")],
    [unknown.status, unknown.text.replaceAll("BBBB-BBBB", "")],
  );
  const statuses: number[] = [];
  for (let entered = 3; entered <= DEVICE_CODES_MAX; entered++) {
    statuses.push((await enter("BBBB-BBBB")).status);
  }
  assertEquals(statuses.indexOf(429), statuses.length - 1);
});

Deno.test("codes and tokens that are unknown, used or expired are answered alike", async () => {
  const site = await oauthSite();
  const { test, clientId } = site;
  await using _ = test;
  const device = await requestDevice(test, clientId);
  const poll = async (deviceCode: string) => {
    const { status, text } = await pollDevice(test, deviceCode, clientId);
    return [status, text];
  };
  const code = await consent(site);
  const redeemed = async (one: string) => {
    const { status, text } = await redeem(test, clientId, one);
    return [status, text];
  };
  const unknown = await redeemed("made-up");
  assertEquals((await redeemed(code))[0], 200);
  assertEquals(await redeemed(code), unknown);
  const refreshed = async (refresh_token: string) => {
    const fields = { grant_type: "refresh_token", client_id: clientId, refresh_token };
    const { status, text } = await token(test, fields);
    return [status, text];
  };
  const other = answered(await redeem(test, clientId, await consent(site)), 200);
  assertEquals(await refreshed(`${other.refresh_token}x`), await refreshed("made-up"));
  test.context.advance((DEVICE_SECONDS + 1) * 1000);
  assertEquals(await poll(device.device_code), await poll("made-up"));
});

Deno.test("a device gets tokens only for the resource that its user has seen", async () => {
  const { test, client } = await oauthSite();
  await using _ = test;
  const { device_code, user_code } = await requestDevice(test);
  const poll = async (path: string) => {
    const { status, json } = await pollDevice(test, device_code, "cms", {
      resource: `${ORIGIN}${path}`,
    });
    return [status, json.error];
  };
  assertEquals(await poll("/api/admin"), [400, "authorization_pending"]);
  assertEquals(await poll("/mcp"), [400, "invalid_target"]);
  assertEquals((await answerDevice(test, client, user_code, "allow")).status, 200);
  assertEquals(await poll("/mcp"), [400, "invalid_target"]);
  assertEquals(await poll("/elsewhere"), [400, "invalid_target"]);
  assertEquals(await poll("/api/admin"), [200, undefined]);
});
