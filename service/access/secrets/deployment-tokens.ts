import type { Clock } from '../../clock.ts';
import type { Tx } from '../../store/database.ts';
import { openSecret, sealSecret, tokenOwner } from './secret-cipher.ts';
import { requireSealingKey } from './sealing-key.ts';

/** The package version whose deployment has the token. */
interface DeployedVersion {
  tenantId: string;
  id: string;
}

/** Deployment tokens, which authenticate the service to containers. The API never returns them. */
export interface DeploymentTokens {
  /**
   * Encrypts a token in the transaction that stores it.
   *
   * @throws SealingKeyError if this process has an old key
   */
  seal(tx: Tx, version: DeployedVersion, token: string): Promise<Uint8Array>;
  /** Returns `undefined` for a token that was encrypted with another key. */
  open(version: DeployedVersion, sealed: Uint8Array): string | undefined;
}

/** @param key 32 bytes */
export function createDeploymentTokens(key: Uint8Array, clock: Clock): DeploymentTokens {
  return {
    seal: async (tx, version, token) => {
      await requireSealingKey(tx, { key, clock });
      return sealSecret(key, tokenOwner(version), token);
    },
    open: (version, sealed) => openSecret(key, tokenOwner(version), sealed),
  };
}
