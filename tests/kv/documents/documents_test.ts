import { assert } from "@std/assert";
import { createDocument } from "../../../kv/documents/documents.ts";
import { keyText, type Operation } from "../../../kv/store/operation.ts";
import { currentKey } from "../../../kv/keys.ts";
import { UNATTENDED } from "../../../kv/model/entities/entity.ts";
import { testApp } from "../../support/sites/app.ts";

Deno.test("createDocument() checks that the new document is absent, so that a lost commit cannot take effect twice", async () => {
  await using app = await testApp();
  await app.collection({ slug: "posts", name: "Posts" });
  const { store } = app.context;
  const commits: Operation[] = [];
  const commit = store.commit.bind(store);
  store.commit = (operation) => {
    commits.push(operation);
    return commit(operation);
  };

  const { state } = await createDocument(app.deps.content, UNATTENDED, "posts", { title: "One" });

  const key = keyText(currentKey("document", state.id));
  const checks = commits.at(-1)!.checks;
  assert(checks.some((check) => keyText(check.key) === key && check.versionstamp === null));
});
