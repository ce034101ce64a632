import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { createLogger } from '../../service/logging/create-logger.ts';
import { openRaw, type RawConnection } from '../support/raw-connection.ts';
import { type Caller, type RunningService, startService } from '../support/running-service.ts';
import { publishStreams, type StreamPackage } from '../support/stream-package.ts';
import { until } from '../support/until.ts';

describe('an upload that its client aborts', () => {
  let service: RunningService;
  let acme: Caller;
  let streams: StreamPackage;
  let log: string;
  before(async () => {
    const destination = new Writable({
      write: (chunk, _encoding, done) => {
        log += String(chunk);
        done();
      },
    });
    service = await startService({}, { logger: createLogger({ level: 'info', destination }) });
    acme = await service.tenant('acme');
    streams = await publishStreams(acme, 'acme');
  });
  after(async () => {
    await service.stop();
    await streams.server.stop(0);
  });

  const cuts: Record<string, (client: RawConnection) => unknown> = {
    'by closing the connection': ({ socket }) => socket.end(),
    'by resetting the connection': ({ socket }) => socket.resetAndDestroy(),
  };
  for (const [title, cut] of Object.entries(cuts)) {
    it(`is logged in one line without a stack trace: ${title}`, async () => {
      log = '';
      let seen = false;
      streams.handlers.set('Flow', async function* (frames) {
        for await (const frame of frames) {
          seen = true;
          yield frame;
        }
      });
      const client = await openRaw(service.url);
      const frame = '{"text":"a"}\n';
      client.send(
        'POST /invocations/v1/nodes/acme/streams/1.0.0/Flow HTTP/1.1\r\nHost: svc\r\n' +
          `Authorization: Bearer ${acme.key}\r\nContent-Type: application/x-ndjson\r\n` +
          `Transfer-Encoding: chunked\r\n\r\n${frame.length.toString(16)}\r\n${frame}\r\n`,
      );
      await until(() => seen);
      cut(client);
      await until(() => log.includes('a client closed its upload'));
      const lines = log
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      assert.deepEqual(
        lines.map(({ level, msg, err }) => [level, msg, err]),
        [[30, 'a client closed its upload', undefined]],
      );
    });
  }
});
