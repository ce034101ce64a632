import assert from 'node:assert/strict';
import { type Caller, type RunningService, startService } from '../support/running-service.ts';
import { publishStreams, type StreamPackage } from '../support/stream-package.ts';

const nodes = '/invocations/v1/nodes/acme/streams/1.0.0';

describe('a request with Content-Encoding', () => {
  let service: RunningService;
  let acme: Caller;
  let streams: StreamPackage;
  before(async () => {
    service = await startService();
    acme = await service.tenant('acme');
    streams = await publishStreams(acme, 'acme');
  });
  after(async () => {
    await service.stop();
    await streams.server.stop(0);
  });

  const text = 'Content-Encoding "gzip" is not supported: send the body uncompressed, without this header';
  const send = (path: string, encoding = 'gzip') => acme.post(path, '{}', { 'content-encoding': encoding });

  const refusals: Record<string, object | string> = {
    '/api/v1/clients': { error: text },
    '/invocations/v1/flows/invoke': { error: 'unsupported_encoding', message: text },
    [`${nodes}/Once`]: { error_message: text },
    '/api/adapters/preview': text,
  };
  for (const [path, expected] of Object.entries(refusals)) {
    it(`is refused with 415 for gzip at ${path}`, async () => {
      const answer = await send(path);
      assert.deepEqual([answer.status, answer.body], [415, expected]);
      assert.equal(answer.headers.get('accept-encoding'), 'identity');
      if (typeof expected === 'object') assert.equal(answer.envelope?.code, 'unsupported_encoding');
    });
  }

  it('is accepted for identity', async () => {
    assert.equal((await send(`${nodes}/Once`, 'Identity')).status, 200);
  });
});
