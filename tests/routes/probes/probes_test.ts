import { cronTickKey } from "../../../kv/keys.ts";
import { addJob } from "../../../kv/jobs/jobs.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { createApp } from "../../../routes/app.ts";
import { Metrics } from "../../../routes/probes/metrics.ts";
import { callApp, testApp } from "../../support/sites/app.ts";
import { assert, assertEquals } from "../../support/harness/assert.ts";

Deno.test("GET /version answers the release and the format of its store", async () => {
  await using test = await testApp({ version: "1.2.3" });
  const { status, json } = await test.call("GET", "/version");
  assertEquals([status, json], [200, { version: "1.2.3", format: 4 }]);
});

Deno.test("the admin application tells the release", async () => {
  await using test = await testApp({ version: "1.2.3" });
  const { headers } = await test.setUp();
  const cookie = headers.get("set-cookie")!.split(";")[0]!;
  const { status, text } = await test.call("GET", "/admin", { headers: { cookie } });
  assertEquals(status, 200);
  assert(text.includes("Version 1.2.3"));
});

Deno.test("GET /readyz answers 503 with the reason, and 200 when there is none", async () => {
  await using test = await testApp();
  const { context } = test;
  let stopping = false;
  let pollAgeMs: number | null = 0;
  const process = {
    startedAt: context.now(),
    stopping: () => stopping,
    pollAgeMs: () => pollAgeMs,
  };
  const app = createApp(test.deps, { process });
  const reasons = async () => {
    const { status, json } = await callApp(app, "GET", "/readyz");
    assertEquals(json.status, status === 200 ? "ready" : "unavailable");
    return json.reasons ?? [];
  };
  assertEquals(await reasons(), []);

  pollAgeMs = 400_000;
  assertEquals(await reasons(), ["runner: has not looked for 400 s"]);
  pollAgeMs = null;

  const head = context.objects.head.bind(context.objects);
  context.objects.head = () => Promise.reject(new Error("No route"));
  assertEquals(await reasons(), ["objects: does not answer"]);
  context.objects.head = head;

  const operation = new Operation().set(cronTickKey, context.now());
  const payload = { kind: "invitation" as const, userId: context.newId(0) };
  addJob(operation, context, { type: "SEND_MAIL", payload });
  await context.store.commit(operation);
  context.advance(1_000_000);
  await context.store.commit(new Operation().set(cronTickKey, context.now()));
  assertEquals(await reasons(), []);

  const upkeep = new Operation();
  addJob(upkeep, context, { type: "PRUNE", payload: {} });
  await context.store.commit(upkeep);
  assertEquals(await reasons(), []);
  context.advance(1_000_000);
  assertEquals(await reasons(), [
    "crons: not run for 1000 s",
    "jobs: the oldest is due for 1000 s",
  ]);

  stopping = true;
  assertEquals(await reasons(), ["stopping"]);
});

Deno.test("GET /metrics needs its token, and counts requests by route without what paths hold", async () => {
  await using test = await testApp({ metricsToken: "watcher" });
  await test.collection({ slug: "posts", name: "Posts" });
  const { store, now } = test.context;
  const sources = {
    version: "1.2.3",
    store,
    underWay: { oldestMs: 1_500, count: 3 },
    limiter: test.deps.limiter,
    collectionIds: async () => [...(await test.deps.content.schema.latest()).byId.keys()],
    now,
    running: () => 2,
    lagSeconds: () => 0.25,
  };
  const app = createApp(test.deps, { metrics: await Metrics.open(sources) });
  const token = await test.token();
  for (let n = 0; n < 3; n++) await callApp(app, "GET", "/api/v1/posts?q=secret", { token });
  await callApp(app, "GET", "/api/v1/posts/01ARZ3NDEKTSV4RRFFQ69G5FAV", { token });
  await callApp(app, "GET", "/nothing/here");

  for (const wrong of [undefined, "watche", token]) {
    const call = wrong === undefined ? {} : { token: wrong };
    assertEquals((await callApp(app, "GET", "/metrics", call)).status, 401);
  }
  const { status, headers, text } = await callApp(app, "GET", "/metrics", { token: "watcher" });
  assertEquals(status, 200);
  assert(headers.get("content-type")!.startsWith("text/plain; version=0.0.4"));
  for (
    const line of [
      'cms_http_requests_total{method="GET",route="/api/v1/:collection",status="200"} 3',
      'cms_http_requests_total{method="GET",route="/api/v1/:collection/:id",status="404"} 1',
      'cms_http_request_seconds_count{method="GET",route="/api/v1/:collection"} 3',
      "cms_event_loop_lag_seconds 0.25",
      "cms_jobs_running 2",
      'cms_jobs_due{lane="idle"} 0',
      'cms_build_info{version="1.2.3"} 1',
      "cms_kv_conflicts_total 0",
      "cms_kv_operations_under_way 3",
      "cms_kv_oldest_operation_seconds 1.5",
      'cms_rate_limit_decisions_total{decision="admitted"} 4',
      'cms_segments{index="lists"} 0',
      'cms_segments{index="search"} 0',
    ]
  ) assert(text.includes(line + "\n"), `${line} in\n${text}`);
  assert(/cms_kv_operations_total\{kind="commits"\} [1-9]/.test(text));
  assert(!text.includes("secret") && !text.includes("01ARZ3NDEK") && !text.includes(token));
  assertEquals((await test.call("GET", "/metrics", { token: "watcher" })).status, 404);
});

