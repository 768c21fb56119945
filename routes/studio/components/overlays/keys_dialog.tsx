/**
 * The list of keyboard shortcuts, opened with `?`.
 *
 * @module
 */
import { navigationOf } from "../../navigation.ts";
import type { Visit } from "../../serving/studio_env.ts";
import { EmbeddedJson } from "../embedded_json.tsx";
import { Dialog } from "./dialog.tsx";

const EVERYWHERE: [string[], string][] = [
  [["Ctrl", "K"], "Search or go to"],
  [["?"], "Keyboard shortcuts"],
  [["Esc"], "Close dialog or panel"],
];
const LISTS: [string[], string][] = [
  [["J"], "Next row"],
  [["K"], "Previous row"],
  [["X"], "Select the row"],
  [["Enter"], "Open the row"],
];
const COMPARISONS: [string[], string][] = [
  [["N"], "Next change"],
  [["P"], "Previous change"],
];
const BOARDS: [string[], string][] = [
  [["↑"], "Previous card"],
  [["↓"], "Next card"],
  [["←"], "Previous column"],
  [["→"], "Next column"],
  [["Shift", "←"], "Move card left"],
  [["Shift", "→"], "Move card right"],
];
const EDITOR: [string[], string][] = [
  [["Ctrl", "S"], "Save"],
  [["Ctrl", "↵"], "Publish"],
  [["Ctrl", "\\"], "Preview"],
  [["Ctrl", "/"], "Menu of the block"],
  [["Ctrl", "Alt", "M"], "Comment on a selection, or open its comments"],
  [["Ctrl", "F"], "Find and replace in a text"],
];

/** Every shortcut; on a Mac the page's code writes ⌘ for Ctrl. */
export function KeysDialog({ visit }: { visit: Visit }) {
  const links = navigationOf(visit).flatMap(({ links }) => links);
  const places = links.flatMap(({ key, label }): [string[], string][] =>
    key ? [[["G", key.toUpperCase()], label]] : []
  );
  const addresses = Object.fromEntries(
    links.flatMap(({ key, href }) => key ? [[key, href]] : []),
  );
  return (
    <Dialog id="keys" title="Keyboard shortcuts">
      <div class="key-columns">
        <Keys heading="Everywhere" keys={EVERYWHERE} />
        <Keys heading="In lists" keys={LISTS} />
        <Keys heading="In a comparison" keys={COMPARISONS} />
        <Keys heading="On a board" keys={BOARDS} />
        <Keys heading="In the editor" keys={EDITOR} />
        <Keys heading="Go to" keys={places} />
      </div>
      <EmbeddedJson of={addresses} />
    </Dialog>
  );
}

function Keys({ heading, keys }: { heading: string; keys: [string[], string][] }) {
  return (
    <section>
      <h3>{heading}</h3>
      <dl class="keys">
        {keys.map(([strokes, meaning]) => (
          <div>
            <dt>
              {strokes.map((stroke) => (
                <kbd data-command={stroke === "Ctrl" ? "" : undefined}>{stroke}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
