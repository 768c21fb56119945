import { assert, assertEquals } from "@std/assert";
import { backupPartPrefix } from "../../../kv/versioning/backup_keys.ts";
import { removeParts, sweepParts } from "../../../kv/backup/backup_parts.ts";
import {
  type BackupPosition,
  type BackupProgress,
  sectionsRead,
  writeBackup,
} from "../../../kv/backup/write_backup.ts";
import { tableLines } from "../../../kv/backup/rows.ts";
import { BACKUP_PARTS_PREFIX, exportPath } from "../../../kv/objects/paths.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { BACKUP_PART_BYTES } from "../../../kv/tuning.ts";
import { type TestApp, testApp } from "../../support/sites/app.ts";
import { filesOf } from "../../support/sites/backups.ts";
import { fullSite } from "../../support/sites/full_site.ts";

const OPTIONS = { redacted: false, media: true };
const TEXT_CHARS = 200_000;

/** A site whose rows make three parts. */
async function largeSite(): Promise<TestApp> {
  const app = await testApp();
  const { admin } = await fullSite(app);
  const fields = [{ name: "body", label: "Body", type: "text" }];
  const made = await admin.ask("POST", "/collections", { slug: "essays", name: "Essays", fields });
  assertEquals(made.status, 201, made.text);
  const count = Math.ceil(2.2 * BACKUP_PART_BYTES / TEXT_CHARS);
  for (let n = 0; n < count; n++) {
    const body = `${n} `.padEnd(TEXT_CHARS, "x");
    const { status, text } = await admin.ask("POST", "/documents", {
      collection: "essays",
      title: `Page ${n}`,
      body,
    });
    assertEquals(status, 201, text);
  }
  return app;
}

/** One go, committed as a step of a job would be. */
async function goOn(
  { context }: TestApp,
  id: string,
  place: BackupPosition | null,
): Promise<BackupProgress> {
  const operation = new Operation();
  const progress = await writeBackup(context, operation, id, place, OPTIONS);
  assert((await context.store.commit(operation)).ok);
  // What a cursor is: it has been through JSON.
  return JSON.parse(JSON.stringify(progress));
}

/** All goes up to the end; answers how many there were. */
async function toTheEnd(app: TestApp, id: string, from: BackupPosition | null = null) {
  let place = from;
  for (let goes = 1;; goes++) {
    const progress = await goOn(app, id, place);
    if (progress.isDone) return { goes, manifest: progress.manifest };
    place = progress.place;
  }
}

async function tablesOf({ context }: TestApp, id: string) {
  const files = await filesOf((await context.objects.get(exportPath(id)))! as never);
  return { names: [...files.keys()], documents: files.get("tables/document.jsonl")! };
}

Deno.test("a backup is read part by part, and continues where another process has ended", async () => {
  await using app = await largeSite();
  const whole: string[] = [];
  const instant = { stamp: "f".repeat(20), at: 0 };
  const rows = tableLines(app.context, "document", instant, { redacted: false, after: null });
  for await (const { line } of rows) whole.push(new TextDecoder().decode(line));

  const first = await goOn(app, "one", null);
  assert(!first.isDone && first.place !== null && first.place.after !== null);
  // Another process repeats what the first one did not commit, and continues.
  await writeBackup(app.context, new Operation(), "one", first.place, OPTIONS);
  const { goes, manifest } = await toTheEnd(app, "one", first.place);

  assertEquals([goes, first.place.parts], [3, 1]);
  const { documents } = await tablesOf(app, "one");
  assertEquals(documents, whole.join(""));
  assertEquals(manifest.tables.document!.rows, whole.length);
});

Deno.test("a back-up of which a part or the hold on versions is gone begins again", async () => {
  await using app = await largeSite();
  const { context } = app;
  const first = await goOn(app, "one", null);
  assert(!first.isDone && first.place !== null);
  context.advance(600_001);
  assertEquals(await goOn(app, "one", first.place), { isDone: false, place: null });

  let place: BackupPosition | null = null;
  while (sectionsRead(place).done < sectionsRead(place).total) {
    const progress: BackupProgress = await goOn(app, "one", place);
    assert(!progress.isDone);
    place = progress.place;
  }
  const [part] = await Array.fromAsync(context.objects.list(BACKUP_PARTS_PREFIX));
  await context.objects.delete(part!.key);
  assertEquals(await goOn(app, "one", place), { isDone: false, place: null });
  const { manifest } = await toTheEnd(app, "one");
  assertEquals((await tablesOf(app, "one")).names.length, Object.keys(manifest.tables).length + 3);
});

Deno.test("parts of a backup are removed with it, and after a day if it is not continued", async () => {
  await using app = await largeSite();
  const { context } = app;
  const parts = async () => ({
    rows: (await context.store.listAll({ prefix: backupPartPrefix("one") })).length,
    objects: (await Array.fromAsync(context.objects.list(BACKUP_PARTS_PREFIX))).length,
  });
  await toTheEnd(app, "one");
  assertEquals(await parts(), { rows: 3, objects: 3 });
  await removeParts(context, "one");
  assertEquals(await parts(), { rows: 0, objects: 0 });

  await goOn(app, "one", null);
  await sweepParts(context);
  assertEquals(await parts(), { rows: 1, objects: 1 });
  context.advance(86_400_001);
  await sweepParts(context);
  assertEquals(await parts(), { rows: 0, objects: 0 });
});
