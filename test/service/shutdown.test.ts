import assert from 'node:assert/strict';
import { closeParts, UncleanStopError } from '../../service/shutdown.ts';
import { pino } from 'pino';

describe('closing the parts of the service', () => {
  it('closes all of them in order, and reports failures at the end', async () => {
    const closed: string[] = [];
    const log: string[] = [];
    const logger = pino({ level: 'error' }, { write: (line: string) => void log.push(line) });
    const away = (): Promise<void> => Promise.reject(new Error('the database is away'));
    const parts = [
      ['first', () => Promise.resolve(void closed.push('first'))],
      ['second', away],
      ['third', () => void closed.push('third')],
      ['fourth', away],
      ['fifth', () => void closed.push('fifth')],
    ] as const;
    await assert.rejects(
      closeParts(parts, logger),
      new UncleanStopError([new Error('the database is away')]),
    );
    assert.deepEqual(closed, ['first', 'third', 'fifth']);
    assert.deepEqual(
      log.map((line) => (JSON.parse(line) as { part: string }).part),
      ['second', 'fourth'],
    );
  });
});
