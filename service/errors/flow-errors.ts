import { ApiError } from './api-error.ts';
import { tooMany, unavailable } from './retry-later.ts';

/** Unlike other invalid bodies, a missing `graph_id` has the status 500: that is part of the public contract. */
export function missingGraphId(): ApiError {
  return new ApiError(500, 'invalid_body', { accepted: false, error_message: 'graph_id is required' });
}

/** The graph is unknown or belongs to another tenant. */
export function flowNotFound(): ApiError {
  return new ApiError(404, 'not_found', { error: 'not_found', message: 'flow not found' });
}

/** Neither the flow nor the tenant has the config profile. */
export function configProfileNotFound(configId: string): ApiError {
  return new ApiError(404, 'not_found', {
    error: 'not_found',
    message: `config profile "${configId}" not found: use a profile of the flow, or create it with PUT /api/v1/configs/${configId}`,
  });
}

/** The result of a pipeline flow is a stream; the result of a unary flow is one message. */
export function invokedInOtherMode(mode: 'unary' | 'pipeline'): ApiError {
  const path = mode === 'pipeline' ? '/invocations/v1/flows/invoke/stream' : '/invocations/v1/flows/invoke';
  return new ApiError(400, 'invalid_argument', {
    error: 'invalid_argument',
    message: `the flow has mode ${mode}: invoke it with POST ${path}`,
    mode,
  });
}

const mockedText = 'mocked artifacts cannot be published: compile the flow without mocks';

/** An app key may not run a flow with mocks, because its users would mistake mocked results for real ones. */
export function mockedFlowInvoked(): ApiError {
  return new ApiError(400, 'invalid_argument', { error: 'invalid_argument', message: mockedText });
}

/** A flow with mocks cannot become a member of a client or a graph of an app key. */
export function mockedFlowPublished(): ApiError {
  return new ApiError(400, 'mocked_flow', { error: mockedText });
}

/** A node of the flow requires a secret that the tenant has not configured, or that a development run may not use. */
export function secretsRefused(reason: 'secret_not_configured' | 'dev_not_armed', message: string): ApiError {
  return new ApiError(400, reason, { error: reason, message });
}

/** A secret was encrypted with another key. The request is valid, and succeeds once the operator has followed the message. */
export function secretsUnavailable(message: string): ApiError {
  return unavailable('secrets_unavailable', message);
}

/** A daily quota is exhausted. */
export function quotaExceeded(
  quota: 'invocations' | 'executions',
  { cap, now }: { cap: number; now: number },
): ApiError {
  const message = `daily ${quota} quota exceeded (cap ${cap})`;
  return tooMany('quota_exceeded', message, secondsToMidnight(now));
}

/** The tenant has reached its limit of concurrent executions. */
export function inflightExceeded(cap: number): ApiError {
  return tooMany(
    'inflight_exceeded',
    `too many concurrent executions (cap ${cap}): wait for one to end, or ask the operator to raise the cap with svc tenant limits --inflight`,
  );
}

/** The quota cannot be read, so the request is refused as a precaution. */
export function quotaUnavailable(): ApiError {
  return unavailable('quota_unavailable', 'the quota service is unavailable');
}

/** The run could not be stored. */
export function flowNotQueued(): ApiError {
  return unavailable('upstream_unavailable', 'the flow could not be queued');
}

/** A large input could not be stored. */
export function blobStorageUnavailable(): ApiError {
  return unavailable('blob_storage_unavailable', 'the input could not be stored');
}

/** The execution has ended, or is a branch. */
export function executionNotCancellable(detail: string): ApiError {
  return new ApiError(409, 'execution_not_cancellable', {
    error: 'EXECUTION_NOT_CANCELLABLE',
    message: detail,
  });
}

/** The execution to cancel has ended, perhaps because it was already cancelled. */
export function executionEnded(status: string): ApiError {
  return executionNotCancellable(`the execution is over: its status is ${status}`);
}

/** A branch cannot be cancelled without its run. */
export function branchNotCancellable(root: string): ApiError {
  return executionNotCancellable(`the execution is a branch of ${root}: cancel that execution instead`);
}

const dayMs = 86_400_000;

/** Returns the whole seconds until the next UTC midnight, at least 1. */
function secondsToMidnight(now: number): number {
  return Math.ceil((dayMs - (now % dayMs)) / 1000);
}
