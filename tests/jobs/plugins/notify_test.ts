import { assertEquals } from "@std/assert";
import { currentPrefix } from "../../../kv/keys.ts";
import { isSameKey } from "../../../kv/store/operation.ts";
import { enabled, hooked, publish, publishing } from "../../support/sites/plugins.ts";

Deno.test("publishes list the plugins once until one is installed, enabled or disabled", async () => {
  await using test = await publishing();
  const { store } = test.context;
  const { list } = store;
  let lists = 0;
  store.list = (...args) => {
    const [range] = args;
    if ("prefix" in range && isSameKey(range.prefix, currentPrefix("plugin"))) lists += 1;
    return list.apply(store, args) as never;
  };
  const told = async () => {
    lists = 0;
    await publish(test);
    const { job: { result } } = await publish(test);
    return [lists, result.plugins];
  };

  assertEquals(await told(), [1, []]);
  assertEquals(await told(), [0, []]);
  const parts = hooked("https://hooks.example.org/a");
  const id = await enabled(test, parts);
  const { packageId } = (await test.admin("GET", `/plugins/${id}`)).json;
  assertEquals(await told(), [1, { told: [packageId], paused: [] }]);
  await test.admin("POST", `/plugins/${id}/disable`);
  assertEquals(await told(), [1, []]);
});
