import { ApiError } from './api-error.ts';

/** Refusals of a flow invocation before anything is run (SPEC.md, Errors, Envelope). */

/** SPEC.md's own example of a failure without a class. */
export function missingGraphId(): ApiError {
  return new ApiError(500, { accepted: false, error_message: 'graph_id is required' });
}

/** Unknown, or another tenant's. */
export function flowNotFound(): ApiError {
  return new ApiError(404, { error: 'not_found', message: 'flow not found' });
}

/** A pipeline flow has frames for a result, and a route of its own. */
export function pipelineFlowInvoked(name: string): ApiError {
  return new ApiError(400, {
    accepted: false,
    error_message: `flow "${name}" is a pipeline flow: invoke it by /v1/flows/invoke/stream`,
  });
}
