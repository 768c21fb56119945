/**
 * A transfer of a table into a started service: rows a second of the analysis and of the run, and memory, beside the
 * same documents by bulk requests to another one.
 *
 *     deno run -A tests/bench/transfer.ts [rows] [bytes of a text]
 *
 * @module
 */
import { createByBulk } from "./bulk_create.ts";
import { Articles } from "./content/articles.ts";
import { type StartedService, startService } from "./service/started_service.ts";

const ROWS = Number(Deno.args[0] ?? 100_000);
const BYTES = Number(Deno.args[1] ?? 500);
/** How often memory and state are looked at, milliseconds. */
const EVERY_MS = 200;
/** Columns of the table, and the fields that the plan makes of them. */
const COLUMNS = ["id", "title", "summary", "body", "section", "rating", "eventAt"] as const;

type Row = Record<typeof COLUMNS[number], string | number>;

function* rows(): Generator<Row> {
  const articles = new Articles(1);
  for (let n = 0; n < ROWS; n++) {
    const { summary, section, rating, eventAt } = articles.next(100);
    const { title, body } = articles.nextPlain(BYTES);
    const at = new Date(eventAt * 1000).toISOString();
    yield { id: `r${n}`, title: `${title} ${n}`, summary, body, section, rating, eventAt: at };
  }
}

async function writeTable(path: string): Promise<number> {
  using file = await Deno.open(path, { create: true, write: true });
  const writer = file.writable.getWriter();
  const encoder = new TextEncoder();
  const cell = (value: string | number) => `"${String(value).replaceAll('"', '""')}"`;
  await writer.write(encoder.encode(`${COLUMNS.join(",")}\n`));
  for (const row of rows()) {
    await writer.write(encoder.encode(`${COLUMNS.map((name) => cell(row[name])).join(",")}\n`));
  }
  await writer.close();
  return (await Deno.stat(path)).size;
}

/** What a part of the work has taken. */
interface Taken {
  seconds: number;
  processorSeconds: number;
  /** The most memory, and how much more than before, megabytes. */
  peak: number;
  more: number;
}

/** Works until `isDone`, and looks at memory meanwhile. */
async function watched(
  service: StartedService,
  work: () => Promise<void>,
  isDone: () => Promise<boolean>,
): Promise<Taken> {
  const before = await service.memory();
  const processorBefore = await service.processorSeconds();
  const startedAt = performance.now();
  let [peak, isWorking] = [before, true];
  const watching = (async () => {
    while (isWorking) {
      peak = Math.max(peak, await service.memory());
      await new Promise((done) => setTimeout(done, EVERY_MS));
    }
  })();
  await work();
  while (!await isDone()) await new Promise((done) => setTimeout(done, EVERY_MS));
  const seconds = (performance.now() - startedAt) / 1000;
  isWorking = false;
  await watching;
  const processorSeconds = await service.processorSeconds() - processorBefore;
  return { seconds, processorSeconds, peak, more: peak - before };
}

function shown(name: string, { seconds, processorSeconds, peak, more }: Taken) {
  return {
    work: name,
    "rows a second": Math.round(ROWS / seconds),
    seconds: seconds.toFixed(1),
    "processor ms a row": (processorSeconds * 1000 / ROWS).toFixed(3),
    "memory, MB": peak,
    "more, MB": more,
  };
}

async function transferred(table: string): Promise<ReturnType<typeof shown>[]> {
  const service = await startService();
  const { origin, cookie } = service;
  const call = async (method: string, path: string, body?: BodyInit) => {
    const headers = { cookie, origin, ...(typeof body === "string" && JSON_TYPE) };
    const init = { method, headers, ...(body !== undefined && { body }) };
    const response = await fetch(`${origin}/api/admin/transfers${path}`, init);
    if (!response.ok) throw new Error(await response.text());
    return await response.json();
  };
  try {
    let id = "";
    const isIn = (state: string) => async () => {
      const transfer = await call("GET", `/${id}`);
      if (transfer.state === "failed") throw new Error(transfer.error);
      return transfer.state === state;
    };
    const form = new FormData();
    form.set("file", new File([await Deno.readFile(table)], "posts.csv"));
    const analysis = await watched(
      service,
      async () => void ({ id } = await call("POST", "", form)),
      isIn("planned"),
    );
    const run = await watched(
      service,
      async () => void await call("POST", `/${id}/run`, "{}"),
      isIn("done"),
    );
    const { report } = await call("GET", `/${id}`);
    if (report.created !== ROWS) throw new Error(JSON.stringify(report));
    const again = await watched(
      service,
      async () => void await call("POST", `/${id}/run`, "{}"),
      isIn("done"),
    );
    return [
      shown("upload and analysis", analysis),
      shown("run", run),
      shown("run again, nothing changed", again),
    ];
  } finally {
    await service.stop();
  }
}

const JSON_TYPE = { "content-type": "application/json" };

/** The same documents by bulk requests. */
async function byBulk(): Promise<ReturnType<typeof shown>> {
  const fields = [
    { name: "summary", type: "text" },
    { name: "body", type: "text", options: { multiline: true } },
    { name: "section", type: "text" },
    { name: "rating", type: "number", indexed: true, sortable: true },
    { name: "eventAt", type: "datetime", indexed: true, sortable: true },
  ];
  const service = await startService({}, fields);
  try {
    const bodies = [...rows()].map(({ id: _, eventAt, ...row }) => ({
      ...row,
      eventAt: Date.parse(String(eventAt)) / 1000,
    }));
    const bulk = await watched(
      service,
      async () => void await createByBulk(service, bodies),
      () => Promise.resolve(true),
    );
    return shown("bulk requests", bulk);
  } finally {
    await service.stop();
  }
}

const folder = await Deno.makeTempDir({ prefix: "bench-transfer-" });
try {
  const bytes = await writeTable(`${folder}/posts.csv`);
  console.log(`${ROWS} rows, ${(bytes / 1e6).toFixed(0)} MB`);
  console.table([...await transferred(`${folder}/posts.csv`), await byBulk()]);
} finally {
  await Deno.remove(folder, { recursive: true });
}
