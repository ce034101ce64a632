import { type SecretStore, SecretUnreadableError } from './secret-store.ts';

/** A node, by the name that people know it by, and what it declares. */
export interface SecretUser {
  name: string;
  requiredSecrets: readonly string[];
}

export type DeclaredSecrets = { ok: true; values: Record<string, string> } | { ok: false; message: string };

/**
 * The secrets that a node declares, for a call of it by a tenant; or why the call cannot be made: a node never runs without one
 * of them (SPEC.md, Instances). Reads nothing for a node that declares none, and answers at once.
 *
 * @param secrets absent: nobody has any
 */
export function declaredSecrets(
  secrets: Pick<SecretStore, 'values'> | undefined,
  tenantId: string,
  node: SecretUser,
): DeclaredSecrets | Promise<DeclaredSecrets> {
  return node.requiredSecrets.length === 0 ? { ok: true, values: {} } : readSecrets(secrets, tenantId, node);
}

async function readSecrets(
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

/** @param node what needs them, as people know it */
export function secretsMissing(node: string, missing: readonly string[]): string {
  const [names, are, them] =
    missing.length === 1
      ? [`the secret "${missing.join()}"`, 'is', 'it']
      : [`the secrets ${missing.map((secret) => `"${secret}"`).join(', ')}`, 'are', 'them'];
  return `node "${node}" needs ${names}, which ${are} not configured: the operator sets ${them} with svc secret set`;
}
