import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createResumeTokens } from '../../../../service/access/secrets/resume-tokens.ts';
import { withoutKeys } from '../../../../service/logging/without-keys.ts';

const pause = { tenantId: '01JD9C0XKQ5W1V9M3R7T2Y8ZBN', id: '01JD9C0XKQ5W1V9M3R7T2Y8ZBP' };

describe('resume tokens', () => {
  const key = randomBytes(32);
  const tokens = createResumeTokens(key);
  const token = tokens.sign(pause);

  it('identify their pause', () => {
    assert.deepEqual(tokens.open(token), pause);
    assert.equal(createResumeTokens(key).sign(pause), token);
  });

  it('are invalid with another key, another pause or a changed signature', () => {
    assert.equal(createResumeTokens(randomBytes(32)).open(token), undefined);
    const signature = token.slice(-64);
    const other = { ...pause, id: pause.tenantId };
    for (const wrong of [
      '',
      `${pause.tenantId}.${pause.id}.`,
      `${other.tenantId}.${other.id}.${signature}`,
      `${pause.id}.${pause.tenantId}.${signature}`,
      token.slice(0, -1) + (token.endsWith('0') ? '1' : '0'),
      `${token}0`,
      `${token}\n`,
      token.toUpperCase(),
    ]) {
      assert.equal(tokens.open(wrong), undefined, wrong);
    }
  });

  it('are redacted in the log like keys', () => {
    assert.equal(withoutKeys(`GET /x/${token}?`), `GET /x/${pause.tenantId}.${pause.id}.[key]?`);
  });
});
