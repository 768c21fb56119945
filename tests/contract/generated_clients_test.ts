/**
 * Clients that generators of other languages make from the description of a started service. `.ci/client_generators`
 * installs the generators and names their folder in `CLIENT_GENERATORS`; without it these are skipped.
 */
import { assert, assertEquals } from "../support/harness/assert.ts";
import { Client } from "../support/harness/client.ts";
import { inFolder } from "../support/harness/folder.ts";
import { startService } from "../tour.ts";

const GENERATORS = Deno.env.get("CLIENT_GENERATORS") ?? "";
const PROGRAMS = new URL("./generated/", import.meta.url).pathname;

const POSTS = {
  slug: "posts",
  name: "Posts",
  fields: [
    { name: "body", type: "rich_text" },
    { name: "rating", type: "number", indexed: true, sortable: true, options: { min: 1, max: 5 } },
    { name: "section", type: "select", indexed: true, options: { choices: ["News", "Opinion"] } },
    { name: "tags", type: "multi_select", options: { choices: ["light", "sea"] } },
    { name: "author", type: "reference", options: { collection: "posts" } },
  ],
};

const ORVAL = `module.exports = {
  cms: {
    input: "./openapi.json",
    output: { target: "./client.ts", client: "fetch", baseUrl: process.env.CMS_URL },
  },
};`;

/** Without `nullable-type` a change of one field sends null for all others that may be null. */
const OAPI_CODEGEN = `package: client
output: client/client.go
generate: { models: true, client: true }
output-options: { nullable-type: true }
`;

const TSC =
  `"${GENERATORS}/node_modules/.bin/tsc" --noEmit --strict --target es2024 --module preserve ` +
  "--moduleResolution bundler --lib es2024,dom,dom.iterable --types node " +
  `--typeRoots "${GENERATORS}/node_modules/@types" --skipLibCheck`;

/** By generator: the program that uses its client (`.txt`, as it imports what does not exist yet), and the commands that make, check and run both. */
const CLIENTS: Record<string, { program: string; files?: Record<string, string>; run: string[] }> =
  {
    "@hey-api/openapi-ts": {
      program: "hey_api.ts.txt",
      run: [
        `"${GENERATORS}/node_modules/.bin/openapi-ts" -i openapi.json -o client ` +
        "-p @hey-api/client-fetch @hey-api/typescript @hey-api/sdk",
        `${TSC} hey_api.ts`,
        `"${Deno.execPath()}" run --allow-all --no-check --no-config --unstable-sloppy-imports hey_api.ts`,
      ],
    },
    "orval": {
      program: "orval.ts.txt",
      files: { "orval.config.cjs": ORVAL },
      run: [
        `"${GENERATORS}/node_modules/.bin/orval" --config orval.config.cjs`,
        `${TSC} orval.ts`,
        `"${Deno.execPath()}" run --allow-all --no-check --no-config --unstable-sloppy-imports orval.ts`,
      ],
    },
    "openapi-python-client": {
      program: "python_client.py",
      run: [
        `"${GENERATORS}/python/bin/openapi-python-client" generate --path openapi.json --meta none ` +
        "--output-path client",
        `"${GENERATORS}/python/bin/python" python_client.py`,
      ],
    },
    "OpenAPI Generator": {
      program: "openapi_generator.py",
      run: [
        `"${GENERATORS}/python/bin/openapi-generator-cli" generate -i openapi.json -g python -o . ` +
        "--additional-properties=packageName=client",
        `"${GENERATORS}/python/bin/python" openapi_generator.py`,
      ],
    },
    "oapi-codegen": {
      program: "main.go",
      files: { "oapi.yaml": OAPI_CODEGEN, "go.mod": "module cms\n\ngo 1.24\n" },
      run: [
        // It reads OpenAPI 3.0.
        `"${GENERATORS}/node_modules/.bin/openapi-down-convert" -i openapi.json -o openapi30.json`,
        "mkdir client",
        `"${GENERATORS}/bin/oapi-codegen" -config oapi.yaml openapi30.json`,
        "GOFLAGS=-mod=mod go mod tidy",
        "go run .",
      ],
    },
    "progenitor": {
      program: "main.rs",
      files: {
        "Cargo.toml": await Deno.readTextFile(`${PROGRAMS}Cargo.toml`),
        "progenitor_subset.py": await Deno.readTextFile(`${PROGRAMS}progenitor_subset.py`),
      },
      run: [
        `"${GENERATORS}/node_modules/.bin/openapi-down-convert" -i openapi.json -o openapi30.json`,
        "python3 progenitor_subset.py",
        `"${GENERATORS}/bin/cargo-progenitor" progenitor -i subset.json -o client -n client -v 0.1.0 ` +
        "--interface builder",
        "mkdir src && mv main.rs src",
        // What it depends on is compiled once.
        `CARGO_TARGET_DIR="${GENERATORS}/target" cargo run --quiet`,
      ],
    },
  };

for (const [name, { program, files = {}, run }] of Object.entries(CLIENTS)) {
  Deno.test({
    name: `a client made by ${name} reads and writes`,
    ignore: GENERATORS === "",
    fn: () =>
      inFolder(async (folder) => {
        await using service = await startService();
        const cms = new Client(service.origin);
        await cms.setUp(POSTS);
        const { json } = await cms.call("GET", "/api/v1/_meta");
        await Deno.writeTextFile(`${folder}/openapi.json`, JSON.stringify(json));
        await Deno.copyFile(PROGRAMS + program, `${folder}/${program.replace(".txt", "")}`);
        for (const [path, text] of Object.entries(files)) {
          await Deno.writeTextFile(`${folder}/${path}`, text);
        }
        const { success, stdout, stderr } = await new Deno.Command("bash", {
          args: [
            "-euc",
            run.map((command, n) => n === run.length - 1 ? command : `${command} >&2`).join("\n"),
          ],
          cwd: folder,
          env: { CMS_URL: service.origin, CMS_TOKEN: cms.token },
        }).output();
        const decoder = new TextDecoder();
        assert(success, decoder.decode(stderr));
        const lines = decoder.decode(stdout).trim().split("\n");
        assertEquals(lines, ["Made News 5 1 204", "NOT_FOUND"]);
      }),
  });
}
