import type { DeploymentTokens } from '../../service/access/secrets/deployment-tokens.ts';
import type { SecretStore } from '../../service/access/secrets/secret-store.ts';

/** Secrets of a service whose tenants have none. */
export const noSecrets: Pick<SecretStore, 'names' | 'values' | 'unarmed'> = {
  names: () => Promise.resolve(new Set()),
  values: () => Promise.resolve({}),
  unarmed: () => Promise.resolve([]),
};

/** Tokens of a service that cannot decrypt any. */
export const noTokens: Pick<DeploymentTokens, 'open'> = { open: () => undefined };
