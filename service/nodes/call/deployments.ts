import { BoundedCache } from '../../bounded-cache.ts';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../store/database.ts';
import { type Deployment, findDeployment } from '../../store/prepared/find-deployment.ts';

interface Read {
  /** Epoch milliseconds. */
  at: number;
  deployment: Promise<Deployment | undefined>;
}

/** Versions whose latest read is kept. */
const maxReads = 10_000;

/**
 * Reads deployments: who sees a package version, and where its containers answer. Both change at any time, so each caller states
 * how old an answer it accepts.
 */
export class Deployments {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #reads = new BoundedCache<string, Read>(maxReads);

  constructor({ db, clock }: { db: Database; clock: Clock }) {
    this.#db = db;
    this.#clock = clock;
  }

  /** @param maxAgeMs accepts a deployment read at most this long ago; 0 always reads the database */
  read(ownerTenantId: string, versionId: string, maxAgeMs: number): Promise<Deployment | undefined> {
    const now = this.#clock.now();
    const latest = this.#reads.get(versionId);
    if (latest && now - latest.at < maxAgeMs) return latest.deployment;
    const read: Read = { at: now, deployment: findDeployment(this.#db, ownerTenantId, versionId) };
    this.#reads.set(versionId, read);
    read.deployment.catch(() => {
      if (this.#reads.get(versionId) === read) this.#reads.delete(versionId);
    });
    return read.deployment;
  }
}
