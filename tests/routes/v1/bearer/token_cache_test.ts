import { assert, assertEquals } from "@std/assert";
import { currentKey, tokensKey } from "../../../../kv/keys.ts";
import { UNATTENDED } from "../../../../kv/model/entities/entity.ts";
import { parseToken } from "../../../../kv/model/input/token_input.ts";
import { mintToken } from "../../../../kv/people/tokens.ts";
import type { CurrentRow } from "../../../../kv/versioning/entities.ts";
import { TOKENS_KEPT_MAX } from "../../../../routes/input/limits.ts";
import { TokenCache } from "../../../../routes/v1/bearer/token_cache.ts";
import { testContext } from "../../../support/harness/context.ts";

Deno.test("TokenCache.read() parses a version of a token once, until it keeps as many as it may", async () => {
  await using context = await testContext();
  const { view } = await mintToken(
    context,
    UNATTENDED,
    parseToken({ name: "one", scopes: ["*"] }, 0),
    null,
  );
  const { value, versionstamp } = await context.store.get<CurrentRow>(
    currentKey("api_token", view.id),
  );
  const cache = new TokenCache(context);
  const read = (n: number) =>
    cache.read({ key: currentKey("api_token", `${n}`), value, versionstamp });

  const first = read(0);
  assertEquals(first?.name, "one");
  for (let n = 1; n < TOKENS_KEPT_MAX; n++) read(n);
  assert(read(0) === first, "the token was parsed again");
  read(TOKENS_KEPT_MAX);
  assert(read(0) !== first, "more tokens were kept than may be");
  assertEquals(cache.read({ key: tokensKey, value: null, versionstamp: null }), null);
});
