import { ObjectStoreUnavailable } from "../../../kv/unavailable.ts";
import { assertEquals, assertRejects } from "@std/assert";
import { S3Objects } from "../../../kv/objects/s3.ts";
import { assertObjectStore } from "../../support/stores/object_store_contract.ts";

const endpoint = Deno.env.get("S3_TEST_ENDPOINT");
const credentials = {
  accessKeyId: Deno.env.get("S3_TEST_ACCESS_KEY_ID") ?? "test",
  secretAccessKey: Deno.env.get("S3_TEST_SECRET_ACCESS_KEY") ?? "test-secret",
};
const bucket = Deno.env.get("S3_TEST_BUCKET") ?? "objects";
const reason = endpoint === undefined ? " (skipped: S3_TEST_ENDPOINT is not set)" : "";

Deno.test({
  name: `S3Objects satisfies a server that checks signatures and checksums${reason}`,
  ignore: endpoint === undefined,
  async fn(t) {
    const objects = new S3Objects({ bucket, endpoint: endpoint!, credentials });

    await objects.assertReady();
    await assertObjectStore(t, objects, { folders: true, races: true });

    await objects.close();
  },
});

Deno.test({
  name: `S3Objects with a wrong secret or key is told which${reason}`,
  ignore: endpoint === undefined,
  async fn() {
    const wrong = { ...credentials, secretAccessKey: "wrong" };
    const objects = new S3Objects({ bucket, endpoint: endpoint!, credentials: wrong });

    const refused = () => objects.assertReady();
    await assertRejects(refused, ObjectStoreUnavailable, "AWS_SECRET_ACCESS_KEY");
    await assertRejects(() => objects.get("media/a"), ObjectStoreUnavailable, "403");

    await objects.close();
    const unknown = { ...credentials, accessKeyId: "unknown" };
    const others = new S3Objects({ bucket, endpoint: endpoint!, credentials: unknown });
    await assertRejects(() => others.assertReady(), ObjectStoreUnavailable, "AWS_ACCESS_KEY_ID");
    await others.close();
  },
});

Deno.test({
  name: `The strict server refuses who does not sign${reason}`,
  ignore: endpoint === undefined,
  async fn() {
    const response = await fetch(`${endpoint}/${bucket}/media/a`, { method: "PUT", body: "a" });
    await response.body?.cancel();

    assertEquals(response.status, 403);
  },
});
