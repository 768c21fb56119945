/**
 * The tests that also run on the Deno of Deno Deploy: those that use a part of the platform that can differ between
 * versions. The whole suite runs on it with `deno task soak --deploy`.
 *
 * @module
 */

/** The version of Deno that Deno Deploy runs. */
export const DEPLOY_DENO = "2.5.7";

/** Files and folders, each with the part of the platform that its tests use. */
export const DEPLOY_FILES: Record<string, string> = {
  "tests/kv/store": "Deno KV, its file, node:sqlite and workers",
  "tests/kv/versioning/versioned_write_test.ts": "atomic commits of Deno KV",
  "tests/kv/store/write_locks_test.ts": "the order of microtasks and timers",
  "tests/kv/objects/files_test.ts": "the file system",
  "tests/kv/objects/s3_test.ts": "the AWS SDK over fetch, with streams",
  "tests/kv/objects/sent_pieces_test.ts": "streams of bytes as request bodies",
  "tests/kv/backup": "streams through gzip and tar",
  "tests/kv/media/media_bytes_test.ts": "streams of bytes",
  "tests/kv/rate_limit": "atomic sums of Deno KV",
  "tests/kv/live": "timers and commits side by side",
  "tests/jobs/runner": "KV queues and timers",
  "tests/jobs/images": "WebAssembly in workers",
  "tests/jobs/plugins": "WebAssembly with metered memory",
  "tests/jobs/mail": "TCP and TLS sockets of node:net",
  "tests/jobs/deliveries": "HMAC with Web Crypto, fetch with resolved addresses",
  "tests/jobs/network/guarded_request_test.ts": "fetch with resolved addresses",
  "tests/jobs/packages/verify_package_test.ts": "Ed25519 with Web Crypto",
  "tests/routes/command_line": "processes and standard streams",
  "tests/routes/answers/accepts_gzip_test.ts": "CompressionStream",
  "tests/routes/middleware/client_address_test.ts": "connection information of Deno.serve",
  "tests/routes/process/jobs_thread_test.ts": "workers with a store of their own",
  "tests/routes/mcp_test.ts": "streamed HTTP answers",
  "tests/routes/admin/system/exports_test.ts": "large streamed answers",
  "tests/routes/admin/system/imports_test.ts": "multipart bodies",
  "tests/routes/admin/content/live_test.ts": "WebSocket",
  "tests/routes/admin/people/session_test.ts": "password hashing and cookies",
  "tests/routes/v1/writing/bulk_test.ts": "streamed request and answer bodies",
  "tests/routes/v1/changes/changes_test.ts": "server-sent events",
  "tests/routes/v1/writing/documents_create_test.ts": "JSON bodies at the border",
  "tests/routes/v1/writing/media_writes_test.ts": "multipart bodies",
  "tests/routes/v1/openapi_test.ts": "JSON with source text access",
  "tests/contract/clients_test.ts": "generated clients over fetch",
  "tests/stories/start_test.ts": "start and stop of the process",
  "tests/stories/shutdown_test.ts": "signals, and requests in flight",
  "tests/stories/streams_test.ts": "long streams over TCP",
  "tests/stories/live_test.ts": "WebSocket between processes",
  "tests/stories/processes_test.ts": "several processes over one store",
};

/** The files among these that the list names, itself or by their folder. */
export function deployFiles(files: string[]): string[] {
  const named = Object.keys(DEPLOY_FILES);
  return files.filter((file) => named.some((path) => file === path || file.startsWith(`${path}/`)));
}
