import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { warmUnavailable } from '../errors/warm-errors.ts';
import type { ContainerPool } from '../nodes/container/container-pool.ts';
import type { Database } from '../store/database.ts';
import type { WarmPackage } from './warm-plan.ts';
import { findWarmTargets } from './warm-targets.ts';

/** Warms packages behind the callers' backs: nobody waits, and what fails is found out by the call that comes later. */
export interface WarmDispatcher {
  /**
   * Takes packages to be warmed for a tenant; those that already wait for it are not taken twice.
   *
   * @throws ApiError 503 once it is closed
   */
  dispatch(tenantId: string, packages: readonly WarmPackage[]): void;
  /** Takes no more, forgets what waits, and cancels the calls under way. */
  close(): Promise<void>;
}

export interface WarmDispatcherOptions {
  db: Database;
  containers: Pick<ContainerPool, 'warm'>;
  clock: Clock;
  logger: Logger;
  /** Packages being warmed at once; the others wait. */
  atOnce?: number;
  /** Packages that may wait; further ones are left cold, which harms nobody but their first caller. */
  mostWaiting?: number;
  /** How long a container may take to get ready, milliseconds. */
  timeoutMs?: number;
}

export function createWarmDispatcher({
  db,
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
    for (const target of await findWarmTargets(db, tenantId, nodes)) {
      const options = { deadlineMs: clock.now() + timeoutMs, signal: closing.signal };
      const outcome = await containers.warm(target.endpoint, { tenantId, nodes: target.nodes }, options);
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
