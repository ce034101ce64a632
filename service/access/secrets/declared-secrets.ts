import { type SecretStore, SecretUnreadableError } from './secret-store.ts';

/** A node with the secrets that it requires. `name` is its display name. */
export interface SecretUser {
  name: string;
  requiredSecrets: readonly string[];
}

export type DeclaredSecrets = { ok: true; values: Record<string, string> } | { ok: false; message: string };

/**
 * Returns the secrets that a call of a node needs, or the error text if the tenant has not configured one of them. A node never runs
 * without its secrets. For a node that requires none, returns synchronously without reading.
 *
 * @param secrets undefined if no tenant has secrets
 */
export function declaredSecrets(
  secrets: Pick<SecretStore, 'values'> | undefined,
  tenantId: string,
  node: SecretUser,
): DeclaredSecrets | Promise<DeclaredSecrets> {
  return node.requiredSecrets.length === 0 ? { ok: true, values: {} } : readValues(secrets, tenantId, node);
}

async function readValues(
  secrets: Pick<SecretStore, 'values'> | undefined,
  tenantId: string,
  { name, requiredSecrets }: SecretUser,
): Promise<DeclaredSecrets> {
  try {
    const values = (await secrets?.values(tenantId, requiredSecrets)) ?? {};
    const missing = requiredSecrets.filter((secret) => !Object.hasOwn(values, secret));
    if (missing.length === 0) return { ok: true, values };
    return { ok: false, message: secretsMissing(name, missing) };
  } catch (error) {
    if (error instanceof SecretUnreadableError) return { ok: false, message: error.message };
    throw error;
  }
}

/** @param node display name of the node or flow */
function secretsMissing(node: string, missing: readonly string[]): string {
  const [names, are, them] =
    missing.length === 1
      ? [`the secret "${missing.join()}"`, 'is', 'it']
      : [`the secrets ${missing.map((secret) => `"${secret}"`).join(', ')}`, 'are', 'them'];
  return `node "${node}" needs ${names}, which ${are} not configured: the operator sets ${them} with svc secret set`;
}
