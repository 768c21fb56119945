/**
 * SQLite's full-text search, for comparison.
 *
 * @module
 */
import { DatabaseSync, type StatementSync } from "node:sqlite";

/** Documents in an FTS5 table. */
export class Fts5 {
  readonly #db: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #select: StatementSync;
  readonly #count: StatementSync;

  constructor(path: string, tokenizer = "unicode61 remove_diacritics 2") {
    this.#db = new DatabaseSync(path);
    this.#db.exec("PRAGMA journal_mode = WAL");
    this.#db.exec(
      `CREATE VIRTUAL TABLE t USING fts5(title, body, tokenize = '${tokenizer}')`,
    );
    this.#insert = this.#db.prepare("INSERT INTO t(rowid, title, body) VALUES (?, ?, ?)");
    this.#select = this.#db.prepare(
      "SELECT rowid, title, snippet(t, 1, '<mark>', '</mark>', '…', 40) AS piece FROM t " +
        "WHERE t MATCH ? ORDER BY bm25(t, 10.0, 1.0) LIMIT 20",
    );
    this.#count = this.#db.prepare("SELECT count(*) AS n FROM t WHERE t MATCH ?");
  }

  begin(): void {
    this.#db.exec("BEGIN");
  }

  commit(): void {
    this.#db.exec("COMMIT");
    this.#db.exec("INSERT INTO t(t) VALUES ('optimize')");
  }

  add(id: number, title: string, body: string): void {
    this.#insert.run(id, title, body);
  }

  /** The first twenty of the documents that have all words, after counting them. */
  search(words: string): number[] {
    const match = words.split(" ").map((word) => `"${word}"`).join(" ");
    this.#count.get(match);
    return this.#select.all(match).map((row) => (row as { rowid: number }).rowid);
  }

  title(id: number): string {
    const row = this.#db.prepare("SELECT title FROM t WHERE rowid = ?").get(id);
    return (row as { title: string }).title;
  }

  /** Bytes of the index, without the texts. */
  indexBytes(): number {
    const row = this.#db.prepare("SELECT sum(length(block)) AS n FROM t_data").get();
    return (row as { n: number }).n;
  }

  close(): void {
    this.#db.close();
  }
}
