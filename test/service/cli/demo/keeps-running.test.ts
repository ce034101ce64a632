import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { keepsRunning } from '../../../../service/cli/demo/keeps-running.ts';

/** Streams that are, or are not, connected to a terminal. */
function terminal({ stdin = true, stdout = true, env = {} }) {
  const stream = (isTTY: boolean) => Object.assign(new PassThrough(), { isTTY });
  return { env, stdin: stream(stdin), stdout: stream(stdout), stderr: stream(true) };
}

describe('the service of the demo', () => {
  it('keeps running at a terminal', () => {
    assert.equal(keepsRunning(terminal({}), undefined), true);
    assert.equal(keepsRunning(terminal({ env: { CI: 'false' } }), undefined), true);
  });

  it('exits in pipes and in CI', () => {
    for (const given of [
      { stdin: false },
      { stdout: false },
      { env: { CI: 'true' } },
      { env: { CI: '1' } },
    ]) {
      assert.equal(keepsRunning(terminal(given), undefined), false, JSON.stringify(given));
    }
  });

  it('obeys --keep and --no-keep everywhere', () => {
    assert.equal(keepsRunning(terminal({ stdin: false, stdout: false }), true), true);
    assert.equal(keepsRunning(terminal({}), false), false);
  });
});
