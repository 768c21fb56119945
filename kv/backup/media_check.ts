/**
 * The inventory of media, and their bytes where they are in the tarball: what would be served must be
 * what the inventory says, and of a type that media have.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { MEDIA_BYTES_MAX } from "../limits/media.ts";
import { MediaLine, objectsOfLine } from "../model/entities/backup.ts";
import { isManifestStore } from "../media/formats/content_credentials.ts";
import { CREDENTIALS_MIME } from "../model/media_credentials.ts";
import { SNIFF_BYTES, sniffType } from "../media/file_bytes.ts";
import { joinBytes } from "../objects/object_bytes.ts";
import { FAULTS_NAMED_MAX } from "../tuning.ts";
import { BadTarball } from "../objects/tarball.ts";

interface StoredObject {
  sha256: string;
  mime: string | null;
}

/** Compares the inventory with the bytes. */
export class MediaCheck {
  readonly #expected = new Map<string, StoredObject>();
  readonly #found = new Map<string, StoredObject>();

  /** Takes a line of the inventory; answers what is wrong with it. */
  line(value: unknown): string | null {
    const parsed = MediaLine.safeParse(value);
    if (!parsed.success) return "The row is malformed";
    for (const { object, sha256, mime } of objectsOfLine(parsed.data)) {
      this.#expected.set(object, { sha256, mime });
    }
    return null;
  }

  /** Takes the bytes of an object. */
  async bytes(object: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    const hash = createHash("sha256");
    const head: Uint8Array[] = [];
    let bytes = 0;
    for await (const piece of content) {
      if (bytes < SNIFF_BYTES) head.push(piece.slice(0, SNIFF_BYTES - bytes));
      bytes += piece.byteLength;
      hash.update(piece);
      if (bytes > MEDIA_BYTES_MAX) throw new BadTarball("It holds a medium that is too large");
    }
    const start = joinBytes(head);
    const mime = isManifestStore(start) ? CREDENTIALS_MIME : await sniffType(start);
    this.#found.set(object, { sha256: hash.digest("hex"), mime });
  }

  /** The faults, once every row and object has been checked. */
  faults(): string[] {
    const faults: string[] = [];
    for (const [object, { sha256, mime }] of this.#found) {
      const expected = this.#expected.get(object);
      if (expected === undefined) faults.push(`${object} is in no row`);
      else if (expected.sha256 !== sha256) {
        faults.push(`${object} has other bytes than its row says`);
      } else if (expected.mime !== mime) faults.push(`${object} is not what its row says`);
    }
    return faults.slice(0, FAULTS_NAMED_MAX);
  }
}
