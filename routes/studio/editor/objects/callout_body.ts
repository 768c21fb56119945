/**
 * A callout: its tone, and the text in it.
 *
 * @module
 */
/// <reference lib="dom" />
import { make } from "../../browser/page/elements.ts";
import { NestedText } from "../nested_text.ts";
import { type BodyFacts, type ObjectBody, ownEvents } from "./object_body.ts";
import type { JsonObject } from "../schema.ts";
import { blocksOf, CALLOUT_TONES } from "./text_objects.ts";

/** A callout on the page. */
export class CalloutBody implements ObjectBody {
  readonly dom: HTMLElement;
  readonly #tones: HTMLSelectElement;
  readonly #text: NestedText;
  #raw: JsonObject;

  constructor(raw: JsonObject, facts: BodyFacts) {
    this.#raw = raw;
    const change = (part: JsonObject) => {
      this.#raw = { ...this.#raw, ...part };
      this.dom.dataset.tone = toneOf(this.#raw);
      facts.change(this.#raw, "tone" in part);
    };
    this.#tones = make("select", {
      class: "pt-small-select",
      "aria-label": "Tone of the callout",
      onchange: () => change({ tone: this.#tones.value }),
    });
    this.#tones.append(
      ...CALLOUT_TONES.map(([value, label]) => make("option", { value }, label)),
    );
    this.#tones.disabled = !facts.isEditable;
    this.#text = new NestedText(blocksOf(raw.content), {
      label: "Text of the callout",
      facts,
      changed: (content) => change({ content }),
    });
    this.dom = make("div", { class: "pt-callout" }, ownEvents(this.#tones), this.#text.dom);
    this.show(raw);
  }

  show(raw: JsonObject): void {
    this.#raw = raw;
    this.#tones.value = toneOf(raw);
    this.dom.dataset.tone = toneOf(raw);
    this.#text.show(blocksOf(raw.content));
  }

  focus(): void {
    this.#text.focus();
  }

  destroy(): void {
    this.#text.destroy();
  }
}

/** Pages show an unknown tone as the most quiet one. */
function toneOf({ tone }: JsonObject): string {
  return CALLOUT_TONES.find(([name]) => name === tone)?.[0] ?? CALLOUT_TONES[0]![0];
}
