/**
 * The menu of a block: turn it into another one, duplicate, move and delete it, copy a link to it.
 *
 * @module
 */
/// <reference lib="dom" />
import type { Node } from "prosemirror-model";
import { closeHistory } from "prosemirror-history";
import { type Command, NodeSelection, TextSelection } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { all, make, parentOf, removeWhenClosed, showBeside } from "../browser/page/elements.ts";
import { BLOCK_PARAMETER } from "../browser/forms/rich_text.ts";
import { toast } from "../browser/page/toast.ts";
import { STYLES } from "../wording/text_styles.ts";
import { presentBlock, setStyle, toggleList } from "./commands.ts";
import { keyOf } from "./objects/block_key.ts";
import { moveBlocks, removeObject } from "./objects/object_commands.ts";

/** Opens the menu of the block at `at` beside an element. */
export function openBlockMenu(view: EditorView, at: number, source: HTMLElement): void {
  const node = view.state.doc.nodeAt(at);
  if (node === null) return;
  const { doc } = view.state;
  const selection = node.isTextblock
    ? TextSelection.create(doc, at + 1)
    : NodeSelection.create(doc, at);
  view.dispatch(view.state.tr.setSelection(selection));
  const entry = (label: string, command: Command, kind = "") =>
    make("button", {
      type: "button",
      class: `menu-entry ${kind}`,
      disabled: !command(view.state),
      onclick: () => {
        menu.hidePopover();
        command(view.state, view.dispatch, view);
        view.focus();
      },
    }, label);
  const menu: HTMLElement = make(
    "div",
    {
      class: "menu pt-block-menu",
      "data-side": "start",
      popover: "auto",
      role: "group",
      "aria-label": "Block",
      onkeydown: (event) => moveFocus(menu, event as KeyboardEvent),
    },
    ...(node.isTextblock ? turns(view).map((one) => entry(...one)) : []),
    ...(node.isTextblock ? [make("hr", {})] : []),
    entry("Duplicate", duplicate(at)),
    // A text in a dialog is a part of a block.
    ...(source.closest("dialog") === null ? [entry("Copy link", copyLink(node))] : []),
    entry("Move up", moveBlocks(-1)),
    entry("Move down", moveBlocks(1)),
    entry("Delete", removeObject(at), "danger"),
  );
  parentOf(source).append(menu);
  removeWhenClosed(menu);
  showBeside(menu, source);
  menu.querySelector<HTMLElement>(":enabled")?.focus();
}

/** What the text block at the cursor can be turned into; not what it is. */
function turns({ state }: EditorView): [label: string, command: Command][] {
  const present = presentBlock(state);
  const isList = present?.listItem != null;
  const styles = STYLES.filter(([style]) => isList || style !== present?.style)
    .map(([style, label]): [string, Command] => [label, setStyle(style)]);
  const lists = [["bullet", "Bulleted list"], ["number", "Numbered list"]] as const;
  return [
    ...styles,
    ...lists.filter(([item]) => item !== present?.listItem)
      .map(([item, label]): [string, Command] => [label, toggleList(item)]),
  ];
}

/** Inserts a copy below the block; the plugin of keys gives it one of its own. */
function duplicate(at: number): Command {
  return ({ tr, doc }, dispatch) => {
    const node = doc.nodeAt(at);
    if (node === null) return false;
    dispatch?.(closeHistory(tr).insert(at + node.nodeSize, node).scrollIntoView());
    return true;
  };
}

/** Copies an address of this page that shows the block. */
function copyLink(node: Node): Command {
  return (_state, dispatch) => {
    const key = keyOf(node);
    if (key === null) return false;
    if (dispatch !== undefined) {
      const query = new URLSearchParams({ [BLOCK_PARAMETER]: key });
      void navigator.clipboard.writeText(`${location.origin}${location.pathname}?${query}`)
        .then(
          () => toast("Link copied"),
          () => toast("The link could not be copied", { bad: true }),
        );
    }
    return true;
  };
}

/** Arrow keys move between the entries. */
function moveFocus(menu: HTMLElement, event: KeyboardEvent): void {
  event.stopPropagation();
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const entries = all(menu, ":enabled");
  const at = entries.indexOf(document.activeElement as HTMLElement);
  entries[(at + step + entries.length) % entries.length]?.focus();
}
