import { liveThroughGameDay } from "../simulation/game_day.ts";
import { hasKvConnect } from "../support/stores/kv_connect.ts";

Deno.test({
  name: "a day on which everything fails loses nothing, and leaves a sound store",
  ignore: !hasKvConnect,
  fn: () => liveThroughGameDay(1),
});
