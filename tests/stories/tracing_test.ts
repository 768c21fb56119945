/** What a started service exports of OpenTelemetry, seen by a collector on this machine. */
import { assert, assertEquals } from "@std/assert";
import { Client } from "../support/harness/client.ts";
import { startService } from "../tour.ts";

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  scope: string;
  attributes: { key: string; value: Record<string, unknown> }[];
  links?: { traceId: string; spanId: string }[];
}

/** A collector that keeps the spans it is told. */
class Collector implements AsyncDisposable {
  readonly spans: Span[] = [];
  readonly #server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const text = await request.text();
      if (new URL(request.url).pathname === "/v1/traces") {
        // deno-lint-ignore no-explicit-any
        for (const resource of (JSON.parse(text) as any).resourceSpans) {
          for (const { scope, spans } of resource.scopeSpans) {
            for (const span of spans) this.spans.push({ ...span, scope: scope?.name ?? "" });
          }
        }
      }
      return new Response("{}", { headers: { "content-type": "application/json" } });
    },
  );

  get env(): Record<string, string> {
    return {
      OTEL_DENO: "true",
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${this.#server.addr.port}`,
      OTEL_BSP_SCHEDULE_DELAY: "100",
    };
  }

  /** Waits for a span. */
  async find(what: string, wanted: (span: Span) => boolean): Promise<Span> {
    for (let attempt = 0; attempt < 300; attempt++) {
      const found = this.spans.find(wanted);
      if (found !== undefined) return found;
      await new Promise((done) => setTimeout(done, 50));
    }
    throw new Error(`${what} among ${this.spans.map(({ name }) => name).join(", ")}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}

Deno.test("traces name requests by their route", async () => {
  await using collector = new Collector();
  await using service = await startService(collector.env);
  const response = await fetch(`${service.origin}/api/v1/posts/by-slug/x`);
  assertEquals(response.status, 401);
  await response.text();
  const route = "/api/v1/:collection/by-slug/:slug";
  const span = await collector.find(route, ({ name }) => name === `GET ${route}`);
  const attribute = span.attributes.find(({ key }) => key === "http.route");
  assertEquals(attribute?.value.stringValue, route);
});

Deno.test("traces have calls of the store and the objects below the request, and steps of jobs linked to it", async () => {
  await using collector = new Collector();
  await using service = await startService(collector.env);
  const client = new Client(service.origin);
  const fields = [{ name: "text", type: "text" }];
  await client.setUp({ slug: "notes", name: "Notes", fields });
  const body = { title: "Traced", status: "published", text: "secret words ".repeat(30_000) };
  const created = await client.call("POST", "/api/v1/notes?dryRun=false", body);
  assertEquals(created.status, 201);

  const request = await collector.find("the request", ({ name }) => {
    return name === "POST /api/v1/:collection";
  });
  const below = (name: string) =>
    collector.find(name, (span) => span.name === name && span.traceId === request.traceId);
  assertEquals((await below("kv commit")).parentSpanId, request.spanId);
  await below("kv get");
  await below("objects put");
  const job = await collector.find("a step", ({ name }) => /^job PUBLISH \w+$/.test(name));
  assert(job.traceId !== request.traceId && !job.parentSpanId);
  const link = job.links?.[0];
  assertEquals(link?.traceId, request.traceId);
  await collector.find("what a step reads", ({ name, parentSpanId }) => {
    const parent = collector.spans.find(({ spanId }) => spanId === parentSpanId);
    return name === "kv get" && parent?.name.startsWith("job PUBLISH ") === true;
  });
  // The runtime's own spans have whole addresses; the service's have words and numbers.
  const own = JSON.stringify(collector.spans.filter(({ scope }) => scope === "cms"));
  for (const secret of ["secret words", "dryRun", client.token, "correct horse", "Traced"]) {
    assert(!own.includes(secret), secret);
  }
  assert(own.length > 100);
});
