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
import type { ArchiveStore } from '../clients/archive-store.ts';
import { BuildAbandoned, BuildFailure, type BuildPool } from './build-pool.ts';
import type { BuiltArchive } from './build-worker.ts';
import { type LanguageFolders, listLanguages } from '../languages/load-language.ts';
import { loadVersionSource } from '../clients/version-source.ts';

/** What a runner needs to claim builds and to store their results. */
export interface BuildRunnerOptions {
  db: Database;
  clock: Clock;
  /** Makes a new lease owner for each claim. */
  ids: Ids;
  archives: ArchiveStore;
  config: Pick<Config, 'goModulePrefix'>;
  logger: Logger;
  metrics: Pick<Metrics, 'countBuild'>;
  /** Maximum number of concurrent builds. */
  workers?: number;
  /** Time after which another process may claim a build whose lease is not renewed, in milliseconds. */
  leaseMs?: number;
  /** How often to look for builds of other replicas and builds with expired leases, in milliseconds. */
  pollMs?: number;
  /** Folders of the SDK languages. */
  folders?: LanguageFolders;
  /** Closed by the runner only to end builds that exceed the grace period. */
  pool: Pick<BuildPool, 'build' | 'close'>;
}

/** Runs the pending builds. The database rows are the queue, so another process continues after a crash. */
export interface BuildRunner {
  start(): Promise<void>;
  /** Looks for pending builds now. Call it after committing new rows. */
  wake(): void;
  /** Stops claiming builds, and waits at most `graceMs` for running ones. Other workers repeat the rest. */
  close(graceMs?: number): Promise<void>;
}

/**
 * Returns the maximum number of concurrent builds: one per processor, at most four. Builds run at a lower
 * priority than requests.
 */
export function buildsAtOnce(): number {
  return Math.min(4, availableParallelism());
}

/** Maximum length of an error that is stored in a row and shown to the tenant. */
const maxErrorLength = 2000;

/** Digits of a digest in the log. */
const loggedDigits = 12;

/**
 * Returns the fields of a result to log. The log redacts 64 hex digits, because they may be a key, so only
 * the first digits of a digest are logged.
 */
function loggedResult(result: BuildResult): object {
  if (result.status === 'failed') return result;
  const { sha256, ...rest } = result;
  return { ...rest, sha256Prefix: sha256.slice(0, loggedDigits) };
}

/**
 * Claims nothing before `start` or `wake`, and takes the tenants in turn. A result counts only if its claim
 * still holds the lease: a build may run twice after a crash, or if its lease could not be renewed.
 */
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
  pool,
}: BuildRunnerOptions): BuildRunner {
  const running = new Set<Promise<void>>();
  let closing = false;
  let claiming: Promise<void> | undefined;
  let wakes = 0;
  let lastTenant: string | undefined;
  let poll: NodeJS.Timeout | undefined;

  const claimAll = async (): Promise<void> => {
    while (!closing && running.size < workers) {
      const wakesBefore = wakes;
      const owner = ids.ulid();
      const row = await claimBuild(db.knex, { owner, now: clock.now(), leaseMs, after: lastTenant });
      if (row) {
        lastTenant = row.tenantId;
        const work = runClaimed(row, owner).finally(() => {
          running.delete(work);
          wake();
        });
        running.add(work);
      } else if (wakesBefore === wakes) {
        return;
      }
    }
  };

  const wake = (): void => {
    wakes += 1;
    if (closing || claiming) return;
    const wakesBefore = wakes;
    claiming = claimAll()
      .catch((error: unknown) => logger.error({ err: error }, 'cannot claim builds'))
      .finally(() => {
        claiming = undefined;
        // Handles `wake` calls that arrived after the last claim.
        if (wakesBefore !== wakes && running.size < workers) wake();
      });
  };

  /** Never rejects. Logs errors that are not failures of the build; the row is claimed again when its lease expires. */
  const runClaimed = async (row: ClientBuild, owner: string): Promise<void> => {
    const lease = { tenantId: row.tenantId, id: row.id, owner };
    const renew = async (forMs: number): Promise<void> => {
      try {
        await renewBuildLease(db.knex, { ...lease, leaseUntil: clock.now() + forMs });
      } catch (error) {
        logger.warn({ err: error, build: row.id }, 'cannot renew the lease of a build');
      }
    };
    const renewal = setInterval(() => void renew(leaseMs), leaseMs / 3);
    try {
      const result = await resultOf(row);
      if (await finishBuild(db.knex, lease, result)) {
        if (result.status === 'succeeded') await archives.removeOthers({ ...row, sha256: result.sha256 });
        metrics.countBuild(row.language, result.status);
        logger.info({ build: row.id, language: row.language, ...loggedResult(result) }, 'build finished');
      } else {
        await removeOrphan(row);
      }
    } catch (error) {
      if (error instanceof BuildAbandoned) {
        await renew(0);
      } else {
        logger.error({ err: error, build: row.id }, 'build interrupted, it will be retried');
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
    if (!source) throw new BuildFailure(`version ${row.version} no longer exists`);
    return pool.build({ source, language: row.language });
  };

  /** Deletes the archive if the client was deleted during the build. */
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
    },
  };
}
