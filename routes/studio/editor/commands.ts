/**
 * Commands for text: styles, lists, marks and links, and their shortcuts.
 *
 * @module
 */
/// <reference lib="dom" />
import {
  baseKeymap,
  chainCommands,
  createParagraphNear,
  deleteSelection,
  joinBackward,
  liftEmptyBlock,
  newlineInCode,
  selectNodeBackward,
  splitBlockAs,
  toggleMark,
} from "prosemirror-commands";
import { redo, undo } from "prosemirror-history";
import type { Mark, Node } from "prosemirror-model";
import { type Command, type EditorState, Plugin, Selection } from "prosemirror-state";
import { RICH_TEXT_LIST_LEVEL_MAX } from "../../../kv/limits/content.ts";
import { freshKey } from "./keys.ts";
import { moveBlocks, removeSelected } from "./objects/object_commands.ts";
import { type DECORATORS, markType, schema, type TextBlockAttributes } from "./schema.ts";

/** The name of a decorator that the editor offers. */
export type Decorator = typeof DECORATORS[number];

/** Puts a decorator on the selection, or takes it away. */
export function toggleDecorator(name: Decorator): Command {
  return toggleMark(markType(name), null, { removeWhenPresent: false });
}

/** Whether all of the selection has a mark. */
export function hasMark({ doc, selection, storedMarks }: EditorState, name: string): boolean {
  const type = markType(name);
  const { from, to, empty, $from } = selection;
  if (empty) return type.isInSet(storedMarks ?? $from.marks()) !== undefined;
  let isEverywhere = false;
  let isMissing = false;
  doc.nodesBetween(from, to, (node) => {
    if (!node.isText) return;
    if (type.isInSet(node.marks)) isEverywhere = true;
    else isMissing = true;
  });
  return isEverywhere && !isMissing;
}

/** The attributes of the text block in which the selection begins. */
export function presentBlock(state: EditorState): TextBlockAttributes | null {
  const { parent } = state.selection.$from;
  return parent.type.name === "textblock" ? parent.attrs as TextBlockAttributes : null;
}

/** Gives the selected blocks a style; they leave their lists. */
export function setStyle(style: string): Command {
  return changeBlocks(() => ({ style, listItem: null, level: null }));
}

/** Makes a list of the selected blocks, or text again when they are one already. */
export function toggleList(listItem: string): Command {
  return (state, dispatch) => {
    const isList = presentBlock(state)?.listItem === listItem;
    const change = isList
      ? () => ({ listItem: null, level: null })
      : ({ level }: TextBlockAttributes) => ({ style: "normal", listItem, level: level ?? 1 });
    return changeBlocks(change)(state, dispatch);
  };
}

/** Moves list entries in or out; an entry at the margin leaves the list. */
function moveLevel(by: 1 | -1): Command {
  return changeBlocks(({ listItem, level }) => {
    if (listItem === null) return null;
    const next = (level ?? 1) + by;
    if (next > RICH_TEXT_LIST_LEVEL_MAX) return null;
    return next < 1 ? { listItem: null, level: null } : { level: next };
  });
}

function changeBlocks(
  change: (attributes: TextBlockAttributes) => Partial<TextBlockAttributes> | null,
): Command {
  return ({ selection, doc, tr }, dispatch) => {
    const { from, to } = selection;
    doc.nodesBetween(from, to, (node, position) => {
      if (node.type.name !== "textblock") return false;
      const next = change(node.attrs as TextBlockAttributes);
      if (next !== null) tr.setNodeMarkup(position, undefined, { ...node.attrs, ...next });
      return false;
    });
    if (!tr.docChanged) return false;
    dispatch?.(tr.scrollIntoView());
    return true;
  };
}

/** Whether the cursor is at the beginning of its block. */
function atStart({ selection }: EditorState): boolean {
  return selection.empty && selection.$from.parentOffset === 0;
}

/** At the beginning of a list entry or heading: makes text of it. */
const plainFirst: Command = (state, dispatch) => {
  const block = presentBlock(state);
  if (block === null || !atStart(state)) return false;
  if (block.listItem !== null) return moveLevel(-1)(state, dispatch);
  return (block.style ?? "normal") !== "normal" && setStyle("normal")(state, dispatch);
};

/** Enter in an empty list entry or quote ends it. */
const endEmpty: Command = (state, dispatch) => {
  const { $from } = state.selection;
  return $from.parent.content.size === 0 && plainFirst(state, dispatch);
};

/** The block after one whose style does not continue, such as a heading. */
function following(node: Node, atEnd: boolean) {
  const { style, listItem, level } = node.attrs as TextBlockAttributes;
  const mayContinue = !atEnd || listItem !== null || style === "blockquote";
  const attributes = {
    key: freshKey(),
    listItem,
    level,
    source: mayContinue ? node.attrs.source : null,
  };
  return { type: node.type, attrs: { ...attributes, style: mayContinue ? style : "normal" } };
}

