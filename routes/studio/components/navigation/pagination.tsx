/**
 * The links between the pages of a list.
 *
 * @module
 */
import { ButtonLink } from "../button.tsx";

/** "26 to 50 of 1,204 documents", and the pages before and after. */
export function Pagination(
  { paging: { page, perPage, total }, hrefOf, what }: {
    paging: { page: number; perPage: number; total: number };
    hrefOf: (page: number) => string;
    what: string;
  },
) {
  const last = Math.max(1, Math.ceil(total / perPage));
  const from = Math.min(total, (page - 1) * perPage + 1);
  const to = Math.min(total, page * perPage);
  const number = (value: number) => value.toLocaleString("en");
  return (
    <nav class="pagination" aria-label="Pages">
      <span class="muted">
        {last === 1
          ? `${number(total)} ${total === 1 ? what.replace(/s$/, "") : what}`
          : `${number(from)} to ${number(to)} of ${number(total)} ${what}`}
      </span>
      {last > 1 && (
        <span class="row">
          {page > 1 && (
            <ButtonLink size="small" href={hrefOf(page - 1)} rel="prev">Previous</ButtonLink>
          )}
          {page < last && (
            <ButtonLink size="small" href={hrefOf(page + 1)} rel="next">Next</ButtonLink>
          )}
        </span>
      )}
    </nav>
  );
}
