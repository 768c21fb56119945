/**
 * QuickJS compiled to WebAssembly, with a meter in every loop. Loaded when the first plugin is called;
 * each call gets a memory and an engine of its own, which are dropped afterwards as a whole.
 *
 * @module
 */
import type { QuickJSSyncVariant, QuickJSWASMModule } from "quickjs-emscripten-core";
import { MEMORY_BYTES_MAX } from "../limits.ts";
import { FUEL_EXPORT, meteredWasm } from "./metered_wasm.ts";

/** Turns of loops that the engine may take without looking at the clock: about a tenth of a second. */
const FUEL = 20_000_000;
const PAGE_BYTES = 65_536;
/** Pages that the engine begins with, for its own data and the plugin's. */
const INITIAL_PAGES = 256;
/**
 * Pages that it may have: the engine's own limit cannot see the sizes of blocks, so the memory is what bounds
 * a plugin.
 */
const PAGES_MAX = INITIAL_PAGES + Math.ceil(MEMORY_BYTES_MAX / PAGE_BYTES);

/** An engine for one call. */
export interface Engine {
  quickjs: QuickJSWASMModule;
  /** Fills the meter; when it runs empty the engine traps and is of no use any more. */
  refuel(): void;
}

/** Makes engines from one compiled module. */
export class EngineSource {
  #module: Promise<WebAssembly.Module> | null = null;

  /** A new engine. */
  async create(): Promise<Engine> {
    this.#module ??= compile();
    const [module, core, loaded] = await Promise.all([
      this.#module,
      import("quickjs-emscripten-core"),
      import("@jitl/quickjs-wasmfile-release-sync"),
    ]);
    let fuel: WebAssembly.Global | undefined;
    const emscriptenModule = {
      instantiateWasm(
        imports: WebAssembly.Imports,
        done: (instance: WebAssembly.Instance) => void,
      ): WebAssembly.Exports {
        const instance = new WebAssembly.Instance(module, imports);
        fuel = instance.exports[FUEL_EXPORT] as WebAssembly.Global;
        fuel.value = FUEL;
        done(instance);
        return instance.exports;
      },
    };
    // The package's types are those of its other module format.
    const variant = loaded.default as unknown as QuickJSSyncVariant;
    const custom = core.newVariant(variant, {
      emscriptenModule: emscriptenModule as never,
      wasmMemory: new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum: PAGES_MAX }),
    });
    const quickjs = await core.newQuickJSWASMModuleFromVariant(custom as QuickJSSyncVariant);
    return { quickjs, refuel: () => void (fuel!.value = FUEL) };
  }
}

async function compile(): Promise<WebAssembly.Module> {
  const file = new URL(import.meta.resolve("@jitl/quickjs-wasmfile-release-sync/wasm"));
  return await WebAssembly.compile(meteredWasm(await Deno.readFile(file)));
}