/** A new line within the block. */
export const lineBreak: Command = ({ tr, selection, storedMarks }, dispatch) => {
  if (selection.$from.parent.type.name !== "textblock") return false;
  const marks = storedMarks ?? selection.$from.marks();
  dispatch?.(
    tr.replaceSelectionWith(schema.node("line", null, undefined, marks), false)
      .scrollIntoView(),
  );
  return true;
};

/** The link in which the cursor is, or the first one in the selection, with its extent. */
export function presentLink(
  { doc, selection }: EditorState,
): { from: number; to: number; mark: Mark } | null {
  const { $from, from, to, empty } = selection;
  const links: { from: number; to: number; mark: Mark }[] = [];
  const start = $from.start();
  if ($from.parent.type.name !== "textblock") return null;
  $from.parent.forEach((child, offset) => {
    const mark = linkIn(child.marks);
    if (mark === null) return;
    const last = links.at(-1);
    const begin = start + offset;
    if (last?.to === begin && last.mark.eq(mark)) last.to = begin + child.nodeSize;
    else links.push({ from: begin, to: begin + child.nodeSize, mark });
  });
  if (empty) return links.find((link) => link.from <= from && from <= link.to) ?? null;
  void doc;
  return links.find((link) => link.from < to && from < link.to) ?? null;
}

function linkIn(marks: readonly Mark[]): Mark | null {
  return marks.find(({ type, attrs }) =>
    type.name === "annotation" && attrs.def._type === "link"
  ) ?? null;
}

/** Links the selection, or changes the link in which the cursor is; an empty address takes it away. */
export function setLink(href: string): Command {
  return (state, dispatch) => {
    const { tr, selection } = state;
    const present = presentLink(state);
    const from = selection.empty ? present?.from ?? selection.from : selection.from;
    const to = selection.empty ? present?.to ?? selection.to : selection.to;
    if (from === to && href === "") return false;
    if (present !== null) tr.removeMark(Math.min(from, present.from), to, present.mark);
    if (href !== "") {
      const def = { ...present?.mark.attrs.def, _type: "link", _key: freshKey(), href };
      const mark = schema.mark("annotation", { def });
      if (from === to) tr.insert(from, schema.text(href, [mark]));
      else tr.addMark(from, to, mark);
    }
    dispatch?.(tr.scrollIntoView());
    return true;
  };
}

/** Moves the cursor to a place in the text. */
function goTo(place: (doc: Node) => Selection): Command {
  return ({ tr, doc }, dispatch) => {
    dispatch?.(tr.setSelection(place(doc)).scrollIntoView());
    return true;
  };
}

/** Shortcuts other than those of the menu and the link dialog. */
export const editorKeys: { [key: string]: Command } = {
  ...baseKeymap,
  "Mod-z": undo,
  "Mod-y": redo,
  "Shift-Mod-z": redo,
  "Mod-b": toggleDecorator("strong"),
  "Mod-i": toggleDecorator("em"),
  "Mod-u": toggleDecorator("underline"),
  "Shift-Mod-x": toggleDecorator("strike-through"),
  "Mod-e": toggleDecorator("code"),
  "Mod-Alt-0": setStyle("normal"),
  "Mod-Alt-2": setStyle("h2"),
  "Mod-Alt-3": setStyle("h3"),
  "Mod-Alt-4": setStyle("h4"),
  "Shift-Mod-7": toggleList("number"),
  "Shift-Mod-8": toggleList("bullet"),
  "Shift-Mod-9": setStyle("blockquote"),
  // Outside of lists Tab leaves the editor, as it leaves every other control.
  "Tab": moveLevel(1),
  "Shift-Tab": (state, dispatch) =>
    (presentBlock(state)?.level ?? 1) > 1 && moveLevel(-1)(state, dispatch),
  "Shift-Enter": lineBreak,
  "Alt-ArrowUp": moveBlocks(-1),
  "Alt-ArrowDown": moveBlocks(1),
  // Browsers would leave the text of an object, and ProseMirror takes a jump to the start right after the focus for one
  // that the user did not ask for.
  "Mod-Home": goTo(Selection.atStart),
  "Mod-End": goTo(Selection.atEnd),
  // These belong to the page: publishing, and closing the layer on top.
  "Mod-Enter": () => false,
  "Escape": () => false,
  "Delete": chainCommands(removeSelected, baseKeymap.Delete ?? (() => false)),
  "Backspace": chainCommands(
    removeSelected,
    deleteSelection,
    plainFirst,
    joinBackward,
    selectNodeBackward,
  ),
  "Enter": chainCommands(
    newlineInCode,
    endEmpty,
    createParagraphNear,
    liftEmptyBlock,
    splitBlockAs(following),
  ),
};

/**
 * Reads where the cursor is before each key, as a plugin that goes before all that handle keys. Browsers report a moved
 * cursor in a task of its own, at the next frame or later, so a key right after a click would apply where the cursor was.
 */
export function cursorPlugin(): Plugin {
  return new Plugin({
    props: {
      handleDOMEvents: {
        keydown: (_view, { isComposing }) => {
          if (!isComposing) document.dispatchEvent(new Event("selectionchange"));
          return false;
        },
      },
    },
  });
}
