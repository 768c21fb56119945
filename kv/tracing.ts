/**
 * Spans of OpenTelemetry, which Deno exports if configured. Names and attributes are fixed words, families
 * of keys and counts: never a key, a value, a query string or a secret.
 *
 * @module
 */
import { type Attributes, type Link, SpanStatusCode, trace, TraceFlags } from "@opentelemetry/api";

/** Without an exporter, spans are discarded and cost almost nothing. */
const tracer = trace.getTracer("cms");

/** The parent of a span. */
export interface SpanOptions {
  attributes?: Attributes;
  /** The trace that requested it, from {@linkcode presentTrace}: the span begins a new trace with a link to it. */
  askedBy?: string | undefined;
  /** Set if no request caused it: the span starts a new trace. */
  root?: boolean;
}

/** Runs work as a span; spans of its parts are below it. */
export async function traced<T>(
  name: string,
  { attributes = {}, askedBy, root = false }: SpanOptions,
  work: () => T | Promise<T>,
): Promise<T> {
  const links = askedBy === undefined ? [] : [linkTo(askedBy)];
  return await tracer.startActiveSpan(name, { attributes, links, root }, async (span) => {
    try {
      return await work();
    } catch (error) {
      const message = error instanceof Error ? error.name : "error";
      span.setStatus({ code: SpanStatusCode.ERROR, message });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** A span that is ended by the caller. */
export function beginSpan(name: string, attributes: Attributes): { end: () => void } {
  return tracer.startSpan(name, { attributes });
}

/** The span that is active, as text for links to it; undefined if nothing is traced. */
export function presentTrace(): string | undefined {
  const span = trace.getActiveSpan()?.spanContext();
  return span === undefined ? undefined : `${span.traceId}-${span.spanId}`;
}

function linkTo(askedBy: string): Link {
  const [traceId, spanId] = askedBy.split("-") as [string, string];
  return { context: { traceId, spanId, traceFlags: TraceFlags.SAMPLED } };
}
