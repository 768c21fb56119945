/**
 * Runs in the browser. Asks for the password before a sensitive act, when the user signed in a while ago.
 *
 * @module
 */
import { answered } from "./actions.ts";
import { attempt, PROOF_REQUIRED, provideProof } from "../page/call.ts";
import { make } from "../page/elements.ts";
import { toast } from "../page/toast.ts";

const BACKUP_LINK = 'a[download][href^="/api/admin/exports/"]';

/** Asks for the password wherever the API wants a proof. */
export function startProofs(): void {
  provideProof(prove);
  document.addEventListener("click", (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>(BACKUP_LINK);
    if (link === null) return;
    event.preventDefault();
    void download(link.href);
  });
}

/** A link cannot show a refusal, so the answer is looked at before the browser follows it. */
async function download(address: string): Promise<void> {
  const response = await fetch(address);
  if (response.ok) {
    await response.body?.cancel();
    return location.assign(address);
  }
  const { message, code } = await attempt("GET", address);
  if (code !== PROOF_REQUIRED) return toast(message, { bad: true });
  if (await prove(message)) location.assign(address);
}

/** Loaded when the API asks for a proof, which few pages see. */
async function prove(why: string): Promise<boolean> {
  return await (await import("../proof_dialog.ts")).prove({ answered, attempt, make }, why);
}
