import assert from 'node:assert/strict';
import { ApiError } from '../../../../service/errors/api-error.ts';
import { messagesOfSocket } from '../../../../service/http/request/messages-of-socket.ts';

describe('the messages of a socket', () => {
  async function* texts(blank: number) {
    await Promise.resolve();
    for (let n = 0; n < blank; n += 1) yield n % 2 === 0 ? ' ' : '';
    yield '{}';
  }

  it('may include up to a thousand blank ones', async () => {
    assert.deepEqual(await Array.fromAsync(messagesOfSocket(texts(1_000))), [{ form: 'json', text: '{}' }]);
    await assert.rejects(
      Array.fromAsync(messagesOfSocket(texts(1_001))),
      (error) => error instanceof ApiError && error.status === 400,
    );
  });
});
