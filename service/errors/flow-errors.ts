import { limits } from '../../specs/limits.ts';
import { ApiError } from './api-error.ts';

/** Refusals of flow invocations and of what is done to runs (SPEC.md, Errors). */

/** The graph is unknown, or another tenant's. */
export function flowNotFound(): ApiError {
  return new ApiError(404, { error: 'not_found', message: 'flow not found' });
}

/** Neither the flow nor the tenant has a config profile of that name. */
export function configProfileNotFound(configId: string): ApiError {
  return new ApiError(404, {
    error: 'not_found',
    message: `config profile "${configId}" not found: name one that the flow has, or make it with PUT /api/v1/configs/${configId}`,
  });
}

/** Pipeline flows are invoked by another route. */
export function pipelineNotInvocable(): ApiError {
  return new ApiError(400, {
    error: 'invalid_argument',
    message: 'the flow is of mode pipeline: invoke it by POST /invocations/v1/flows/invoke/stream',
  });
}

/** A node of the flow declares a secret that the tenant lacks; nothing runs without it. */
export function secretNotConfigured(message: string): ApiError {
  return new ApiError(400, { error: 'secret_not_configured', message });
}

/** A daily quota is used up; rejected before any compute runs. */
export function quotaExceeded(
  quota: 'invocations' | 'executions',
  { cap, now }: { cap: number; now: number },
): ApiError {
  const seconds = secondsToMidnight(now);
  return new ApiError(
    429,
    {
      error: 'quota_exceeded',
      message: `daily ${quota} quota exceeded (cap ${cap})`,
      retry_after_seconds: seconds,
    },
    { 'Retry-After': String(seconds) },
  );
}

/** The tenant has as many runs open as it may; rejected before any compute runs. */
export function inflightExceeded(cap: number): ApiError {
  const seconds = limits.retryAfterRateLimitSeconds;
  return new ApiError(
    429,
    {
      error: 'inflight_exceeded',
      message: `too many executions at once (cap ${cap}): wait until one has ended, or let the operator raise the cap with svc tenant limits --inflight`,
      retry_after_seconds: seconds,
    },
    { 'Retry-After': String(seconds) },
  );
}

/** How much of a quota is left cannot be told; rejected as a safety measure. */
export function quotaUnavailable(): ApiError {
  return unavailable('quota_unavailable', 'the quota service cannot be reached');
}

/** The run could not be stored. */
export function flowNotQueued(): ApiError {
  return unavailable('upstream_unavailable', 'the flow could not be queued');
}

/** A large input could not be stored. */
export function blobStorageUnavailable(): ApiError {
  return unavailable('blob_storage_unavailable', 'the input could not be stored');
}

/** The execution is over. */
export function executionNotCancellable(detail: string): ApiError {
  return new ApiError(409, { error: 'EXECUTION_NOT_CANCELLABLE', message: detail });
}

/** A branch ends with its run alone. */
export function branchNotCancellable(root: string): ApiError {
  return executionNotCancellable(`the execution is a branch of ${root}: cancel that one`);
}

function unavailable(error: string, message: string): ApiError {
  const seconds = limits.retryAfterUnavailableSeconds;
  return new ApiError(
    503,
    { error, message, retry_after_seconds: seconds },
    { 'Retry-After': String(seconds) },
  );
}

const dayMs = 86_400_000;

/** Whole seconds until the next UTC midnight, at least 1. */
function secondsToMidnight(now: number): number {
  return Math.ceil((dayMs - (now % dayMs)) / 1000);
}
