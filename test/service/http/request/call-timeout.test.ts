import assert from 'node:assert/strict';
import { ApiError } from '../../../../service/errors/api-error.ts';
import { readCallTimeout } from '../../../../service/http/request/call-timeout.ts';

describe('the requested timeout of a direct call', () => {
  it('is a whole number of seconds up to the limit, or the default', () => {
    assert.deepEqual(['1', '300', undefined].map(readCallTimeout), [1_000, 300_000, undefined]);
  });

  for (const value of ['0', '301', '-1', '1.5', '', 'soon', '9999999999', ['1', '2']]) {
    it(`is rejected if it is ${JSON.stringify(value)}`, () => {
      assert.throws(
        () => readCallTimeout(value),
        (error) =>
          error instanceof ApiError &&
          error.status === 400 &&
          error.message.includes(
            '"header X-Timeout-Seconds: must be a whole number of seconds from 1 to 300"',
          ),
      );
    });
  }
});
