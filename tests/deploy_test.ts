/**
 * The ways to run, as far as a machine without them can tell: what their files say agrees with
 * the project, and the service starts from what the image would hold.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";

const text = (path: string) => Deno.readTextFile(path);
const { tasks } = JSON.parse(await text("deno.json"));
const flags = /--v8-flags=\S+/.exec(tasks.start)![0];
const variables = new Set(
  [...(await text(".env.example")).matchAll(/^(?:# )?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) =>
    name!
  ),
);

Deno.test("the image runs the pinned Deno, not as root, with a health check and the flags of the task", async () => {
  const dockerfile = await text("Dockerfile");
  const version = (await text(".dvmrc")).trim();
  const bases = [...dockerfile.matchAll(/^FROM denoland\/deno:(?:distroless-)?(\S+)/gm)];
  assertEquals(bases.map(([, base]) => base), [version, version]);
  assert(/^USER 65532:65532$/m.test(dockerfile));
  assert(dockerfile.includes("/healthz") && /^HEALTHCHECK /m.test(dockerfile));
  assert(dockerfile.includes(`"${flags}"`));
  // Where only what is imported was fetched, Deno must not look for the rest.
  assertEquals(dockerfile.match(/ DENO_UNSTABLE_NPM_LAZY_CACHING=1/g)!.length, 2);
  for (const [, name] of dockerfile.matchAll(/\b([A-Z_]+)=\S+(?=[ \n])/g)) {
    assert(variables.has(name!) || name!.startsWith("DENO_"), name);
  }
});

Deno.test("compose gives the service only variables that it knows, and nothing to write but temporary files", async () => {
  const compose = await text("compose.yaml");
  const [own] = /x-cms:[\s\S]*?\nservices:/.exec(compose)!;
  const given = [...own.matchAll(/^ {4}([A-Z][A-Z0-9_]+):/gm)].map(([, name]) => name!);
  assert(given.includes("S3_BUCKET") && given.includes("KV_ACCESS_TOKEN"));
  assertEquals(given.filter((name) => !variables.has(name)), []);
  assert(/read_only: true/.test(own) && /cap_drop: \[ALL\]/.test(own));
  const caddy = await text("docs/operating/Caddyfile");
  for (const service of ["cms-1", "cms-2"]) {
    assert(compose.includes(`  ${service}: *cms`) && caddy.includes(`${service}:8000`));
  }
  assert(caddy.includes("/readyz"));
});

Deno.test("the systemd unit runs the task's command, and waits longer than a shutdown takes", async () => {
  const unit = await text("docs/operating/cms.service");
  // The unit knows its folders; the task asks for them.
  const narrowed = /(--allow-(?:read|write))=\S+/g;
  assert(/--allow-write=\/var\/lib\/cms,\/var\/cache\/cms /.test(unit));
  const started = unit.replaceAll(narrowed, "$1");
  const command = tasks.start.replace(/"(--allow-(?:read|write))=[^"]*"/g, "$1");
  assert(started.includes(command.replace("deno run", "/usr/local/bin/deno run")));
  const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(unit)!;
  const main = await text("main.ts");
  const longestMs = Math.max(
    ...[...main.matchAll(/^const \w+_MS = ([\d_]+);/gm)].map(([, ms]) =>
      Number(ms!.replaceAll("_", ""))
    ),
  );
  assert(Number(seconds) * 1000 > longestMs);
  // A disk that stays full for a while must not stop the restarts for good.
  assert(unit.split("[Service]")[0]!.includes("\nStartLimitIntervalSec=0\n"));
  for (const line of ["User=cms", "ProtectSystem=strict", "NoNewPrivileges=yes"]) {
    assert(unit.includes(`\n${line}\n`), line);
  }
});

Deno.test("the service starts from what .dockerignore lets into the image", async () => {
  const ignored = (await text(".dockerignore")).trim().split("\n");
  const image = await Deno.makeTempDir({ prefix: "cms-image-" });
  for await (const { name } of Deno.readDir(".")) {
    if (ignored.includes(name) || (ignored.includes("*.md") && name.endsWith(".md"))) continue;
    await new Deno.Command("cp", { args: ["-r", name, image] }).output();
  }
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", "--cached-only", "--no-check", "main.ts", "start"],
    cwd: image,
    env: { PORT: "0", HOST: "127.0.0.1", DATA_DIR: `${image}/data` },
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  try {
    let printed = "";
    for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) {
      printed += piece;
      if (printed.includes("Listening on")) break;
    }
    assert(printed.includes("Listening on http://127.0.0.1:"), printed);
  } finally {
    child.kill("SIGKILL");
    await child.status;
    await Deno.remove(image, { recursive: true });
  }
});

/** Whether a tool is there, and understands this. */
async function understands(tool: string, ...args: string[]): Promise<boolean> {
  const command = new Deno.Command(tool, { args, stdout: "null", stderr: "null" });
  return await command.output().then(({ success }) => success, () => false);
}

async function complaints(tool: string, args: string[], env = {}): Promise<string[]> {
  const { stderr } = await new Deno.Command(tool, { args, env }).output();
  return new TextDecoder().decode(stderr).split("\n").filter((line) => line.trim() !== "");
}

Deno.test({
  name: "systemd accepts the unit",
  ignore: !await understands("systemd-analyze", "--version"),
  fn: async () => {
    const lines = await complaints("systemd-analyze", ["verify", "docs/operating/cms.service"]);
    const own = lines.filter((line) => line.includes("cms.service"));
    // Deno need not be where the unit expects it.
    assertEquals(own.filter((line) => !line.includes("is not executable")), []);
  },
});

Deno.test({
  name: "docker compose accepts its file",
  ignore: !await understands("docker", "compose", "version"),
  fn: async () => {
    const env = {
      KV_ACCESS_TOKEN: "t",
      AWS_ACCESS_KEY_ID: "k",
      AWS_SECRET_ACCESS_KEY: "s",
      SITE_HOST: "cms.example",
      SETUP_CODE: "a setup code",
    };
    const args = ["compose", "-f", "compose.yaml", "config", "--quiet"];
    assertEquals(await complaints("docker", args, env), []);
  },
});