Deno.test("GET /metrics tells jobs by type and state, and since when", async () => {
  await using test = await testApp({ metricsToken: "watcher" });
  const { context } = test;
  const operation = new Operation();
  const later = context.now() + 3_600_000;
  addJob(operation, context, { type: "EXPORT", payload: {} });
  addJob(operation, context, { type: "EXPORT", payload: {}, dueAt: later });
  addJob(operation, context, { type: "REBUILD_SEARCH", payload: {}, name: "rebuild" });
  await context.store.commit(operation);
  const now = () => context.now() + 90_000;
  const sources = {
    version: "1",
    store: context.store,
    now,
    running: () => 0,
    lagSeconds: () => 0,
  };

  const text = await (await Metrics.open(sources)).text();

  for (
    const line of [
      'cms_jobs{type="EXPORT",state="queued"} 1',
      'cms_jobs{type="EXPORT",state="waiting"} 1',
      'cms_jobs_oldest_seconds{type="EXPORT",state="queued"} 90',
      'cms_jobs{type="REBUILD_SEARCH",state="queued"} 1',
      'cms_jobs_due_oldest_seconds{lane="idle"} 90',
      'cms_jobs_due_by_type{type="EXPORT"} 1',
    ]
  ) assert(text.includes(line + "\n"), `${line} in\n${text}`);
});

Deno.test("every request is one line with its route and token name, and nothing secret", async () => {
  await using test = await testApp();
  await test.collection({ slug: "posts", name: "Posts" });
  const lines: Record<string, unknown>[] = [];
  Object.assign(test.context, {
    log: {
      ...test.context.log,
      info: (event: string, facts: object) => lines.push({ event, ...facts }),
    },
  });
  const app = createApp(test.deps);
  const token = await test.token({ name: "front end" });
  const { headers } = await callApp(app, "GET", "/api/v1/posts?field.x=secret", { token });
  await callApp(app, "POST", "/api/admin/session", {
    body: { email: "a@b.c", password: "secret" },
  });
  const [list, session] = lines.map(({ ms, ...line }) => {
    assertEquals(typeof ms, "number");
    return line;
  });
  const requestId = headers.get("x-request-id");
  assertEquals(list, {
    event: "request",
    method: "GET",
    route: "/api/v1/:collection",
    status: 400,
    requestId,
    token: "front end",
  });
  assertEquals([session!.route, session!.status, session!.token], [
    "/api/admin/session",
    401,
    undefined,
  ]);
  assert(!JSON.stringify(lines).includes("secret"));
});

Deno.test("the dashboard, the alerts and the table of metrics name what there is", async () => {
  await using test = await testApp();
  const { store, now } = test.context;
  const sources = {
    version: "1.2.3",
    store,
    now,
    running: () => 0,
    lagSeconds: () => 0,
    diskFreeBytes: () => Promise.resolve(5_000),
  };
  const text = await (await Metrics.open(sources)).text();
  const names = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!));
  const page = await Deno.readTextFile("docs/operating/watching.md");
  const dashboard = await Deno.readTextFile("docs/operating/dashboard.json");
  const used = [...(page + dashboard).matchAll(/\bcms_[a-z_]+/g)].map(([name]) =>
    name.replace(/_bucket$/, "")
  );

  assertEquals([...new Set(used)].filter((name) => !names.has(name)), []);
  assertEquals([...names].filter((name) => !page.includes(`\`${name}\``)), []);
});
