/**
 * Runs the code of a plugin: a fresh engine for each call, bounded in memory, in time on the processor and
 * in time at all. Only texts cross the border, JSON in both directions, so no object of the host is ever
 * in the plugin's hands.
 *
 * @module
 */
import {
  CPU_MS_MAX,
  ERROR_CHARS_MAX,
  HOST_CALLS_MAX,
  MEMORY_BYTES_MAX,
  MESSAGE_CHARS_MAX,
  STACK_BYTES_MAX,
  WALL_MS_MAX,
} from "../limits.ts";
import type { QuickJSContext, QuickJSHandle, QuickJSRuntime } from "quickjs-emscripten-core";
import type { Json } from "../../kv/model/entities/entity.ts";
import { type Engine, EngineSource } from "./engine.ts";
import { PRELUDE } from "./prelude.ts";

/**
 * The clock advances while the machine is busy with something else. A call that has hardly computed yet,
 * by the engine's own count, is given this much of it.
 */
const CPU_MS_BUSY = 1_000;
const FEW_TICKS = 30;

/** A plugin that did not do what it should, in time and within its bounds. */
export class PluginFault extends Error {
  override name = "PluginFault";
}

/** A host function: returns JSON, or throws an error that the plugin may see. */
export type Host = (name: string, argument: Json, signal: AbortSignal) => Promise<Json>;

/** One call of a plugin. */
export interface PluginCall {
  code: string;
  /** The name of the event: which function of the plugin is called. */
  event: string;
  input: Json;
  host: Host;
}

/** Calls plugins. */
export class Sandbox {
  readonly #engines = new EngineSource();
  readonly #monotonic: () => number;

  constructor(options: { monotonic?: () => number } = {}) {
    this.#monotonic = options.monotonic ?? (() => performance.now());
  }

  /** Returns the result of the plugin's function; throws a {@linkcode PluginFault} if it fails. */
  async call(call: PluginCall): Promise<Json> {
    const input = JSON.stringify(call.input);
    if (input.length > MESSAGE_CHARS_MAX) throw new PluginFault("The event is too large");
    const run = new Run(await this.#engines.create(), call.host, this.#monotonic);
    const abort = new AbortController();
    const timer = setTimeout(
      () => abort.abort(new PluginFault(`The call took over ${WALL_MS_MAX} ms`)),
      WALL_MS_MAX,
    );
    try {
      return await run.call(call.code, call.event, input, abort.signal);
    } finally {
      clearTimeout(timer);
      abort.abort(new PluginFault("The call is over"));
    }
  }
}

/** One call in its own engine. */
class Run {
  readonly #engine: Engine;
  readonly #host: Host;
  readonly #monotonic: () => number;
  readonly #runtime: QuickJSRuntime;
  readonly #vm: QuickJSContext;
  /** Calls of the host under way; each settles by going on in the engine. */
  readonly #waiting = new Set<Promise<void>>();
  #calls = 0;
  #usedMs = 0;
  /** How often the engine has looked at the clock: once in about ten thousand steps back or into a function. */
  #ticks = 0;
  /** Set once the call was interrupted: what comes out of the engine then means nothing. */
  #late = false;
  #enteredAt = 0;

  constructor(engine: Engine, host: Host, monotonic: () => number) {
    this.#engine = engine;
    this.#host = host;
    this.#monotonic = monotonic;
    engine.refuel();
    this.#runtime = engine.quickjs.newRuntime();
    this.#runtime.setMemoryLimit(MEMORY_BYTES_MAX);
    this.#runtime.setMaxStackSize(STACK_BYTES_MAX);
    this.#runtime.setInterruptHandler(() => {
      engine.refuel();
      this.#ticks += 1;
      const ms = this.#usedMs + this.#monotonic() - this.#enteredAt;
      if (ms > (this.#ticks < FEW_TICKS ? CPU_MS_BUSY : CPU_MS_MAX)) this.#late = true;
      return this.#late;
    });
    this.#vm = this.#runtime.newContext();
  }

