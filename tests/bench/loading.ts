/**
 * Loading a site over HTTP: documents created one a request on 64 connections, four of five of them published, and
 * how long it takes until all of these are public and found.
 *
 *     deno run -A tests/bench/loading.ts [documents]
 *
 * @module
 */
import { articlePool, rawRequest } from "./content/pool.ts";
import { sendLoad } from "./service/load.ts";
import { startArticleService } from "./service/started_service.ts";

const DOCUMENTS = Number(Deno.args[0] ?? 20_000);
const CONNECTIONS = 64;
/** Requests that are handed to the generator at a time. */
const REQUESTS_PER_RUN = 20_000;
/** Time by which everything is public, milliseconds. */
const PUBLIC_MS_MAX = 1_800_000;
/** More documents than one token may send in a minute. */
const TOKENS = 4;

const service = await startArticleService();
try {
  const { port, origin } = service;
  const posts = articlePool(service.targets);
  const tokens = await Promise.all(Array.from({ length: TOKENS }, () => service.mint()));
  const before = await service.processorSeconds();
  let seconds = 0;
  const statuses: Record<string, number> = {};
  for (let start = 0; start < DOCUMENTS; start += REQUESTS_PER_RUN) {
    const count = Math.min(REQUESTS_PER_RUN, DOCUMENTS - start);
    const requests = Array.from({ length: count }, (_, n) => {
      const status = (start + n) % 5 === 0 ? "draft" : "published";
      const body = { ...posts.at(start + n), title: `Marker ${start + n}`, status };
      return rawRequest("POST", "/api/v1/posts", { token: tokens[n % TOKENS]!, body });
    });
    const result = await sendLoad(port, CONNECTIONS, 0, requests);
    seconds += result.requests / result.perSecond;
    for (const [status, of] of Object.entries(result.statuses)) {
      statuses[status] = (statuses[status] ?? 0) + of;
    }
  }
  const answeredAt = performance.now();
  const wanted = DOCUMENTS - Math.ceil(DOCUMENTS / 5);
  const found = async () =>
    (await (await fetch(`${origin}/api/v1/search?q=marker&perPage=1`)).json()).meta.total;
  const then = await found();
  while (await found() < wanted) {
    if (performance.now() - answeredAt > PUBLIC_MS_MAX) throw new Error("Not all became public");
    await new Promise((done) => setTimeout(done, 2_000));
  }
  const after = (performance.now() - answeredAt) / 1000;
  console.table({
    [`${DOCUMENTS} documents, ${CONNECTIONS} connections`]: {
      "created/s": (DOCUMENTS / seconds).toFixed(0),
      "public by the last answer": then,
      "all public after, s": after.toFixed(0),
      "published/s since": ((wanted - then) / after).toFixed(0),
      "processor ms each": ((await service.processorSeconds() - before) / DOCUMENTS * 1000)
        .toFixed(2),
      "memory, MB": await service.memory(),
      statuses: JSON.stringify(statuses),
    },
  });
} finally {
  await service.stop();
}
