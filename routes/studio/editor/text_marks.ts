/**
 * Marks in a text that are no part of it: highlights of comments, and cursors of other users. They follow the changes
 * of the text. The modules that draw them are loaded when they are used, so an open text hands them what they need.
 *
 * @module
 */
/// <reference lib="dom" />
import type { Node } from "prosemirror-model";
import { Plugin, PluginKey, TextSelection } from "prosemirror-state";
import { Decoration, DecorationSet, type EditorView } from "prosemirror-view";
import { TEXT_EVENTS } from "../browser/forms/rich_text.ts";
import { completeKeys } from "./keys.ts";

/** A change of the marks of a text. */
type MarkChange = (marks: DecorationSet, doc: Node) => DecorationSet;

/** An editor, as modules that draw marks use it. */
export interface OpenText {
  view: EditorView;
  /** The keys of the objects that it is in; empty for a text of its own. */
  path(): string[];
  /** Gives keys to blocks, and to the objects that the text is in, if they are stored without. */
  giveKeys(): void;
  Decoration: typeof Decoration;
  TextSelection: typeof TextSelection;
  /** The marks, as they are now. */
  marks(): DecorationSet;
  /** Changes the marks. */
  mark(change: MarkChange): void;
  /** Runs after each change of the text or its selection. */
  listen(run: () => void): void;
}

const KEY = new PluginKey<DecorationSet>();

/** The marks of one editor. */
export class TextMarks {
  readonly #listeners: (() => void)[] = [];

  /** The plugin that holds the marks. */
  plugin(): Plugin {
    return new Plugin<DecorationSet>({
      key: KEY,
      state: {
        init: () => DecorationSet.empty,
        apply: (transaction, marks) => {
          const mapped = marks.map(transaction.mapping, transaction.doc);
          const change: MarkChange | undefined = transaction.getMeta(KEY);
          return change?.(mapped, transaction.doc) ?? mapped;
        },
      },
      props: { decorations: (state) => KEY.getState(state) },
      view: () => ({
        update: () => {
          for (const run of this.#listeners) run();
        },
      }),
    });
  }

  /**
   * Announces an editor, now and to modules that are loaded later. `store` writes a text within an object, and with it
   * the keys of the object.
   */
  offer(
    island: HTMLElement,
    view: EditorView,
    { path = () => [], store }: { path?: () => string[]; store?: () => void } = {},
  ): void {
    const text: OpenText = {
      view,
      path,
      giveKeys: () => {
        const keyed = completeKeys(view.state);
        if (keyed !== null) view.dispatch(keyed);
        store?.();
      },
      Decoration,
      TextSelection,
      marks: () => KEY.getState(view.state) ?? DecorationSet.empty,
      mark: (change) => view.dispatch(view.state.tr.setMeta(KEY, change)),
      listen: (run) => void this.#listeners.push(run),
    };
    island.addEventListener(TEXT_EVENTS.open, (event) => {
      (event as CustomEvent<(text: OpenText) => void>).detail(text);
    });
    island.dispatchEvent(new Event(TEXT_EVENTS.started, { bubbles: true }));
  }
}
