import { type SecretStore, SecretUnreadableError } from './secret-store.ts';

/** A node with the secrets that it requires. `name` is its display name. */
export interface SecretUser {
  name: string;
  requiredSecrets: readonly string[];
}

/**
 * Why a call may not use a secret. The tenant's operator has to configure or arm it, or, with `secrets_unavailable`, the operator
 * of the service has to restore the key that encrypted it.
 */
type SecretRefusal = 'secret_not_configured' | 'dev_not_armed' | 'secrets_unavailable';

/**
 * The values of a node's secrets in plain text, by name, or why the node may not be called. `message` is the complete error text.
 */
export type DeclaredSecrets = { ok: true; values: Record<string, string> } | SecretsRefused;

interface SecretsRefused {
  ok: false;
  reason: SecretRefusal;
  message: string;
}

/** The part of the store that a call needs. */
export type SecretReader = Pick<SecretStore, 'values' | 'unarmed'>;

interface SecretUse {
  /** Development runs may use armed secrets only. Other calls ignore arming. */
  development?: boolean;
}

/**
 * Returns the secrets that a call of a node needs, or the error text if the call may not use one of them. A node never runs
 * without its secrets. For a node that requires none, returns synchronously without reading.
 */
export function declaredSecrets(
  secrets: SecretReader,
  tenantId: string,
  node: SecretUser,
  use: SecretUse = {},
): DeclaredSecrets | Promise<DeclaredSecrets> {
  return node.requiredSecrets.length === 0
    ? { ok: true, values: {} }
    : readValues(secrets, tenantId, node, use);
}

async function readValues(
  secrets: SecretReader,
  tenantId: string,
  node: SecretUser,
  { development = false }: SecretUse,
): Promise<DeclaredSecrets> {
  const { requiredSecrets } = node;
  try {
    const values = await secrets.values(tenantId, requiredSecrets);
    const missing = requiredSecrets.filter((secret) => !Object.hasOwn(values, secret));
    if (missing.length > 0) return refused('secret_not_configured', node, missing);
    const unarmed = development ? await secrets.unarmed(tenantId, requiredSecrets) : [];
    return unarmed.length > 0 ? refused('dev_not_armed', node, unarmed) : { ok: true, values };
  } catch (error) {
    if (!(error instanceof SecretUnreadableError)) throw error;
    return { ok: false, reason: 'secrets_unavailable', message: error.message };
  }
}

function refused(
  reason: Exclude<SecretRefusal, 'secrets_unavailable'>,
  { name }: SecretUser,
  secrets: readonly string[],
): SecretsRefused {
  const [names, are, them] =
    secrets.length === 1
      ? [`the secret "${secrets.join()}"`, 'is', 'it']
      : [`the secrets ${secrets.map((secret) => `"${secret}"`).join(', ')}`, 'are', 'them'];
  const needs = `node "${name}" needs ${names}, which ${are} not`;
  const message =
    reason === 'dev_not_armed'
      ? `${needs} armed for development runs: the operator arms ${them} with svc secret arm`
      : `${needs} configured: the operator sets ${them} with svc secret set`;
  return { ok: false, reason, message };
}