  async call(code: string, event: string, input: string, signal: AbortSignal): Promise<Json> {
    const vm = this.#vm;
    const promise = this.#enter(() => {
      const hostFunction = vm.newFunction(
        "host",
        (name, argument) => this.#callHost(vm.getString(name), this.#text(argument), signal),
      );
      const start = vm.unwrapResult(vm.evalCode(PRELUDE, "prelude.js"));
      const run = vm.unwrapResult(vm.callFunction(start, vm.undefined, hostFunction));
      const module = vm.unwrapResult(vm.evalCode(code, "plugin.js", { type: "module" }));
      return vm.unwrapResult(
        vm.callFunction(run, vm.undefined, module, vm.newString(event), vm.newString(input)),
      );
    });
    const aborted = Promise.withResolvers<never>();
    aborted.promise.catch(() => {});
    signal.addEventListener("abort", () => aborted.reject(signal.reason), { once: true });
    for (;;) {
      const result = this.#enter(() => this.#advance(promise));
      if (result !== undefined) return parseResult(result);
      if (this.#waiting.size === 0) throw new PluginFault("The call waits for nothing");
      await Promise.race([...this.#waiting, aborted.promise]);
    }
  }

  /** Runs what can run; the text of the result when there is one. */
  #advance(promise: QuickJSHandle): string | undefined {
    const vm = this.#vm;
    const jobs = this.#runtime.executePendingJobs();
    if (jobs.error !== undefined) throw this.#fault(jobs.error);
    const state = vm.getPromiseState(promise);
    if (state.type === "rejected") throw this.#fault(state.error);
    return state.type === "fulfilled" ? this.#text(state.value) : undefined;
  }

  #callHost(name: string, argument: string, signal: AbortSignal): QuickJSHandle {
    const vm = this.#vm;
    const deferred = vm.newPromise();
    this.#calls += 1;
    const answer = this.#calls > HOST_CALLS_MAX
      ? Promise.reject(new PluginFault(`A call may ask the host ${HOST_CALLS_MAX} times`))
      : Promise.resolve().then(() => this.#host(name, JSON.parse(argument), signal));
    const going = answer.then((value) => {
      const text = JSON.stringify(value);
      if (text.length > MESSAGE_CHARS_MAX) throw new PluginFault("The answer is too large");
      return () => deferred.resolve(vm.newString(text));
    }).catch((error) => {
      const message = error instanceof Error ? error.message : String(error);
      return () => deferred.reject(vm.newError(message.slice(0, ERROR_CHARS_MAX)));
    }).then((settle) => {
      this.#waiting.delete(going);
      if (!signal.aborted) this.#enter(settle);
    });
    this.#waiting.add(going);
    return deferred.handle;
  }

  /** Goes into the engine: the clock runs, and whatever breaks it is the plugin's fault. */
  #enter<T>(work: () => T): T {
    this.#engine.refuel();
    this.#enteredAt = this.#monotonic();
    try {
      const result = work();
      if (this.#late) throw tookTooLong();
      return result;
    } catch (error) {
      throw this.#late ? tookTooLong() : asFault(error);
    } finally {
      this.#usedMs += this.#monotonic() - this.#enteredAt;
    }
  }

  #text(handle: QuickJSHandle): string {
    const vm = this.#vm;
    if (vm.typeof(handle) !== "string") throw new PluginFault("Only texts may cross the border");
    const length = vm.getNumber(vm.getProp(handle, "length"));
    if (length > MESSAGE_CHARS_MAX) throw new PluginFault("A message is too large");
    return vm.getString(handle);
  }

  #fault(error: QuickJSHandle): PluginFault {
    return asFault(this.#vm.dump(error));
  }
}

function parseResult(text: string): Json {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new PluginFault("The answer is not JSON", { cause });
  }
}

function tookTooLong(): PluginFault {
  return new PluginFault(`The call took over ${CPU_MS_MAX} ms to compute`);
}

/** The error of the plugin, without details of the host. */
function asFault(error: unknown): PluginFault {
  if (error instanceof PluginFault) return error;
  if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) {
    return new PluginFault(`The call took too much time or memory (${error.message})`);
  }
  const { name = "Error", message = "unknown" } = Object(error) as Partial<Error>;
  return new PluginFault(`${name}: ${message}`.slice(0, ERROR_CHARS_MAX));
}
