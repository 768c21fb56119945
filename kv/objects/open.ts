/**
 * Opens the object store: a bucket if one is configured, memory if the database is in memory, otherwise files
 * in the data folder.
 *
 * @module
 */
import type { ObjectStore } from "./object_store.ts";
import { FileObjects } from "./files.ts";
import { MemoryObjects } from "./memory.ts";

/** The settings that select the object store. */
export interface ObjectLocation {
  KV_URL: string;
  DATA_DIR: string;
  S3_BUCKET: string;
  S3_ENDPOINT: string;
  S3_REGION: string;
  AWS_ACCESS_KEY_ID: string;
  AWS_SECRET_ACCESS_KEY: string;
}

/** Opens the object store. */
export async function openObjects(
  location: ObjectLocation,
  options: { now: () => number },
): Promise<ObjectStore> {
  const { S3_BUCKET, S3_ENDPOINT, S3_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = location;
  // Objects must not outlive, or be outlived by, the database that refers to them.
  if (S3_BUCKET === "" && location.KV_URL === ":memory:") return new MemoryObjects(options);
  if (S3_BUCKET === "") {
    const objects = new FileObjects(`${location.DATA_DIR}/objects`, options);
    await objects.assertWritable();
    return objects;
  }
  const { S3Objects } = await import("./s3.ts");
  const objects = new S3Objects({
    bucket: S3_BUCKET,
    ...(S3_ENDPOINT !== "" && { endpoint: S3_ENDPOINT }),
    ...(S3_REGION !== "" && { region: S3_REGION }),
    ...(AWS_ACCESS_KEY_ID !== "" && {
      credentials: { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY },
    }),
  });
  await objects.assertReady();
  return objects;
}
