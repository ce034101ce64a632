import type { Knex } from 'knex';
import { tenantsAndKeys } from './0001-tenants-and-keys.ts';
import { packages } from './0002-packages.ts';
import { clients } from './0003-clients.ts';
import { executions } from './0004-executions.ts';
import { graphs } from './0005-graphs.ts';
import { configs } from './0006-configs.ts';
import { runs } from './0007-runs.ts';
import { secrets } from './0008-secrets.ts';
import { graphLists } from './0009-graph-lists.ts';
import { mutations } from './0010-mutations.ts';
import { instances } from './0011-instances.ts';
import { messageTypes } from './0012-message-types.ts';
import { appKeys } from './0013-app-keys.ts';
import { armedSecrets } from './0014-armed-secrets.ts';
import { keyLog } from './0015-key-log.ts';
import { verification } from './0016-verification.ts';
import { deploymentTokens } from './0017-deployment-tokens.ts';
import { failureKinds } from './0018-failure-kinds.ts';
import { packageMetadata } from './0019-package-metadata.ts';
import { nodeSamples } from './0020-node-samples.ts';
import { pauses } from './0024-pauses.ts';
import { lateDecisions } from './0025-late-decisions.ts';
import { splitStreams } from './0026-split-streams.ts';
import { forks } from './0027-forks.ts';
import { liveSessions } from './0028-live-sessions.ts';
import { logins } from './0029-logins.ts';
import { failedNodes } from './0030-failed-nodes.ts';
import { pausesOfRuns } from './0031-pauses-of-runs.ts';
import { deletedVersions } from './0032-deleted-versions.ts';
import { clientReleases } from './0033-client-releases.ts';
import { orderedLists } from './0034-ordered-lists.ts';
import { topics } from './0035-topics.ts';

/**
 * The migrations, oldest first. A released migration never changes. Migrations cannot be reverted; restore a backup instead.
 */
export const migrations: Readonly<Record<string, Knex.Migration>> = {
  '0001-tenants-and-keys': tenantsAndKeys,
  '0002-packages': packages,
  '0003-clients': clients,
  '0004-executions': executions,
  '0005-graphs': graphs,
  '0006-configs': configs,
  '0007-runs': runs,
  '0008-secrets': secrets,
  '0009-graph-lists': graphLists,
  '0010-mutations': mutations,
  '0011-instances': instances,
  '0012-message-types': messageTypes,
  '0013-app-keys': appKeys,
  '0014-armed-secrets': armedSecrets,
  '0015-key-log': keyLog,
  '0016-verification': verification,
  '0017-deployment-tokens': deploymentTokens,
  '0018-failure-kinds': failureKinds,
  '0019-package-metadata': packageMetadata,
  '0020-node-samples': nodeSamples,
  '0024-pauses': pauses,
  '0025-late-decisions': lateDecisions,
  '0026-split-streams': splitStreams,
  '0027-forks': forks,
  '0028-live-sessions': liveSessions,
  '0029-logins': logins,
  '0030-failed-nodes': failedNodes,
  '0031-pauses-of-runs': pausesOfRuns,
  '0032-deleted-versions': deletedVersions,
  '0033-client-releases': clientReleases,
  '0034-ordered-lists': orderedLists,
  '0035-topics': topics,
};
