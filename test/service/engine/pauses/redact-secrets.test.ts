import assert from 'node:assert/strict';
import { redactSecrets } from '../../../../service/engine/pauses/redact-secrets.ts';
import { threadMs } from '../../../../service/work/thread-time.ts';

const hidden = '[redacted]';

describe('redacting a recorded decision', () => {
  it('hides text in the format of an API key or token', () => {
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

  it('hides text in fields with secret-like names', () => {
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

  it('hides all text nested in fields with secret-like names', () => {
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

  it('keeps the digits of numbers, including in nested lists and objects', () => {
    const big = '9007199254740993';
    for (const value of [big, `[${big}]`, `{"n":[{"n":${big}}]}`]) {
      const json = `{"secret":${value},"password":"x"}`;
      assert.equal(redactSecrets(json), `{"secret":${value},"password":"${hidden}"}`);
    }
  });

  it('hides values that follow secret-like names in text', () => {
    for (const [text, shown] of [
      ['password=hunter2hunter2', `password=${hidden}`],
      ['password: hunter2hunter2', `password: ${hidden}`],
      ['api_key=abcd1234efgh', `api_key=${hidden}`],
      ['the new password: swordfish', `the new password: ${hidden}`],
      ['Passwort? Password: hunter2. Thanks', `Passwort? Password: ${hidden}. Thanks`],
      ['DB_PASSWORD = a;b,c)d next', `DB_PASSWORD = ${hidden} next`],
      ['a=1&token=xyz&b=2', `a=1&token=${hidden}&b=2`],
      ['Server=db;Password=p;Uid=ann', `Server=db;Password=${hidden};Uid=ann`],
      ['use {"clientSecret": "two words"}', `use {"clientSecret": "${hidden}"}`],
      ["'secret_key': 'x y'", `'secret_key': '${hidden}'`],
      ['Authorization: Basic YW5uOmh1bnRlcjI=', `Authorization: Basic ${hidden}`],
      ['access token: 4f9a77b2', `access token: ${hidden}`],
      ['user pwd=x, pwd: 1234', `user pwd=${hidden}, pwd: ${hidden}`],
      ['postgres://ann:hunter2@db:5432/shop', `postgres://ann:${hidden}@db:5432/shop`],
      ['secret: token: a1b2c3d4', `secret: token: ${hidden}`],
      [`api-key: ${'k3y-'.repeat(300)} next`, `api-key: ${hidden} next`],
      ['password=[redacted] and api-key: [redacted]', 'password=[redacted] and api-key: [redacted]'],
    ] as const) {
      assert.deepEqual(JSON.parse(redactSecrets(JSON.stringify({ note: text }))), { note: shown }, text);
    }
  });

  it('returns JSON without secrets unchanged', () => {
    for (const json of [
      '{ "count": 9007199254740993, "tokens": "3 words", "approved": true }',
      '{"password":"","passwords":7,"id":"0123456789abcdef0123456789abcdef"}',
      '{"text":"Bearer of news, sk-short, AKIA"}',
      '{"text":"password reset: approved. The password: please reset it. Password: required."}',
      '{"text":"authorization: granted, credentials: verified, the secret: patience"}',
      '{"text":"max_tokens: 1024, tokens=5, 3 tests pass: 1200 ms, pass=true, a secretary: Ann"}',
      '{"text":"see https://example.com:8080/a@b and mail ann@example.com"}',
      '{ "secret": { "tries": 1.0, "last": null }, "credentials": [], "2": "b", "1": "a" }',
      '"text"',
      'null',
    ]) {
      assert.equal(redactSecrets(json), json);
    }
  });

  it('takes linear time for hostile text', () => {
    const json = JSON.stringify({ text: `${'eyJ'.repeat(9_000)}-----BEGIN ${'A '.repeat(9_000)}` });
    const before = threadMs();
    assert.equal(redactSecrets(json), json);
    for (const text of [
      'password',
      'password: ',
      'password="',
      "token='a\n",
      'token:',
      'pwd: )',
      'a://b:c',
      'secret: "&a=',
    ]) {
      redactSecrets(JSON.stringify(text.repeat(65_536 / text.length)));
      redactSecrets(JSON.stringify(`password: ${text.at(-1)?.repeat(65_536)}x`));
    }
    assert.ok(threadMs() - before < 1_000);
  });
});
