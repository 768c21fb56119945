/**
 * The log: one line per event. JSON outside a terminal, readable in one. Facts are chosen by the caller
 * and never hold a token, password, cookie or body.
 *
 * @module
 */

/** How serious a line is, least first. */
export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;

/** A level of {@linkcode LOG_LEVELS}. */
export type LogLevel = typeof LOG_LEVELS[number];

/** Facts of one line. */
export type LogFacts = Record<string, string | number | boolean | null | undefined>;

/** A structured log. */
export interface Log {
  debug(event: string, facts?: LogFacts): void;
  info(event: string, facts?: LogFacts): void;
  warn(event: string, facts?: LogFacts): void;
  error(event: string, facts?: LogFacts, cause?: unknown): void;
}

/** A log that writes lines through `write`. */
export function createLog(
  options: {
    level: LogLevel;
    json: boolean;
    now: () => number;
    write: (line: string, serious: boolean) => void;
  },
): Log {
  const threshold = LOG_LEVELS.indexOf(options.level);
  const line = (level: LogLevel, event: string, facts: LogFacts = {}, cause?: unknown) => {
    if (LOG_LEVELS.indexOf(level) < threshold) return;
    const at = new Date(options.now()).toISOString();
    const why = cause instanceof Error ? cause.stack ?? cause.message : cause;
    const whole = { at, level, event, ...facts, ...(why === undefined ? {} : { cause: `${why}` }) };
    const text = options.json
      ? JSON.stringify(whole)
      : [at.slice(11, 23), level.padEnd(5), printable(event), ...readable(facts), why ?? ""]
        .join(" ");
    options.write(text.trimEnd(), level === "error");
  };
  return {
    debug: (event, facts) => line("debug", event, facts),
    info: (event, facts) => line("info", event, facts),
    warn: (event, facts) => line("warn", event, facts),
    error: (event, facts, cause) => line("error", event, facts, cause),
  };
}

/** A log that discards everything. */
export const SILENT: Log = { debug() {}, info() {}, warn() {}, error() {} };

function readable(facts: LogFacts): string[] {
  return Object.entries(facts)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${printable(String(value))}`);
}

/** Line breaks begin a line that says what its author wants, and escape sequences steer a terminal. */
function printable(text: string): string {
  return text.replace(
    /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
