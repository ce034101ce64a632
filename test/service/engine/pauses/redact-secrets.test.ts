import assert from 'node:assert/strict';
import { redactSecrets } from '../../../../service/engine/pauses/redact-secrets.ts';

const hidden = '[redacted]';

describe('a recorded decision', () => {
  it('hides text in the form of a key', () => {
    for (const secret of [
      'ab'.repeat(32),
      `svcapp_${'0f'.repeat(32)}`,
      `sk-${'aB3'.repeat(8)}`,
      `ghp_${'a1B2'.repeat(9)}`,
      `github_pat_${'a1B2'.repeat(9)}`,
      'xoxb-1234567890-abcdef',
      'AKIAIOSFODNN7EXAMPLE',
      `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.${'x'.repeat(43)}`,
      `Bearer ${'a1.B2'.repeat(6)}`,
      '-----BEGIN PRIVATE KEY-----\nMIIEvQ==\n-----END PRIVATE KEY-----',
    ]) {
      const shown = redactSecrets(JSON.stringify({ note: [`use ${secret} please`] }));
      assert.deepEqual(JSON.parse(shown), { note: [`use ${hidden} please`] }, secret);
    }
  });

  it('hides the text of fields that are named like secrets', () => {
    for (const name of [
      'password',
      'dbPassword',
      'client_secret',
      'apiKey',
      'api-key',
      'token',
      'accessToken',
      'auth_token',
    ]) {
      assert.deepEqual(
        JSON.parse(redactSecrets(JSON.stringify({ a: { [name]: 'x' } }))),
        { a: { [name]: hidden } },
        name,
      );
    }
  });

  it('hides all text below fields that are named like secrets', () => {
    const sent = {
      passwords: ['x', ['y', '']],
      credentials: { user: 'ann', tries: 3, last: null },
      name: 'ann',
    };
    assert.deepEqual(JSON.parse(redactSecrets(JSON.stringify(sent))), {
      passwords: [hidden, [hidden, '']],
      credentials: { user: hidden, tries: 3, last: null },
      name: 'ann',
    });
  });

  it('is shown as it was sent if there is no secret in it', () => {
    for (const json of [
      '{ "count": 9007199254740993, "tokens": "3 words", "approved": true }',
      '{"password":"","passwords":7,"id":"0123456789abcdef0123456789abcdef"}',
      '{"text":"Bearer of news, sk-short, AKIA"}',
      '"text"',
      'null',
    ]) {
      assert.equal(redactSecrets(json), json);
    }
  });

  it('takes linear time', () => {
    const json = JSON.stringify({ text: `${'eyJ'.repeat(9_000)}-----BEGIN ${'A '.repeat(9_000)}` });
    const before = performance.now();
    assert.equal(redactSecrets(json), json);
    assert.ok(performance.now() - before < 1_000);
  });
});
