import { BoundedCache } from '../../bounded-cache.ts';
import type { DeploymentTokens } from '../../access/secrets/deployment-tokens.ts';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../store/database.ts';
import { type Deployment as StoredDeployment, findDeployment } from '../../store/prepared/find-deployment.ts';

/** Who may see a version, and the endpoint of its containers. */
export interface Deployment extends Omit<StoredDeployment, 'sealedToken'> {
  /** The token that the containers expect. */
  token?: string;
  /** The token was encrypted with another key, so containers would refuse the calls. */
  tokenUnreadable?: boolean;
}

/** What is needed to read deployments and to decrypt their tokens. */
export interface DeploymentsOptions {
  db: Database;
  clock: Clock;
  tokens: Pick<DeploymentTokens, 'open'>;
}

interface Read {
  /** Epoch milliseconds. */
  at: number;
  deployment: Promise<Deployment | undefined>;
}

/** Maximum number of versions whose latest read is cached. */
const maxReads = 10_000;

/**
 * Reads deployments: who may see a package version, and the endpoint of its containers. Both may change at
 * any time, so each caller states how stale a result it accepts.
 */
export class Deployments {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #tokens: Pick<DeploymentTokens, 'open'>;
  #reads = new BoundedCache<string, Read>(maxReads);

  constructor({ db, clock, tokens }: DeploymentsOptions) {
    this.#db = db;
    this.#clock = clock;
    this.#tokens = tokens;
  }

  /** Makes the next read of each version use the database, because deployments have changed. */
  forget(): void {
    this.#reads = new BoundedCache<string, Read>(maxReads);
  }

  /** @param maxAgeMs accepts a deployment read at most this long ago; 0 always reads the database */
  read(ownerTenantId: string, versionId: string, maxAgeMs: number): Promise<Deployment | undefined> {
    const now = this.#clock.now();
    const latest = this.#reads.get(versionId);
    if (latest && now - latest.at < maxAgeMs) return latest.deployment;
    const read: Read = { at: now, deployment: this.#find(ownerTenantId, versionId) };
    this.#reads.set(versionId, read);
    read.deployment.catch(() => {
      if (this.#reads.get(versionId) === read) this.#reads.delete(versionId);
    });
    return read.deployment;
  }

  async #find(tenantId: string, id: string): Promise<Deployment | undefined> {
    const found = await findDeployment(this.#db, tenantId, id);
    if (!found) return undefined;
    const { sealedToken, ...deployment } = found;
    if (sealedToken === null) return deployment;
    const token = this.#tokens.open({ tenantId, id }, sealedToken);
    return token === undefined ? { ...deployment, tokenUnreadable: true } : { ...deployment, token };
  }
}
