import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { warmUnavailable } from '../errors/warm-errors.ts';
import type { NodeTargets } from '../nodes/call/target.ts';
import type { ContainerPool } from '../nodes/container/container-pool.ts';
import type { WarmPackage } from './warm-plan.ts';
import { findWarmTargets } from './warm-targets.ts';

/** Warms packages in the background. Callers do not wait, and failures are only logged. */
export interface WarmDispatcher {
  /**
   * Queues packages of a tenant for warming. A package that is already queued is not queued again.
   *
   * @throws ApiError 503 after close
   */
  dispatch(tenantId: string, packages: readonly WarmPackage[]): void;
  /** Drops the queue and cancels the open calls. */
  close(): Promise<void>;
}

interface WarmDispatcherOptions {
  targets: Pick<NodeTargets, 'find'>;
  containers: Pick<ContainerPool, 'warm'>;
  clock: Clock;
  logger: Logger;
  /** Number of packages that are warmed concurrently. */
  atOnce?: number;
  /** Length of the queue. Further packages are dropped, which only makes their first call slower. */
  mostWaiting?: number;
  /** Time limit of one warm call, in milliseconds. */
  timeoutMs?: number;
}

/** Creates a dispatcher without work. Close it before `containers`, which it does not own. */
export function createWarmDispatcher({
  targets,
  containers,
  clock,
  logger,
  atOnce = 8,
  mostWaiting = 1_000,
  timeoutMs = 60_000,
}: WarmDispatcherOptions): WarmDispatcher {
  const waiting = new Map<string, () => Promise<void>>();
  const running = new Set<Promise<void>>();
  const closing = new AbortController();

  const warm = async (tenantId: string, { name, nodes }: WarmPackage): Promise<void> => {
    for (const { endpoint, nodes: names, ...access } of await findWarmTargets(targets, tenantId, nodes)) {
      const options = { deadlineMs: clock.now() + timeoutMs, signal: closing.signal, ...access };
      const outcome = await containers.warm(endpoint, { tenantId, nodes: names }, options);
      if (outcome.kind === 'failed') {
        logger.debug({ package: name, reason: outcome.message }, 'a container was not warmed');
      }
    }
  };

  const next = (): void => {
    const [first] = waiting;
    if (!first || running.size >= atOnce) return;
    const [key, work] = first;
    waiting.delete(key);
    const done = work()
      .catch((error: unknown) => logger.warn({ err: error }, 'warming failed'))
      .finally(() => {
        running.delete(done);
        next();
      });
    running.add(done);
    next();
  };

  return {
    dispatch: (tenantId, packages) => {
      if (closing.signal.aborted) throw warmUnavailable();
      for (const each of packages) {
        const nodes = each.nodes.map(({ nodeUlid }) => nodeUlid).join();
        const key = `${tenantId} ${each.name} ${nodes}`;
        if (waiting.size < mostWaiting) waiting.set(key, () => warm(tenantId, each));
      }
      next();
    },
    close: async () => {
      closing.abort();
      waiting.clear();
      await Promise.all(running);
    },
  };
}
