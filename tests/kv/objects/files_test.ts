import { assert, assertEquals, assertRejects } from "@std/assert";
import { FileObjects } from "../../../kv/objects/files.ts";
import { inFolder } from "../../support/harness/folder.ts";
import {
  assertObjectStore,
  HOSTILE_KEYS,
  noise,
  ODD_KEYS,
  streamOf,
} from "../../support/stores/object_store_contract.ts";
import { WorkMeter } from "../../support/harness/work_meter.ts";

/** Of a folder that is listed. */
const FILES = 30_000;
/** Most blocks of code between two pauses; sorting a run of names takes 270,000. */
const BLOCKS_MAX = 400_000;

async function filesBelow(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) found.push(...await filesBelow(`${folder}/${name}`));
    else found.push(`${folder}/${name}`);
  }
  return found;
}

Deno.test("FileObjects keeps the promises of an object store", async (t) => {
  await inFolder(async (folder) => {
    await assertObjectStore(t, new FileObjects(`${folder}/objects`, { now: () => 0 }));
  });
});

Deno.test("FileObjects never writes outside its folder", async () => {
  await inFolder(async (folder) => {
    const objects = new FileObjects(`${folder}/objects`, { now: () => 0 });

    for (const key of HOSTILE_KEYS) {
      await assertRejects(() => objects.put(key, noise(1)), RangeError);
    }
    for (const key of ODD_KEYS) await objects.put(key, noise(1));

    const names = Array.from(Deno.readDirSync(folder), ({ name }) => name);
    assertEquals(names, ["objects"]);
    assertEquals((await filesBelow(`${folder}/objects/media`)).length, ODD_KEYS.length);
  });
});

Deno.test("FileObjects leaves no temporary file when a stream fails", async () => {
  await inFolder(async (folder) => {
    const objects = new FileObjects(folder, { now: () => 0 });
    const broken = streamOf(noise(100), { pieceBytes: 10, failAfter: 5 });

    await assertRejects(() => objects.putStream("media/a", broken), Error, "stream broke");

    assertEquals(await filesBelow(folder), []);
  });
});

Deno.test("FileObjects shows a reader the old object until the new one is whole", async () => {
  await inFolder(async (folder) => {
    const objects = new FileObjects(folder, { now: () => 0 });
    await objects.put("media/a", noise(10));
    const body = new TransformStream<Uint8Array, Uint8Array>();
    const writer = body.writable.getWriter();

    const putting = objects.putStream("media/a", body.readable);
    await writer.write(noise(5, 2));
    const meanwhile = await objects.get("media/a");
    await writer.close();
    await putting;

    assertEquals(meanwhile, noise(10));
    assertEquals(await objects.get("media/a"), noise(5, 2));
  });
});

Deno.test("FileObjects removes temporary files of crashed processes after a day", async () => {
  await inFolder(async (folder) => {
    await Deno.mkdir(`${folder}/.temporary`);
    await Deno.writeTextFile(`${folder}/.temporary/old`, "");
    await Deno.writeTextFile(`${folder}/.temporary/young`, "");
    const now = Date.now() + 2 * 86_400_000;
    await Deno.utime(`${folder}/.temporary/young`, new Date(now), new Date(now));

    await new FileObjects(folder, { now: () => now }).put("media/a", noise(1));

    const names = Array.from(Deno.readDirSync(`${folder}/.temporary`), ({ name }) => name);
    assertEquals(names, ["young"]);
  });
});

Deno.test("FileObjects lists only its own files", async () => {
  await inFolder(async (folder) => {
    const objects = new FileObjects(folder, { now: () => 0 });
    await objects.put("media/a", noise(1));
    await Deno.writeTextFile(`${folder}/media/100% mine`, "");
    await Deno.writeTextFile(`${folder}/media/%zz`, "");
    await Deno.writeTextFile(`${folder}/media/.DS_Store`, "");

    const keys = (await Array.fromAsync(objects.list("media/"))).map(({ key }) => key);

    assertEquals(keys, ["media/a"]);
  });
});

Deno.test("FileObjects puts while another process removes the emptied folder", async () => {
  await inFolder(async (folder) => {
    const one = new FileObjects(folder, { now: () => 0 });
    const other = new FileObjects(folder, { now: () => 0 });

    for (let round = 0; round < 50; round++) {
      await one.put("versions/setting/a/1", noise(1));
      await Promise.all([
        other.delete("versions/setting/a/1"),
        one.put("versions/setting/a/2", noise(2)),
      ]);
      assert(await one.head("versions/setting/a/2") !== null, `round ${round}`);
      await one.delete("versions/setting/a/2");
    }
  });
});

Deno.test("FileObjects puts where mkdir reports a folder that was just removed", async () => {
  await inFolder(async (folder) => {
    const objects = new FileObjects(folder, { now: () => 0 });
    await objects.put("media/a", noise(1));
    const { mkdir } = Deno;
    const failures = [new Deno.errors.AlreadyExists("File exists"), new Deno.errors.NotFound()];
    Deno.mkdir = async (path, options) => {
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
      await mkdir(path, options);
    };
    try {
      await objects.put("versions/a", noise(1));
    } finally {
      Deno.mkdir = mkdir;
    }

    assertEquals(failures, []);
    assert(await objects.head("versions/a") !== null);
  });
});

Deno.test("FileObjects answers the time of the last put", async () => {
  await inFolder(async (folder) => {
    const objects = new FileObjects(folder, { now: () => 0 });
    const before = Math.floor(Date.now() / 1000) * 1000;

    await objects.put("media/a", noise(1));

    const modifiedAt = (await objects.head("media/a"))!.modifiedAt;
    assert(modifiedAt >= before - 2_000 && modifiedAt <= Date.now() + 2_000);
  });
});

Deno.test("FileObjects.list() lets others go on while it looks at a folder of many files", async () => {
  await inFolder(async (folder) => {
    await Deno.mkdir(`${folder}/media`);
    for (let n = 0; n < FILES; n++) Deno.writeTextFileSync(`${folder}/media/${n}`, "");
    const objects = new FileObjects(folder, { now: () => 0 });
    await using meter = await WorkMeter.start();
    const { blocks, where } = await meter.longestTurn(async () => {
      for await (const { key } of objects.list("media/")) return key;
    });

    console.log(`    at most ${blocks} blocks: ${where}`);
    assert(blocks <= BLOCKS_MAX, `${blocks} blocks at a time: ${where}`);
  });
});
