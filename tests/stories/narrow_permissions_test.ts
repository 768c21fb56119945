/**
 * The service with the permissions that its tasks give it: the network, the environment, and its own
 * folders. Everything that could ask for more is done once.
 */
import { assert, assertEquals } from "../support/harness/assert.ts";
import { foldersFor } from "../../.ci/folder_permissions.ts";
import { IMAGES } from "../support/sites/images.ts";

const CODE = "narrow setup code";
const PASSWORD = "correct horse battery";

Deno.test("both tasks read and write their own folders alone, and start keeps the lock file", async () => {
  const { tasks } = JSON.parse(await Deno.readTextFile("deno.json"));
  for (const name of ["start", "dev"]) {
    const command = tasks[name] as string;
    for (const use of ["read", "write"]) {
      const script = `deno run --no-config --allow-env .ci/folder_permissions.ts ${use}`;
      assert(command.includes(` "--allow-${use}=$(${script})" `), `${name}: ${use}`);
      assertEquals(command.split(`--allow-${use}`).length, 2);
    }
    assert(!/--allow-(?:all|run|ffi)|-A\b/.test(command), name);
  }
  assert(/^deno run --frozen /.test(tasks.start));
});

/** Permissions that no way of starting the service may have. */
const WIDE = /(?:^|[\s"])(?:-A|--allow-(?:all|run|ffi|import))\b/;

Deno.test("no way of starting the service has wide permissions", async () => {
  const { tasks } = JSON.parse(await Deno.readTextFile("deno.json"));
  const starts: Record<string, string> = { "task start": tasks.start, "task dev": tasks.dev };
  for (const path of ["Dockerfile", "docs/operating/cms.service", "compose.yaml"]) {
    starts[path] = await Deno.readTextFile(path);
  }
  for (const [name, text] of Object.entries(starts)) assert(!WIDE.test(text), name);
});

Deno.test("the folders of a task are the project, DATA_DIR and Deno's own", async () => {
  const home = { HOME: "/home/ada", DATA_DIR: "" };
  assertEquals(foldersFor("read", home, "linux"), ".,./data,/home/ada/.cache/deno");
  assertEquals(foldersFor("write", home, "linux"), "./data");
  const set = { ...home, DATA_DIR: "/srv/a,b", DENO_DIR: "/deno-dir" };
  assertEquals(foldersFor("read", set, "darwin"), ".,/srv/a,,b,/deno-dir");
  assertEquals(foldersFor("read", home, "darwin"), ".,./data,/home/ada/Library/Caches/deno");
  assertEquals(foldersFor("read", {}, "linux"), ".,./data");
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).output();
  const { denoDir } = JSON.parse(new TextDecoder().decode(stdout));
  const found = foldersFor("read", Deno.env.toObject(), Deno.build.os).split(",").at(-1);
  assertEquals(found, denoDir);
});

Deno.test("the service runs whole with the permissions of the task", async () => {
  const folder = await Deno.makeTempDir();
  const data = `${folder}/its data`;
  const server = new Deno.Command(Deno.execPath(), {
    args: ["task", "start"],
    env: { DATA_DIR: data, PORT: "0", HOST: "127.0.0.1", SETUP_CODE: CODE, JOBS_THREAD: "1" },
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const lines: string[] = [];
  const errors = collect(server.stderr, lines);
  let origin = "";
  const listening = Promise.withResolvers<void>();
  const output = collect(server.stdout, lines, (line) => {
    origin = /Listening on (http:\S+)/.exec(line)?.[1] ?? origin;
    if (origin !== "") listening.resolve();
  });
  try {
    await listening.promise;
    await useEverything(origin);
  } finally {
    server.kill("SIGTERM");
    await Promise.all([output, errors, server.status]);
    await Deno.remove(folder, { recursive: true });
  }
  const denied = lines.filter((line) => /NotCapable|Requires .* access/.test(line));
  assertEquals(denied, []);
});

async function collect(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  lines: string[],
  onLine: (line: string) => void = () => {},
): Promise<void> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const [...whole] = (rest + text).split("\n");
    rest = whole.pop()!;
    for (const line of whole) {
      lines.push(line);
      onLine(line);
    }
  }
}

async function useEverything(origin: string): Promise<void> {
  let cookie = "";
  const ask = async (method: string, path: string, body?: unknown) => {
    const isForm = body instanceof FormData;
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: {
        cookie,
        ...(body !== undefined && !isForm && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    });
    const [set] = response.headers.getSetCookie();
    if (set !== undefined) cookie = set.split(";")[0]!;
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json") && text !== "";
    return { status: response.status, json: isJson ? JSON.parse(text) : null };
  };
  const done = async (jobId: string) => {
    for (;;) {
      const { json: { state, error } } = await ask("GET", `/api/admin/jobs/${jobId}`);
      assert(state !== "failed", `${error}`);
      if (state === "done") return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const person = { email: "ada@example.org", displayName: "Ada", password: PASSWORD };
  const setup = { code: CODE, siteTitle: "Narrow", seedExample: true, ...person };
  assertEquals((await ask("POST", "/api/admin/setup", setup)).status, 201);
  const form = new FormData();
  form.append("file", new Blob([IMAGES["image/jpeg"]]), "a.jpg");
  const { json: medium } = await ask("POST", "/api/admin/media", form);
  assertEquals((await ask("GET", `${medium.url}?w=320`)).status, 200);
  const user = { email: "bo@example.org", displayName: "Bo", roles: ["editor"] };
  assertEquals((await ask("POST", "/api/admin/users", user)).status, 201);
  assertEquals((await ask("POST", "/api/admin/settings/test-mail", {})).status, 200);
  await done((await ask("POST", "/api/admin/example-site/seed")).json.jobId);
  await done((await ask("POST", "/api/admin/exports", { media: true })).json.jobId);
  await done((await ask("POST", "/api/admin/search/rebuild", { force: true })).json.jobId);
  const at = Math.floor(Date.now() / 1000) - 1;
  await done((await ask("POST", "/api/admin/restore", { timestamp: at })).json.jobId);
  for (const path of ["/", "/admin", "/api/v1/_meta", "/readyz", "/sitemap.xml", "/feed.xml"]) {
    const { status } = await ask("GET", path);
    assert([200, 401].includes(status), `${path}: ${status}`);
  }
}
