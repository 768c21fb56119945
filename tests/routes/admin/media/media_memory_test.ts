import { assert } from "@std/assert";
import { startS3Sink } from "../../../support/stores/s3_sink.ts";

/** By how many megabytes a process of its own grows while it takes 25 MB. */
async function growth(kind: "files" | "s3", place: string): Promise<number> {
  const script = new URL("../../../support/harness/upload_growth.ts", import.meta.url).href;
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", "--no-check", script, kind, place],
  }).output();
  const [printed, said] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  assert(code === 0 && /^\d+\n$/.test(printed!), `${printed}${said}`);
  return Number(printed);
}

Deno.test("POST /api/admin/media streams 25 MB while memory grows by less than 40 MB", async () => {
  const folder = await Deno.makeTempDir();

  const grownMb = await growth("files", folder);

  assert(grownMb < 40, `memory grew by ${grownMb} MB`);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("POST /api/admin/media streams 25 MB into S3 while memory grows by less than 40 MB", async () => {
  await using sink = await startS3Sink();

  const grownMb = await growth("s3", sink.endpoint);

  assert(grownMb < 40, `memory grew by ${grownMb} MB`);
});
