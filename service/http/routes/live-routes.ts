import { openLiveByPath, openLiveByUlid } from '../../../specs/operations/live.ts';
import type { Principal } from '../../access/principal.ts';
import type { QuotaUse } from '../../access/quota-use.ts';
import type { Clock } from '../../clock.ts';
import type { LiveSessions } from '../../nodes/live/live-sessions.ts';
import type { NodeReference } from '../../nodes/published-nodes.ts';
import { readTraceparent } from '../../telemetry/trace-context.ts';
import type { Answer } from '../answer/answer.ts';
import { bind, type Route } from '../bind.ts';
import { presentSessionReady } from '../present/session-ready.ts';
import { serveSession } from './serve-session.ts';
import type { RequestHeaders } from '../request-headers.ts';

interface LiveRouteOptions {
  sessions: Pick<LiveSessions, 'open' | 'check'>;
  quotaUse: QuotaUse;
  clock: Clock;
  /** Time within which a client must accept a message, in milliseconds. */
  stallMs: number;
}

interface Opening {
  principal: Principal;
  headers: RequestHeaders;
  signal: AbortSignal;
}

/** Live sessions with pipeline nodes. */
export function liveRoutes({ sessions, quotaUse, clock, stallMs }: LiveRouteOptions): Route[] {
  const open = async (
    reference: NodeReference,
    { principal, headers, signal }: Opening,
  ): Promise<Answer<typeof openLiveByUlid>> => {
    const { tenant } = principal;
    await quotaUse.requireInvocation(tenant);
    const invokedBy = readTraceparent(headers.traceparent);
    const session = await sessions.open({ tenant, reference, signal, invokedBy });
    const ready = presentSessionReady(session.executionId, { now: clock.now(), stallMs });
    return {
      status: 101,
      kind: 'socket',
      onShutdown: 'finish',
      serve: (socket) => serveSession(session, { socket, ready, stallMs }),
    };
  };
  const check = async (reference: NodeReference, { tenant }: Principal): Promise<void> => {
    await quotaUse.requireInvocation(tenant);
    await sessions.check({ tenant, reference });
  };
  return [
    bind(openLiveByPath).to(
      ({ principal, params, headers, signal }) => open(params, { principal, headers, signal }),
      ({ principal, params }) => check(params, principal),
    ),
    bind(openLiveByUlid).to(
      ({ principal, params, headers, signal }) =>
        open({ ulid: params.node_ulid }, { principal, headers, signal }),
      ({ principal, params }) => check({ ulid: params.node_ulid }, principal),
    ),
  ];
}
