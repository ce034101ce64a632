import assert from 'node:assert/strict';
import { createLogger } from '../../../service/logging/create-logger.ts';

const key = '0123456789abcdef'.repeat(4);

interface Shown {
  type: string;
  message: string;
  cause?: Shown;
  [field: string]: unknown;
}

interface Written {
  err: Shown;
  reason: object;
  operation: string;
  msg: string;
}

describe('the log', () => {
  let lines: string[];
  const logger = createLogger({ destination: { write: (line) => void lines.push(line) } });
  const written = (): Written => JSON.parse(lines.join('')) as Written;

  beforeEach(() => {
    lines = [];
  });

  /** The error of a malformed request, as the HTTP parser makes it. */
  function parserError(): Error {
    return Object.assign(new Error('Parse Error: Invalid character in chunk size'), {
      bytesParsed: 7,
      code: 'HPE_INVALID_CHUNK_SIZE',
      reason: `Bearer ${key}`,
      rawPacket: Buffer.from(`POST / HTTP/1.1\r\nAuthorization: Bearer ${key}\r\n\r\nZZ`),
    });
  }

  it('contains only the type, message, stack and code of an error', () => {
    logger.error({ err: parserError(), operation: 'healthz' }, 'a request failed');
    const { err, operation, msg } = written();
    assert.deepEqual([operation, msg], ['healthz', 'a request failed']);
    assert.deepEqual(Object.keys(err).sort(), ['code', 'message', 'stack', 'type']);
    assert.equal(err.code, 'HPE_INVALID_CHUNK_SIZE');
  });

  it('contains the fields of a failed system call', () => {
    const error = Object.assign(new Error('connect ECONNREFUSED'), {
      errno: -111,
      code: 'ECONNREFUSED',
      syscall: 'connect',
      address: '127.0.0.1',
      port: 7001,
    });
    logger.error(error);
    const { err } = written();
    assert.deepEqual(
      [err.type, err.errno, err.syscall, err.address, err.port],
      ['Error', -111, 'connect', '127.0.0.1', 7001],
    );
  });

  it('formats errors the same way under every key', () => {
    logger.warn({ reason: parserError() });
    assert.deepEqual(Object.keys(written().reason).sort(), ['code', 'message', 'stack', 'type']);
  });

  it('formats causes the same way, and truncates a cyclic chain of causes', () => {
    const error = new Error('outer', { cause: parserError() });
    logger.error({ err: error });
    assert.deepEqual(Object.keys(written().err.cause ?? {}).sort(), ['code', 'message', 'stack', 'type']);
    lines = [];
    const endless = new Error('endless');
    endless.cause = endless;
    logger.error({ err: endless });
    assert.equal(lines.join('').split('"message":"endless"').length, 1 + 6);
  });

  it('redacts keys in messages, stacks and causes', () => {
    const cause = new Error(`svcapp_${key} is unknown`);
    logger.error({ err: new Error(`no route GET /${key.toUpperCase()}`, { cause }) });
    const { err } = written();
    assert.equal(err.message, 'no route GET /[key]');
    assert.equal(err.cause?.message, '[key] is unknown');
    assert.ok(!lines.join('').toLowerCase().includes(key));
  });

  it('omits the fields of thrown values that are not errors', () => {
    logger.error({ err: { authorization: key } });
    assert.deepEqual(written().err, { type: 'object', message: 'not an error' });
    lines = [];
    logger.error({ err: 'out of paper' });
    assert.deepEqual(written().err, { type: 'string', message: 'out of paper' });
  });
});
