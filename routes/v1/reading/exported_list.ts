/**
 * `format=csv` and `format=ndjson` of lists: everything that the filters select, streamed page by page.
 *
 * @module
 */
import { type ListedOrLarge, readAhead } from "../../../kv/documents/read_ahead.ts";
import type { StoredDocument } from "../../../kv/documents/write.ts";
import type { ListPage, ListQuery, Position } from "../../../kv/index/query/list_query.ts";
import { PER_PAGE_MAX } from "../../../kv/limits/requests.ts";
import type { Collection } from "../../../kv/model/entities/collection.ts";
import { FRAMING_KEYS } from "../../../kv/model/entities/document.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { CSV_BOM, csvLine } from "../../../kv/model/primitives/csv_text.ts";
import { ObjectStoreUnavailable } from "../../../kv/unavailable.ts";
import { pacedAnswer } from "../../answers/paced_answer.ts";
import { asRefusal } from "../../answers/refusal_response.ts";
import type { Deps } from "../../deps/deps.ts";
import { logFault } from "../../middleware/request_log.ts";
import { parameterInvalid } from "../../query/parameters.ts";
import {
  LIST_FORMATS,
  type ListFormat,
  type Projection,
  RANK_KEYS,
} from "../../query/projection.ts";
import type { BearerCall } from "../bearer/bearer_call.ts";

/** Parameters that have no meaning where there are no pages. */
export const PAGE_PARAMETERS = ["page", "perPage", "cursor", "facets"] as const;

const CONTENT_TYPES: Readonly<Record<ListFormat, string>> = {
  csv: "text/csv; charset=utf-8",
  ndjson: "application/x-ndjson",
};

/** Documents that are read for one piece of the stream. */
const DOCUMENTS_AT_ONCE = PER_PAGE_MAX;

/** The documents of one page. */
export interface ListedPage {
  page: ListPage;
  listed: readonly ListedOrLarge[];
}

/** The form that a request asks for; null for pages. */
export function parseListFormat(values: readonly string[]): ListFormat | null {
  if (values.length === 0) return null;
  const format = LIST_FORMATS.find((one) => one === values[0]);
  if (format === undefined || values.length > 1) {
    throw parameterInvalid(`format must be one of ${LIST_FORMATS.join(", ")}`);
  }
  return format;
}

/** The pages of a query, one after the other. */
export async function* allPages<P extends ListedPage>(
  { facets: _, ...query }: ListQuery,
  read: (query: ListQuery) => Promise<P>,
): AsyncGenerator<P> {
  let after: Position | "start" | null = "start";
  while (after !== null) {
    const shown: P = await read({ ...query, after, offset: 0, limit: DOCUMENTS_AT_ONCE });
    yield shown;
    after = shown.page.next ?? null;
  }
}

/** Answers a list as a stream. */
export async function exportedList<P extends ListedPage>(
  deps: Deps,
  { http, headers }: Pick<BearerCall, "http" | "headers">,
  list: { collection: Collection; format: ListFormat; projection: Projection; etag: string },
  { pages, writerOf }: {
    pages: AsyncGenerator<P>;
    /** Serializes the documents of a page as JSON. */
    writerOf: (page: P) => (stored: StoredDocument) => string;
  },
): Promise<Response> {
  const { collection: { slug }, format, etag } = list;
  // What is wrong with the request is found out before the response starts.
  const first = await pages.next();
  const encoder = new TextEncoder();
  const lineOf = format === "ndjson" ? (text: string) => `${text}\n` : csvWriter(list);
  async function* pieces(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    try {
      if (format === "csv") yield encoder.encode(CSV_BOM + csvLine(columnsOf(list)));
      for (let page = first; !page.done; page = await pages.next()) {
        const write = writerOf(page.value);
        for await (const taken of readAhead(page.value.listed)) {
          if ("unavailable" in taken) {
            throw new ObjectStoreUnavailable(`The object of ${taken.unavailable} is missing`);
          }
          yield encoder.encode(lineOf(write(taken.stored)));
        }
      }
    } catch (error) {
      // The response is cut off: a client sees that it is not complete.
      logFault(deps.content.context.log, http, asRefusal(error));
      throw error;
    }
  }
  return new Response(pacedAnswer(ReadableStream.from(pieces())), {
    headers: {
      ...headers,
      "content-type": CONTENT_TYPES[format],
      "content-disposition": `attachment; filename="${slug}.${format}"`,
      "cache-control": "private, no-cache",
      etag,
    },
  });
}

/** The columns of a list: the keys that its documents have, in their order. */
function columnsOf({ collection, projection: { fields } }: {
  collection: Collection;
  projection: Projection;
}): string[] {
  const names = [...FRAMING_KEYS, ...collection.fields.map(({ name }) => name), "blocks"];
  if (fields === null) return names;
  return [...names, ...RANK_KEYS].filter((name) => fields.keys.has(name));
}

function csvWriter(list: Parameters<typeof columnsOf>[0]): (text: string) => string {
  const columns = columnsOf(list);
  return (text) => {
    const wire = JSON.parse(text) as Record<string, Json>;
    return csvLine(columns.map((column) => wire[column]));
  };
}
