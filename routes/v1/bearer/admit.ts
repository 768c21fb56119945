/**
 * Admission: a request counts once against the quota of its token, also if an optimistic attempt has counted it.
 *
 * @module
 */
import type { TokenState } from "../../../kv/model/entities/token.ts";
import type { Admission } from "../../../kv/rate_limit/rate_limiter.ts";
import { Refusal } from "../../../kv/refusals.ts";
import type { Entry } from "../../../kv/store/operation.ts";
import { type BearerRequest, setQuotaHeaders } from "./bearer_call.ts";
import type { OptimisticAttempt } from "./optimistic_write.ts";

/**
 * Counts a request.
 *
 * @throws {Refusal} RATE_LIMITED if the quota is exhausted.
 */
export async function admit(
  { deps, tokens, headers }: BearerRequest,
  { token: { id, quotaPerMinute }, window }: { token: TokenState; window?: Entry | undefined },
  attempt: OptimisticAttempt | null,
): Promise<void> {
  const admission = (attempt && earlierAdmission(attempt, quotaPerMinute)) ??
    await deps.limiter.admit(`token:${id}`, quotaPerMinute, window);
  setQuotaHeaders(headers, quotaPerMinute, admission);
  if (admission.admitted) return;
  tokens.forgetUse(id);
  throw new Refusal("RATE_LIMITED", { retryAfterSeconds: admission.retryAfterSeconds });
}

/** The admission of the optimistic attempt under the current quota; null if the current quota does not allow it. */
function earlierAdmission(
  { admission, quotaPerMinute }: OptimisticAttempt,
  currentQuota: number,
): Admission | null {
  if (currentQuota === quotaPerMinute) return admission;
  const remaining = admission.remaining + currentQuota - quotaPerMinute;
  return admission.admitted && remaining >= 0 ? { ...admission, remaining } : null;
}
