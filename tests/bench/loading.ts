/**
 * Loading a site over HTTP: documents created one a request on 64 connections, four of five of them published, and
 * how long it takes until all of these are public and found.
 *
 *     deno run -A tests/bench/loading.ts [documents]
 *
 * @module
 */
import {
  countPublic,
  loadArticles,
  publishedOf,
  waitUntilPublic,
} from "./service/load_articles.ts";
import { startArticleService } from "./service/started_service.ts";

const DOCUMENTS = Number(Deno.args[0] ?? 20_000);
const CONNECTIONS = 64;

const service = await startArticleService();
try {
  const before = await service.processorSeconds();
  const load = { documents: DOCUMENTS, connections: CONNECTIONS };
  const { perSecond, statuses } = await loadArticles(service, load);
  const answeredAt = performance.now();
  const then = await countPublic(service);
  const wanted = publishedOf(DOCUMENTS);
  await waitUntilPublic(service, wanted);
  const after = (performance.now() - answeredAt) / 1000;
  console.table({
    [`${DOCUMENTS} documents, ${CONNECTIONS} connections`]: {
      "created/s": perSecond.toFixed(0),
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
