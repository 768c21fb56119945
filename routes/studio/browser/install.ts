/**
 * Runs in the browser. Installing a package: its manifest is read here first, so that one accepts what it
 * asks for before anything is sent. The server checks signature and consent again.
 *
 * @module
 */
import { call } from "./call.ts";
import { all, embedded, get, make } from "./elements.ts";
import { showFailures } from "./failures.ts";

interface Known {
  kind: string;
  bytesMax: number;
  known: { packageId: string; version: string; capabilities: string[]; hosts: string[] }[];
}

interface Manifest {
  id: string;
  kind: string;
  name: string;
  version: string;
  publisher: string;
  capabilities: string[];
  hosts: string[];
}

const BLOCK = 512;

/** What each capability means to somebody who has to decide. */
const MEANINGS: [RegExp, string][] = [
  [/^content:read:(.+)$/, "read the documents of $1"],
  [/^content:write:(.+)$/, "change the documents of $1"],
  [/^content:read$/, "read all documents"],
  [/^content:write$/, "change all documents"],
  [/^media:read$/, "read all images"],
  [/^settings:own$/, "keep settings of its own"],
  [/^net:host$/, "call other servers"],
  [/^mail:send$/, "send mails"],
  [/^schedule$/, "run at set times"],
  [/^admin:panel$/, "show a panel here"],
];

/** Makes the install dialog ask for consent. */
export function startInstall(element: HTMLElement): void {
  const form = element as HTMLFormElement;
  const known = embedded<Known>(form);
  const input = get<HTMLInputElement>(form, "input[type=file]");
  const button = get<HTMLButtonElement>(form, "button[type=submit]");
  const place = get(form, "[data-consent]");
  let file: File | undefined;

  input.addEventListener("change", async () => {
    button.disabled = true;
    file = input.files?.[0];
    if (file === undefined) return;
    const manifest = file.size > known.bytesMax ? null : await readManifest(file);
    if (manifest === null || manifest.kind !== known.kind) {
      place.replaceChildren(make("p", { class: "alert bad" }, `This is no ${known.kind}.`));
      return;
    }
    place.replaceChildren(...consentView(manifest, known));
    const refresh = () => {
      button.disabled = all<HTMLInputElement>(place, "input").some((box) => !box.checked);
    };
    place.onchange = refresh;
    refresh();
  });
  form.addEventListener("submit", async (event) => {
    // The form's own way would send JSON.
    event.preventDefault();
    event.stopImmediatePropagation();
    if (file === undefined) return;
    const body = new FormData();
    for (const box of all<HTMLInputElement>(place, "input")) body.append("accept", box.value);
    body.append("package", file);
    const reply = await call("POST", `/api/admin/${known.kind}s`, { body });
    if (reply.ok) location.assign(`/admin/jobs/${reply.body.jobId}`);
    else showFailures(form, reply, () => null);
  }, { capture: true });
}

function consentView(manifest: Manifest, { known }: Known): HTMLElement[] {
  const present = known.find(({ packageId }) => packageId === manifest.id);
  const newHosts = manifest.hosts.filter((host) => !present?.hosts.includes(host));
  const asked = manifest.capabilities.filter((name) =>
    !present?.capabilities.includes(name) || (name === "net:host" && newHosts.length > 0)
  );
  const what = present === undefined
    ? `${manifest.name} ${manifest.version} by ${manifest.publisher}`
    : `${manifest.name}: from ${present.version} to ${manifest.version}`;
  const heading = asked.length === 0
    ? "It asks for nothing new."
    : present === undefined
    ? "It asks to be allowed to:"
    : "Besides what it may already, it asks to be allowed to:";
  const boxes = asked.map((name) => {
    const text = name === "net:host" ? `call ${newHosts.join(", ")}` : meaningOf(name);
    return make(
      "label",
      { class: "check" },
      make("input", { type: "checkbox", value: name }),
      make("span", {}, text),
    );
  });
  return [
    make("p", {}, make("strong", {}, what)),
    make("p", { class: "muted" }, heading),
    ...boxes,
  ];
}

function meaningOf(capability: string): string {
  for (const [pattern, meaning] of MEANINGS) {
    if (pattern.test(capability)) return capability.replace(pattern, meaning);
  }
  return capability;
}

/** The manifest of a packed package; null when it has none that can be read. */
async function readManifest(file: File): Promise<Manifest | null> {
  try {
    const unpacked = file.stream().pipeThrough(new DecompressionStream("gzip"));
    const bytes = new Uint8Array(await new Response(unpacked).arrayBuffer());
    const text = (from: number, length: number) =>
      new TextDecoder().decode(bytes.subarray(from, from + length)).replace(/\0.*$/s, "");
    for (let at = 0; at + BLOCK <= bytes.length;) {
      const name = text(at, 100).replace(/^\.\//, "");
      const size = parseInt(text(at + 124, 12), 8) || 0;
      if (name === "manifest.json") return JSON.parse(text(at + BLOCK, size));
      at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
    }
    return null;
  } catch {
    // Bytes that are no package fail in many ways; the caller says of all of them that it is none.
    return null;
  }
}
