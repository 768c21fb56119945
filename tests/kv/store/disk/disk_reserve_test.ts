/** The room that is kept on the disk of an embedded store. */
import { assertEquals } from "@std/assert";
import { DiskReserve } from "../../../../kv/store/disk/disk_reserve.ts";
import { inFolder } from "../../../support/harness/folder.ts";

const BYTES = 500_000;

Deno.test("openers of one store that make room at the same time do not disturb one another", () =>
  inFolder(async (folder) => {
    const path = `${folder}/kv.sqlite3.reserve`;
    for (let round = 0; round < 20; round++) {
      const open = () => new DiskReserve(path, BYTES).prepare();
      assertEquals(await Promise.all([open(), open(), open(), open()]), [true, true, true, true]);
      assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name), ["kv.sqlite3.reserve"]);
      assertEquals((await Deno.stat(path)).size, BYTES);
      await Deno.remove(path);
    }
  }));
