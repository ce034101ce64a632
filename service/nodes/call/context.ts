import { type SpanContext, traceparentOf } from '../../telemetry/trace-context.ts';
import type { NodeCallContext } from '../container/call-context.ts';
import type { NodeTarget } from './target.ts';

/** The place of a call in its execution. */
export interface CallOrigin {
  tenantId: string;
  executionId: string;
  /** From 0. A direct call is one step. */
  step: number;
  /** From 1. */
  attempt: number;
  /** The call's own span. */
  span: SpanContext;
  /** Canvas id. Absent on a direct call. */
  placementId?: string;
  /** The resolved config profile, a JSON object. Absent on a direct call. */
  configJson?: string;
}

/** Builds the context that a container receives with a call, whatever method the call uses. */
export function callContext(
  { tenantId, executionId, step, attempt, span, placementId, configJson }: CallOrigin,
  target: NodeTarget,
  { secrets, deadlineMs }: { secrets: Record<string, string>; deadlineMs: number },
): NodeCallContext {
  return {
    executionId,
    node: target.node,
    packageName: target.package.name,
    packageVersion: target.package.version,
    tenantId,
    attempt,
    idempotencyId: `${executionId}:${step}`,
    deadlineMs,
    secrets,
    traceparent: traceparentOf(span),
    ...(placementId !== undefined && { placementId }),
    ...(configJson !== undefined && { configJson }),
    ...(target.binding && { binding: target.binding }),
  };
}
