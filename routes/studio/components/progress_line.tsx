/**
 * How far a job has come, as a bar and in words.
 *
 * @module
 */

/** The bar; `uncounted` is shown while the total is unknown. The browser's code of a page finds the words by `data-progress`. */
export function ProgressLine(
  { done, total, uncounted = "" }: { done: number; total: number; uncounted?: string },
) {
  return (
    <p class="progress-line">
      <progress
        value={total > 0 ? done : undefined}
        max={total > 0 ? total : undefined}
        aria-label="Progress"
      >
      </progress>
      <span data-progress>{total > 0 ? `${done} of ${total}` : uncounted}</span>
    </p>
  );
}
