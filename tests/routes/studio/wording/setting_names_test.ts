/** The names of settings where changes are listed. */
import { assertEquals } from "../../../support/harness/assert.ts";
import { SETTINGS } from "../../../../kv/model/entities/setting.ts";
import { settingName } from "../../../../routes/studio/wording/setting_names.ts";

Deno.test("every setting of the catalog has a name", () => {
  assertEquals(Object.keys(SETTINGS).filter((key) => settingName(key) === key), []);
});
