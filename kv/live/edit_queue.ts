/**
 * Edits on their way into the log: validated one after another against what editors see, and appended together
 * in one commit. None is acknowledged before it is durable.
 *
 * @module
 */
import type { Content } from "../documents/content.ts";
import { refuseHeldKey } from "../versioning/import_lock.ts";
import { BODY_BYTES_MAX } from "../limits/requests.ts";
import { EDIT_RETRIES_MAX, EDITS_BYTES_MAX, PENDING_EDITS_MAX } from "../tuning.ts";
import type { DocumentState } from "../model/entities/document.ts";
import { UNATTENDED } from "../model/entities/entity.ts";
import { translationOf } from "../model/languages/translation.ts";
import type { EditMessage } from "../model/input/live_message.ts";
import { Refusal } from "../refusals.ts";
import type { ReleaseSource } from "../versioning/open_releases.ts";
import { Operation } from "../store/operation.ts";
import { Transaction } from "../versioning/transaction.ts";
import { type EditOperation, pendingOf, stageEdits } from "./edit_log.ts";
import { type Editor, errorMessage, type Submission } from "./editor.ts";
import { validateChange } from "./validate_change.ts";
import { overlap } from "./overlap.ts";
import type { DocumentSnapshot } from "./document_snapshot.ts";
import { rootValue } from "./edited_root.ts";
import { applyEdit, resolveRoots, workingOn } from "./working_state.ts";

/** An edit that was appended. */
export interface Added {
  editor: Editor;
  one: EditOperation;
}

/** The edits of a session that are not in the log yet. */
export class EditQueue {
  readonly #content: Content;
  readonly #documentId: string;
  readonly #snapshot: DocumentSnapshot;
  readonly #releases: ReleaseSource;
  #waiting: Submission[] = [];
  #failures = 0;

  constructor(
    content: Content,
    documentId: string,
    { snapshot, releases }: { snapshot: DocumentSnapshot; releases: ReleaseSource },
  ) {
    this.#content = content;
    this.#documentId = documentId;
    this.#snapshot = snapshot;
    this.#releases = releases;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  put(editor: Editor, message: EditMessage): void {
    const { now, newId } = this.#content.context;
    this.#waiting.push({ id: newId(now()), editor, message });
  }

  /** Removes an edit from the queue; returns its editor. */
  take(id: string): Editor | null {
    const found = this.#waiting.find((one) => one.id === id);
    if (found === undefined) return null;
    this.#forget(found);
    return found.editor;
  }

  /** Appends at most `max` edits; sends refusals, and returns the appended edits in order. */
  async addSome(max: number): Promise<Added[]> {
    const { context } = this.#content;
    const snapshot = this.#snapshot;
    if (pendingOf(snapshot.head) >= PENDING_EDITS_MAX) throw new Refusal("UNAVAILABLE");
    if (snapshot.working.status === "trashed") throw new Refusal("NOT_FOUND");
    const transaction = new Transaction(context, UNATTENDED, [], 0, true);
    await refuseHeldKey(transaction, snapshot.schemaVersion);
    const chosen = await this.#choose(transaction, this.#waiting.slice(0, max));
    if (chosen.length === 0) return [];
    const operations = chosen.map(({ one }) => one);
    // The version key shows whether an import has begun since: nothing is appended to a document that it
    // replaces.
    const operation = new Operation().check(snapshot.schemaVersion);
    const entry = snapshot.headEntry;
    const head = stageEdits(operation, context, this.#documentId, entry, operations);
    const result = await context.store.commit(operation);
    if (!result.ok) return [];
    this.#failures = 0;
    snapshot.add(operations, head, result.versionstamp);
    for (const { one } of chosen) this.take(one.id);
    return chosen;
  }

  /** Waits after a failure of the store; false after the last of several. */
  async retry(): Promise<boolean> {
    const { store } = this.#content.context;
    this.#failures += 1;
    if (this.#failures > EDIT_RETRIES_MAX) {
      this.#failures = 0;
      return false;
    }
    await store.sleep(store.random() * 20 * 2 ** this.#failures);
    return true;
  }

  refuseAll(refusal: Refusal): void {
    const refused = this.#waiting;
    this.#waiting = [];
    for (const { editor, message } of refused) {
      editor.send(errorMessage(refusal, message.clientSeq));
    }
  }

  clear(): void {
    this.#waiting = [];
  }

  async #choose(transaction: Transaction, submissions: Submission[]): Promise<Added[]> {
    const chosen: Added[] = [];
    const snapshot = this.#snapshot;
    let state = snapshot.working;
    let bytes = 0;
    for (const submission of submissions) {
      const { editor, message } = submission;
      const known = this.#known(chosen, editor, message.clientSeq);
      if (known !== undefined) {
        editor.send({ type: "ack", clientSeq: message.clientSeq, seq: known.seq });
        this.#forget(submission);
        continue;
      }
      try {
        if (!snapshot.isEdited(editor.translation)) throw new Refusal("NOT_FOUND");
        if (editor.draftsOnly) await this.#refusePlanned(state, editor.translation);
        this.#refuseOverlap(chosen, submission);
        const one = this.#operationOf(submission, snapshot.head.seq + chosen.length + 1);
        const after = await this.#validated(transaction, state, one);
        bytes += JSON.stringify(message).length;
        if (chosen.length > 0 && bytes > EDITS_BYTES_MAX) break;
        state = after;
        chosen.push({ editor, one });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        this.#forget(submission);
        editor.send(errorMessage(error, message.clientSeq));
      }
    }
    return chosen;
  }

  /** Only users who can publish may change what will become public. */
  async #refusePlanned(state: DocumentState, language: string | undefined): Promise<void> {
    const side = language === undefined ? state : translationOf(state, language);
    if (side?.status === "scheduled") throw new Refusal("FORBIDDEN");
    await this.#releases.refusePlanned(this.#documentId, language);
  }

