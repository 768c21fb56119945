/**
 * The list of keyboard shortcuts, opened with `?`.
 *
 * @module
 */
import type { PlaceGroup } from "../navigation.ts";
import { EmbeddedJson } from "./embedded_json.tsx";
import { DialogHead } from "./dialog_head.tsx";

const EVERYWHERE: [string[], string][] = [
  [["⌘", "K"], "Search or go to"],
  [["?"], "This list"],
  [["Esc"], "Close what is open"],
];
const LISTS: [string[], string][] = [
  [["J"], "Next row"],
  [["K"], "Previous row"],
  [["X"], "Select the row"],
  [["Enter"], "Open the row"],
];
const EDITOR: [string[], string][] = [
  [["⌘", "S"], "Save"],
  [["⌘", "↵"], "Publish"],
  [["⌘", "\\"], "Preview"],
];

/** Every shortcut; on other systems than a Mac, Ctrl stands for ⌘. */
export function KeysDialog({ groups }: { groups: PlaceGroup[] }) {
  const places = groups.flatMap(({ places }) => places)
    .flatMap(({ key, label }): [string[], string][] =>
      key ? [[["G", key.toUpperCase()], label]] : []
    );
  const addresses = Object.fromEntries(
    groups.flatMap(({ places }) => places).flatMap(({ key, href }) => key ? [[key, href]] : []),
  );
  return (
    <dialog id="keys" class="dialog" aria-labelledby="keys-title">
      <DialogHead id="keys-title" title="Keyboard shortcuts" />
      <div class="key-columns">
        <Keys heading="Everywhere" keys={EVERYWHERE} />
        <Keys heading="In lists" keys={LISTS} />
        <Keys heading="In the editor" keys={EDITOR} />
        <Keys heading="Go to" keys={places} />
      </div>
      <EmbeddedJson of={addresses} />
      <p class="hint">Where there is no ⌘ key, use Ctrl.</p>
    </dialog>
  );
}

function Keys({ heading, keys }: { heading: string; keys: [string[], string][] }) {
  return (
    <section>
      <h3>{heading}</h3>
      <dl class="keys">
        {keys.map(([strokes, meaning]) => (
          <div>
            <dt>{strokes.map((stroke) => <kbd>{stroke}</kbd>)}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
