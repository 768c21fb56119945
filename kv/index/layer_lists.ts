/**
 * The lists of layers: one that is not in memory is computed once for all requests that need it at the time.
 *
 * @module
 */
import type { SliceQueue } from "../store/slices.ts";
import type { Layer, LayerList, LayerRequest } from "./segments/layer.ts";

/** Answers requests to layers. */
export class LayerLists {
  readonly #slices: SliceQueue;
  /** By what is asked for: open deltas of different readers have one name. */
  readonly #pending = new WeakMap<Layer, Map<string, Promise<LayerList>>>();

  constructor(slices: SliceQueue) {
    this.#slices = slices;
  }

  /** The list of a layer; short work is done at once. */
  of(layer: Layer, wanted: LayerRequest): LayerList | Promise<LayerList> {
    const known = layer.knownList(wanted) ?? this.#pending.get(layer)?.get(wanted.text);
    if (known !== undefined) return known;
    const list = this.#slices.run(layer.list(wanted));
    if (list instanceof Promise) {
      const ofLayer = this.#pending.get(layer) ?? new Map<string, Promise<LayerList>>();
      this.#pending.set(layer, ofLayer.set(wanted.text, list));
      const end = () => ofLayer.delete(wanted.text);
      list.then(end, end);
    }
    return list;
  }
}
