import { availableParallelism } from 'node:os';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Ids } from '../ids.ts';
import type { Metrics } from '../metrics.ts';
import {
  type BuildResult,
  claimBuild,
  type ClientBuild,
  finishBuild,
  renewBuildLease,
} from '../store/client-builds.ts';
import { findClient } from '../store/clients.ts';
import type { Database } from '../store/database.ts';
import type { ArchiveStore } from './archive-store.ts';
import { BuildAbandoned, BuildFailure, type BuildPool, createBuildPool } from './build-pool.ts';
import type { BuiltArchive } from './build-worker.ts';
import { type LanguageFolders, listLanguages } from './load-language.ts';
import { loadVersionSource } from './version-source.ts';

export interface BuildRunnerOptions {
  db: Database;
  clock: Clock;
  ids: Ids;
  archives: ArchiveStore;
  config: Pick<Config, 'goModulePrefix'>;
  logger: Logger;
  metrics: Pick<Metrics, 'countBuild'>;
  /** Builds at once. */
  workers?: number;
  /** How long a claimed build stays with a process that no longer says that it works on it. */
  leaseMs?: number;
  /** How often rows are looked for that nobody told of: another replica's, or a dead one's. */
  pollMs?: number;
  /** Where languages are loaded from. */
  folders?: LanguageFolders;
  pool?: BuildPool;
}

/** Works pending build rows off. The rows are the queue: whatever dies, another process finds them (SPEC.md, States). */
export interface BuildRunner {
  start(): Promise<void>;
  /** New rows are committed: look at once instead of at the next poll. */
  wake(): void;
  /** Claims no more, lets running builds finish for `graceMs`, then leaves them to whoever claims them next. */
  close(graceMs?: number): Promise<void>;
}

/** One build a processor, at most four: they step back behind what else the process does. */
export function buildsAtOnce(): number {
  return Math.min(4, availableParallelism());
}

/** Failure texts are shown to the tenant and kept in a row. */
const maxErrorLength = 2000;

export function createBuildRunner({
  db,
  clock,
  ids,
  archives,
  config,
  logger,
  metrics,
  workers = buildsAtOnce(),
  leaseMs = 15_000,
  pollMs = 1_000,
  folders = {},
  pool = createBuildPool({ folders }),
}: BuildRunnerOptions): BuildRunner {
  const running = new Set<Promise<void>>();
  let closing = false;
  let claiming: Promise<void> | undefined;
  let wakes = 0;
  let poll: NodeJS.Timeout | undefined;

  const claimAll = async (): Promise<void> => {
    while (!closing && running.size < workers) {
      const heard = wakes;
      const owner = ids.ulid();
      const row = await claimBuild(db.knex, { owner, now: clock.now(), leaseMs });
      if (row) {
        const work = runClaimed(row, owner).finally(() => {
          running.delete(work);
          wake();
        });
        running.add(work);
      } else if (heard === wakes) {
        return;
      }
    }
  };

  const wake = (): void => {
    wakes += 1;
    if (closing || claiming) return;
    const heard = wakes;
    claiming = claimAll()
      .catch((error: unknown) => logger.error({ err: error }, 'builds could not be claimed'))
      .finally(() => {
        claiming = undefined;
        // Who called while the last claim was on its way out is heard now.
        if (heard !== wakes && running.size < workers) wake();
      });
  };

  /** Never rejects: what is not the build's own failure is logged, and the row is claimed again when its lease ends. */
  const runClaimed = async (row: ClientBuild, owner: string): Promise<void> => {
    const lease = { tenantId: row.tenantId, id: row.id, owner };
    const renewal = setInterval(() => {
      renewBuildLease(db.knex, { ...lease, leaseUntil: clock.now() + leaseMs }).catch((error: unknown) =>
        logger.warn({ err: error, build: row.id }, 'lease of a build could not be renewed'),
      );
    }, leaseMs / 3);
    try {
      const result = await resultOf(row);
      if (await finishBuild(db.knex, lease, result)) {
        if (result.status === 'succeeded') await archives.removeOthers({ ...row, sha256: result.sha256 });
        metrics.countBuild(row.language, result.status);
        logger.info({ build: row.id, language: row.language, ...result }, 'build finished');
      } else {
        await removeOrphan(row);
      }
    } catch (error) {
      if (error instanceof BuildAbandoned) {
        await renewBuildLease(db.knex, { ...lease, leaseUntil: clock.now() });
      } else {
        logger.error({ err: error, build: row.id }, 'build interrupted, it will be taken up again');
      }
    } finally {
      clearInterval(renewal);
    }
  };

  const resultOf = async (row: ClientBuild): Promise<BuildResult> => {
    let archive: BuiltArchive;
    try {
      archive = await buildArchive(row);
    } catch (error) {
      if (!(error instanceof BuildFailure)) throw error;
      return { status: 'failed', error: error.message.slice(0, maxErrorLength).toWellFormed() };
    }
    await archives.put({ ...row, sha256: archive.sha256 }, archive.bytes);
    return { status: 'succeeded', sha256: archive.sha256, size: archive.bytes.length };
  };

  const buildArchive = async (row: ClientBuild): Promise<BuiltArchive> => {
    if (!(await listLanguages(folders)).includes(row.language)) {
      throw new BuildFailure(`no generator for language "${row.language}" in this release`);
    }
    const source = await loadVersionSource(db.knex, row, config.goModulePrefix);
    if (!source) throw new BuildFailure(`version ${row.version} is gone`);
    return pool.build({ source, language: row.language });
  };

  /** The client was deleted while its archive was built: what the deletion could not see yet goes now. */
  const removeOrphan = async (row: ClientBuild): Promise<void> => {
    if (!(await findClient(db.knex, row.tenantId, row.clientId))) await archives.removeClient(row);
  };

  return {
    start: async () => {
      await archives.check();
      poll = setInterval(wake, pollMs);
      wake();
    },
    wake,
    close: async (graceMs = 10_000) => {
      closing = true;
      clearInterval(poll);
      await claiming;
      const grace = setTimeout(() => void pool.close(), graceMs);
      await Promise.all(running);
      clearTimeout(grace);
      await pool.close();
    },
  };
}
