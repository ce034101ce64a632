import type { Logger } from 'pino';
import type { Database } from '../../store/database.ts';
import { listNodes } from '../../store/nodes.ts';
import { outlast } from '../../store/outlast.ts';
import { setVerification, type Verification } from '../../store/package-versions.ts';
import type { Description } from '../container/call-describe.ts';
import type { CheckServed, PackageReference } from '../container/served-versions.ts';
import { messageNamesOf, type TypeRegistries } from '../type-registries.ts';
import { packageDifference } from './package-difference.ts';

interface CheckServedOptions {
  db: Database;
  logger: Logger;
  types: TypeRegistries;
}

/**
 * Creates the check of new connections. It stores its result for the publisher to read. During an outage of
 * the database it retries, because streams cannot be repeated.
 */
export function createCheckServed({ db, logger, types }: CheckServedOptions): CheckServed {
  const differenceOf = async (
    { name, version, tenantId, versionId }: PackageReference,
    description: Description,
  ): Promise<string | undefined> => {
    if (description.kind === 'not_offered') return undefined;
    const nodes = await listNodes(db.knex, tenantId, versionId);
    const registry = await types.registry(db.knex, tenantId, versionId, messageNamesOf(nodes));
    return packageDifference({ name, version, nodes, registry }, description.packages);
  };

  return async (reference, endpoint, description) => {
    const { tenantId, versionId } = reference;
    try {
      const difference = await outlast(async () => {
        const found = await differenceOf(reference, description);
        const verification = verificationOf(description, found);
        await setVerification(db.knex, { tenantId, id: versionId, endpoint }, verification);
        return found;
      });
      if (difference !== undefined) {
        logger.warn({ endpoint, package: reference.name, version: reference.version }, difference);
      }
      return difference;
    } catch (error) {
      logger.error({ err: error, endpoint }, 'cannot check what a container serves');
      throw error;
    }
  };
}

function verificationOf({ kind }: Description, difference: string | undefined): Verification {
  if (kind === 'not_offered') return 'unverified';
  return difference === undefined ? 'verified' : 'mismatch';
}
