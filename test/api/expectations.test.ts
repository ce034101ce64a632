import assert from 'node:assert/strict';
import { openRaw } from '../support/raw-connection.ts';
import { type Caller, type RunningService, startService } from '../support/running-service.ts';
import { publishStreams, type StreamPackage } from '../support/stream-package.ts';

const nodes = '/invocations/v1/nodes/acme/streams/1.0.0';

describe('a request with Expect: 100-continue', () => {
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

  const head = (path: string, headers: string, key = acme.key): string =>
    `POST ${path} HTTP/1.1\r\nHost: svc\r\nAuthorization: Bearer ${key}\r\nExpect: 100-continue\r\n${headers}\r\n\r\n`;

  const refused: Record<string, [sent: () => string, status: number]> = {
    'for its key': [() => head('/api/v1/clients', 'Content-Length: 10', 'x'), 401],
    'for its length': [() => head('/api/v1/clients', 'Content-Length: 9999999'), 413],
    'for its encoding': [() => head('/api/v1/clients', 'Content-Length: 10\r\nContent-Encoding: gzip'), 415],
    'for its route': [() => head('/api/v1/nothing', 'Content-Length: 10'), 404],
    'for its node': [() => head(`${nodes}/None`, 'Content-Length: 10'), 404],
    'for its node, with NDJSON': [
      () => head(`${nodes}/None`, 'Content-Type: application/x-ndjson\r\nTransfer-Encoding: chunked'),
      404,
    ],
  };
  for (const [title, [sent, status]] of Object.entries(refused)) {
    it(`is refused without 100 Continue ${title}`, async () => {
      const client = await openRaw(service.url);
      client.send(sent());
      const answer = await client.closed;
      assert.ok(answer.startsWith(`HTTP/1.1 ${status} `), answer);
      assert.match(answer, /\r\nConnection: close\r\n/);
    });
  }

  it('receives 100 Continue before its body if it is accepted', async () => {
    for (const [path, type, body] of [
      [`${nodes}/Once`, 'application/json', '{"text":"a"}'],
      [`${nodes}/Flow`, 'application/x-ndjson', '{"text":"a"}\n'],
    ] as const) {
      const client = await openRaw(service.url);
      client.send(head(path, `Content-Type: ${type}\r\nContent-Length: ${body.length}`));
      assert.equal(
        await client.receives(/^HTTP\/1\.1 100 Continue\r\n\r\n/),
        'HTTP/1.1 100 Continue\r\n\r\n',
      );
      client.send(body);
      await client.receives(/HTTP\/1\.1 200 OK[^]*"text":"a"/);
      client.socket.destroy();
    }
  });
});
