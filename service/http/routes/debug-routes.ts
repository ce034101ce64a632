import { limits } from '../../../specs/limits.ts';
import { debugStream } from '../../../specs/operations/debug-stream.ts';
import { appKeyOf } from '../../access/app-key-reach.ts';
import type { Principal } from '../../access/principal.ts';
import type { Clock } from '../../clock.ts';
import { mayFollow } from '../../engine/events/may-follow.ts';
import type { Follower } from '../../engine/follow/feed.ts';
import type { Feeds } from '../../engine/follow/feeds.ts';
import { executionNotFound } from '../../errors/execution-errors.ts';
import type { Database } from '../../store/database.ts';
import { streamTurns } from '../../work/turn-budget.ts';
import type { RawJson } from '../answer/raw-json.ts';
import { bind, type Route } from '../bind.ts';
import { type ClientSocket, closeCodes } from '../upgrade/client-socket.ts';

interface DebugRouteOptions {
  db: Database;
  clock: Clock;
  feeds: Feeds<RawJson>;
}

interface Asked {
  principal: Principal;
  query: { session_id: string; decode: boolean };
}

const executionIdPattern = /^[0-9a-f]{32}$/;

/** The live events of runs. */
export function debugRoutes({ db, clock, feeds }: DebugRouteOptions): Route[] {
  const findExecution = async (principal: Principal, sessionId: string, decode: boolean) =>
    executionIdPattern.test(sessionId) && (await mayFollow(db, principal, sessionId))
      ? feeds.execution({ tenantId: principal.tenant.id, decode }, sessionId)
      : undefined;

  const find = async ({ principal, query: { session_id: sessionId, decode } }: Asked) => {
    const execution = await findExecution(principal, sessionId, decode);
    const topic = { tenantId: principal.tenant.id, name: sessionId, appKey: appKeyOf(principal) };
    const join = execution ?? (await feeds.topic(topic, decode));
    if (!join) throw executionNotFound();
    return { join, isExecution: execution !== undefined };
  };

  return [
    bind(debugStream).to(
      async (asked) => {
        const { join, isExecution } = await find(asked);
        const sessionId = asked.query.session_id;
        return {
          status: 101,
          kind: 'socket',
          onShutdown: 'close',
          serve: async (socket) => {
            await socket.send({
              type: 'SESSION_READY',
              session_id: sessionId,
              ...(isExecution && { execution_id: sessionId }),
              timestamp_ms: clock.now(),
              replay_events: limits.followReplay.events,
            });
            await sendEvents(socket, join());
          },
        };
      },
      async (asked) => {
        await find(asked);
      },
    ),
  ];
}

/** Sends events at the pace of the client. Resolves after the last one, or when the socket closes. */
async function sendEvents(
  socket: Pick<ClientSocket<RawJson>, 'send' | 'close' | 'closed'>,
  follower: Follower<RawJson>,
): Promise<void> {
  const leave = (): void => follower.leave();
  try {
    socket.closed.addEventListener('abort', leave, { once: true });
    if (socket.closed.aborted) leave();
    let step = await follower.next();
    for (; step.kind === 'messages'; step = await follower.next()) {
      await streamTurns.yieldIfSpent();
      const sent = step.messages.map((message) => socket.send(message));
      if ((await sent.at(-1)) === false) return;
    }
    if (step.kind === 'behind') socket.close(closeCodes.tryAgainLater, behind);
  } finally {
    leave();
  }
}

const behind = 'slow consumer: read the missed events from GET .../events, then connect again';
