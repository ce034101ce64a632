import type { Logger } from 'pino';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../store/database.ts';
import { deadReplicas } from '../../store/replicas.ts';
import { type ClaimedRun, claimRun, claimRuns, ownedRuns } from '../../store/run-claims.ts';
import type { TransientMap } from '../../transient-map.ts';
import type { LiveRun } from './live-run.ts';

export interface RunRecoveryOptions {
  db: Database;
  /** Who claims. */
  replica: string;
  /** The runs of this process, by execution id. */
  live: TransientMap<string, LiveRun>;
  maxLiveRuns: number;
  /** A replica that has been silent for so long is dead. */
  deadAfterMs: number;
  /** Goes on with a claimed run (`takeOver`), and puts it among the live ones; `undefined`: there is nothing to go on with. */
  takeUp: (claimed: ClaimedRun) => Promise<LiveRun | undefined>;
  clock: Clock;
  logger: Logger;
}

/** Finds the runs that nobody works on: queued, due, interrupted, or a dead replica's. */
export interface RunRecovery {
  /** Takes up all that there are, as far as there is room. */
  look(): Promise<void>;
  /** Something got in the way of a run of ours: it is taken up again by the next look. */
  interrupted(run: { tenantId: string; executionId: string }): void;
  /** Leaves runs that others took meanwhile: they would find out by the fence, but whoever waits for them should hear it before. */
  letGo(): Promise<void>;
  /** No further run is taken up. */
  stop(): void;
}

const claimsAtOnce = 50;

export function createRunRecovery(options: RunRecoveryOptions): RunRecovery {
  const { db, replica, live, maxLiveRuns, deadAfterMs, takeUp, clock, logger } = options;
  const interrupted = new Map<string, { tenantId: string; executionId: string }>();
  let stopped = false;

  const takeUpAll = async (claimed: readonly ClaimedRun[]): Promise<void> => {
    await Promise.all(
      claimed.map(async (each) => {
        try {
          (await takeUp(each))?.resume();
        } catch (error) {
          logger.error({ err: error, execution: each.executionId }, 'a run could not be taken up yet');
          interrupted.set(each.executionId, each);
        }
      }),
    );
  };

  return {
    look: async () => {
      for (const each of [...interrupted.values()]) {
        const claimed = await claimRun(db.knex, { ...each, replica, from: replica });
        interrupted.delete(each.executionId);
        if (claimed) await takeUpAll([claimed]);
      }
      const dead = (await deadReplicas(db.knex, deadAfterMs)).filter((id) => id !== replica);
      while (!stopped && live.size < maxLiveRuns) {
        const limit = Math.min(claimsAtOnce, maxLiveRuns - live.size);
        const claimed = await claimRuns(db.knex, { replica, dead, now: clock.now(), limit });
        await takeUpAll(claimed);
        if (claimed.length < limit) return;
      }
    },
    interrupted: (run) => {
      if (!stopped) interrupted.set(run.executionId, run);
    },
    letGo: async () => {
      const here = live.values();
      if (here.length === 0) return;
      const owned = await ownedRuns(db.knex, replica);
      for (const run of here) if (!owned.has(run.executionId)) run.lose();
    },
    stop: () => {
      stopped = true;
    },
  };
}
