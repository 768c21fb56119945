/**
 * Runs in the browser. Files whose contents are missing: their number and names, and the upload of files or
 * archives that replace them, one after the other.
 *
 * @module
 */
import { call, type ListBody } from "../page/call.ts";
import { get, make } from "../page/elements.ts";

/** Names that are shown; the others are counted. */
const NAMED = 20;
const PATH = "/api/admin/media/missing";

/** The outcome of uploaded files. */
interface Counts {
  restored: number;
  replaced: number;
  unneeded: number;
}

/** Makes the card work; it is there only while something is missing, or was. */
export function startMissingMedia(card: HTMLElement): void {
  const input = get<HTMLInputElement>(card, "input[type=file]");
  input.addEventListener("change", async () => {
    const files = [...input.files ?? []];
    input.disabled = true;
    await uploadAll(card, files);
    input.value = "";
    input.disabled = false;
    await showMissing(card);
  });
  void showMissing(card);
}

async function showMissing(card: HTMLElement): Promise<void> {
  const reply = await call<ListBody<{ filename: string }>>("GET", `${PATH}?perPage=${NAMED}`);
  if (!reply.ok) return;
  const { data, meta: { total } } = reply.body;
  if (total > 0) card.hidden = false;
  get(card, "[data-heading]").textContent = total === 0
    ? "No files are missing"
    : total === 1
    ? "1 file is missing"
    : `${total.toLocaleString("en")} files are missing`;
  const names = data.map(({ filename }) => make("li", {}, filename));
  const rest = total - names.length;
  if (rest > 0) names.push(make("li", {}, `and ${rest.toLocaleString("en")} more`));
  get(card, "[data-names]").replaceChildren(...names);
}

async function uploadAll(card: HTMLElement, files: File[]): Promise<void> {
  const say = (text: string) => get(card, "[data-message]").textContent = text;
  const sum: Counts = { restored: 0, replaced: 0, unneeded: 0 };
  const refused: string[] = [];
  for (const [index, file] of files.entries()) {
    say(files.length === 1 ? "Uploading …" : `Uploading ${index + 1} of ${files.length} …`);
    const reply = await uploadFile(card, file);
    if (!reply.ok) {
      refused.push(`${file.name}: ${reply.message}`);
      continue;
    }
    for (const name of ["restored", "replaced", "unneeded"] as const) sum[name] += reply.body[name];
  }
  say([...sentences(sum), ...refused].join(" "));
}

/** The result of one file, and the error if it was rejected. */
type CountReply = { message: string } & ({ ok: true; body: Counts } | { ok: false; body: null });

function uploadFile(card: HTMLElement, file: File): Promise<CountReply> {
  if (/\.t?gz$/i.test(file.name)) return uploadArchive(file);
  const limit = Number(card.dataset.bytesMax);
  if (file.size > limit) {
    return Promise.resolve({ ok: false, body: null, message: `Larger than ${limit / 1e6} MB.` });
  }
  const body = new FormData();
  body.append("file", file);
  return call<Counts>("POST", PATH, { body });
}

async function uploadArchive(file: File): Promise<CountReply> {
  const headers = { "content-type": "application/gzip" };
  try {
    const response = await fetch(`${PATH}/archive`, { method: "POST", headers, body: file });
    const body = await response.json();
    if (response.ok) return { ok: true, body, message: "" };
    return { ok: false, body: null, message: body?.error?.message ?? "The file was rejected." };
  } catch {
    return { ok: false, body: null, message: "Can't reach the server." };
  }
}

function sentences({ restored, replaced, unneeded }: Counts): string[] {
  const files = (count: number, one: string, many: string) =>
    count === 0 ? [] : [count === 1 ? `1 file ${one}.` : `${count} files ${many}.`];
  return [
    ...files(restored, "is restored", "are restored"),
    ...files(
      replaced,
      "replaced another with the same name",
      "replaced others with the same names",
    ),
    ...files(unneeded, "was not missing", "were not missing"),
  ];
}