  /** An edit that a client sends again, because it received no acknowledgement. */
  #known(
    chosen: Added[],
    { client, translation }: Editor,
    clientSeq: number,
  ): EditOperation | undefined {
    if (client === null) return undefined;
    const isSame = (one: EditOperation) =>
      one.client === client && one.clientSeq === clientSeq && one.language === translation;
    return this.#snapshot.find(isSame) ?? chosen.find(({ one }) => isSame(one))?.one;
  }

  /** A client that names the last edit it has seen does not overwrite an unseen one of the same language. */
  #refuseOverlap(chosen: Added[], { editor, message }: Submission): void {
    if (message.base === undefined) return;
    const known = this.#snapshot.since(message.base);
    if (known === null) throw new Refusal("CONFLICT");
    for (const other of [...known, ...chosen.map(({ one }) => one)]) {
      if (other.language !== editor.translation) continue;
      const isOwn = editor.client !== null && other.client === editor.client;
      if (!isOwn && overlap(message, other)) throw new Refusal("CONFLICT");
    }
  }

  #operationOf({ id, editor, message }: Submission, seq: number): EditOperation {
    const { clientSeq, set, unset } = message;
    const { userId: by, client, translation: language } = editor;
    const keys = resolveRoots(message, this.#snapshot.collection, language);
    const at = this.#content.context.now();
    const one = { id, seq, by, at, client, clientSeq, set, unset, keys };
    return language === undefined ? one : { ...one, language };
  }

  async #validated(
    transaction: Transaction,
    state: DocumentState,
    one: EditOperation,
  ): Promise<DocumentState> {
    const { schema, collection, stored } = this.#snapshot;
    const { state: after, roots } = applyEdit(workingOn(state), one, "strict");
    for (const root of roots.keys()) {
      if (JSON.stringify(rootValue(after, root) ?? null).length > BODY_BYTES_MAX) {
        throw new Refusal("PAYLOAD_TOO_LARGE");
      }
    }
    const proposed = { before: stored, after, roots: roots.keys() };
    const { faults } = await validateChange(transaction, schema, collection, proposed);
    if (faults.size === 0) return after;
    const details = [...faults.values()].flat();
    const isSlugOnly = details.every(({ field, code }) =>
      field === "slug" && code === "NOT_UNIQUE"
    );
    throw isSlugOnly ? new Refusal("SLUG_CONFLICT") : new Refusal("VALIDATION_FAILED", { details });
  }

  #forget(submission: Submission): void {
    this.#waiting = this.#waiting.filter((one) => one !== submission);
  }
}
