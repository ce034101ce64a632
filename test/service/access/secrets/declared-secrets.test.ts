import assert from 'node:assert/strict';
import { declaredSecrets } from '../../../../service/access/secrets/declared-secrets.ts';
import { SecretUnreadableError } from '../../../../service/access/secrets/secret-store.ts';

describe('the secrets of a call', () => {
  const stored: Record<string, string> = { A: 'one', B: 'two' };
  const values = (_: string, names: readonly string[]) =>
    Promise.resolve(
      Object.fromEntries(
        names.flatMap((name) => (Object.hasOwn(stored, name) ? [[name, stored[name]!]] : [])),
      ),
    );
  const unarmed = (_: string, names: readonly string[]) =>
    Promise.resolve(names.filter((name) => name !== 'A'));
  const secrets = { values, unarmed };
  const declared = (...requiredSecrets: string[]) =>
    declaredSecrets(secrets, 'tenant', { name: 'Send', requiredSecrets });

  it('are exactly those that the node declares', async () => {
    assert.deepEqual(await declared('A'), { ok: true, values: { A: 'one' } });
    assert.deepEqual(await declared('B', 'A'), { ok: true, values: { A: 'one', B: 'two' } });
  });

  it('are not read for a node that declares none', async () => {
    const read = () => Promise.reject(new Error('read'));
    const none = { values: read, unarmed: read };
    const node = { name: 'Plain', requiredSecrets: [] };
    assert.deepEqual(await declaredSecrets(none, 'tenant', node), { ok: true, values: {} });
  });

  it('reject the call if any are missing, and report all of them', async () => {
    assert.deepEqual(await declared('A', 'C'), {
      ok: false,
      reason: 'secret_not_configured',
      message:
        'node "Send" needs the secret "C", which is not configured: the operator sets it with svc secret set',
    });
    const several = await declared('D', 'toString');
    assert.match(
      several.ok ? '' : several.message,
      /needs the secrets "D", "toString", which are not configured/,
    );
  });

  it('reject the call of a development run if any are not armed', async () => {
    const use = { development: true };
    const given = (...requiredSecrets: string[]) =>
      declaredSecrets(secrets, 'tenant', { name: 'Send', requiredSecrets }, use);
    assert.deepEqual(await given('A'), { ok: true, values: { A: 'one' } });
    assert.deepEqual(await given('A', 'B'), {
      ok: false,
      reason: 'dev_not_armed',
      message:
        'node "Send" needs the secret "B", which is not armed for development runs: the operator arms it with svc secret arm',
    });
    const missing = await given('B', 'C');
    assert.equal(missing.ok ? '' : missing.reason, 'secret_not_configured', 'what is missing comes first');
  });

  it('reject the call if they cannot be read', async () => {
    const broken = {
      values: () => Promise.reject(new SecretUnreadableError('stored under another key')),
      unarmed,
    };
    const node = { name: 'Send', requiredSecrets: ['A'] };
    assert.deepEqual(await declaredSecrets(broken, 'tenant', node), {
      ok: false,
      reason: 'secrets_unavailable',
      message: 'stored under another key',
    });
  });
});
