import assert from 'node:assert/strict';
import { ApiError } from '../../../service/errors/api-error.ts';
import { pageCursors } from '../../../service/http/page-cursor.ts';

const refusal = (read: () => unknown): unknown => {
  try {
    read();
  } catch (error) {
    return error instanceof ApiError ? [error.status, error.body] : error;
  }
  return 'no refusal';
};

describe('page cursors', () => {
  const cursors = pageCursors(['executions', 'tenant', { statuses: [] }]);

  it('round-trip their position', () => {
    for (const position of ['0', '12-3', 'a'.repeat(64)]) {
      assert.equal(cursors.read(cursors.write(position)), position);
    }
  });

  it('are valid only for their own query', () => {
    const cursor = cursors.write('12');
    assert.equal(pageCursors(['executions', 'tenant', { statuses: [] }]).read(cursor), '12');
    for (const other of [
      ['executions', 'other', { statuses: [] }],
      ['executions', 'tenant', { statuses: ['FAILED'] }],
    ]) {
      assert.deepEqual(
        refusal(() => pageCursors(other).read(cursor)),
        [
          400,
          {
            error: 'invalid_argument',
            message:
              'cursor belongs to a query with other filters: repeat its filters, or start without a cursor',
          },
        ],
      );
    }
  });

  it('reject invalid text', () => {
    const forged = (text: string): string => Buffer.from(text).toString('base64url');
    for (const text of [
      '',
      'x',
      '%',
      forged('12'),
      forged(`${'a'.repeat(12)}.`),
      forged(`${'a'.repeat(12)}.a b`),
    ]) {
      assert.deepEqual(
        refusal(() => cursors.read(text)),
        [
          400,
          {
            error: 'invalid_argument',
            message: 'cursor is invalid: send the next_cursor of the previous page unchanged',
          },
        ],
      );
    }
  });
});
