/**
 * `deno task bench`: every benchmark, one after the other, as tables. Names on the command line choose
 * among them: `deno task bench api search/search`.
 *
 * @module
 */
const BENCHES = [
  "api",
  "at_rest",
  "backlog",
  "backup",
  "counting",
  "daily",
  "distant_bulk",
  "remote_jobs",
  "history",
  "languages",
  "list_index",
  "lists",
  "loading",
  "media",
  "openapi",
  "plugins",
  "programs",
  "publish",
  "querying",
  "release",
  "search/search",
  "site",
  "studio",
  "transfer",
  "waiting",
  "writing",
];

const chosen = Deno.args.length > 0 ? Deno.args : BENCHES;
for (const name of chosen) {
  console.log(`\n# ${name}`);
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", "--no-check", `tests/bench/${name}.ts`],
    stdout: "inherit",
    stderr: "inherit",
  }).spawn().status;
  if (code !== 0) Deno.exit(code);
}
