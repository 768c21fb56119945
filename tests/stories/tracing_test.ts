import { assert, assertEquals } from "@std/assert";
import { startService } from "../tour.ts";

interface Span {
  name: string;
  attributes: { key: string; value: { stringValue?: string } }[];
}

Deno.test("traces name requests by their route", async () => {
  const spans: Span[] = [];
  const arrived = Promise.withResolvers<void>();
  const collector = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const text = await request.text();
      if (new URL(request.url).pathname === "/v1/traces") {
        // deno-lint-ignore no-explicit-any
        for (const resource of (JSON.parse(text) as any).resourceSpans) {
          for (const scope of resource.scopeSpans) spans.push(...scope.spans);
        }
        if (spans.some(({ name }) => name.includes("/api/v1"))) arrived.resolve();
      }
      return new Response("{}", { headers: { "content-type": "application/json" } });
    },
  );
  {
    await using service = await startService({
      OTEL_DENO: "true",
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.addr.port}`,
      OTEL_BSP_SCHEDULE_DELAY: "100",
    });
    const response = await fetch(`${service.origin}/api/v1/posts/by-slug/x`);
    assertEquals(response.status, 401);
    await response.text();
    const late = setTimeout(() => arrived.resolve(), 15_000);
    await arrived.promise;
    clearTimeout(late);
  }
  await collector.shutdown();
  const route = "/api/v1/:collection/by-slug/:slug";
  const span = spans.find(({ name }) => name === `GET ${route}`);
  assert(span !== undefined, spans.map(({ name }) => name).join(", "));
  const attribute = span.attributes.find(({ key }) => key === "http.route");
  assertEquals(attribute?.value.stringValue, route);
});
