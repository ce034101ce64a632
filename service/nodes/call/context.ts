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
  /** On a unary node that is called for each frame of a stream: the position of the frame. */
  frame?: number;
  /** The call's own span. */
  span: SpanContext;
  /** Node id. Absent on a direct call. */
  placementId?: string | undefined;
  /** The resolved config profile, a JSON object. Absent on a direct call. */
  configJson?: string | undefined;
  /** The input is a human's decision on this pause. */
  resumed?: { pauseId: string; by: string } | undefined;
}

/** Builds the context that a container receives with a call, for every call method. */
export function callContext(
  { tenantId, executionId, step, attempt, frame, span, placementId, configJson, resumed }: CallOrigin,
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
    idempotencyId: `${executionId}:${step}${frame === undefined ? '' : `:${frame}`}`,
    deadlineMs,
    secrets,
    traceparent: traceparentOf(span),
    placementId,
    configJson,
    resumedPauseId: resumed?.pauseId,
    resumedBy: resumed?.by,
    binding: target.binding,
  };
}
