import assert from 'node:assert/strict';
import { pino } from 'pino';
import { limits } from '../../specs/limits.ts';
import type { Frame } from '../support/event-stream.ts';
import { type ManualClock, manualClock } from '../support/manual-clock.ts';
import { type Caller, eachService, type RunningService } from '../support/running-service.ts';
import { openSocket, type SocketClient } from '../support/socket-client.ts';
import { until } from '../support/until.ts';
import { publishStreams, type StreamPackage } from '../support/stream-package.ts';

const live = '/invocations/v1/nodes/acme/streams/1.0.0/Flow/live';

eachService('the duration of a live session', (start) => {
  let service: RunningService;
  let acme: Caller;
  let streams: StreamPackage;
  let clock: ManualClock;
  let lines: Record<string, unknown>[];

  beforeEach(async () => {
    clock = manualClock(Date.now());
    lines = [];
    const logger = pino(
      {},
      { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
    );
    service = await start({ clock, logger });
    acme = await service.tenant('acme');
    streams = await publishStreams(acme, 'acme');
  });
  afterEach(async () => {
    await service.stop();
    await streams.server.stop(0);
  });

  const open = (): Promise<SocketClient> =>
    openSocket(service.url + live, { headers: { authorization: `Bearer ${acme.key}` } });
  /** Sends a message that the node returns as frame `index`. */
  const say = async (socket: SocketClient, index: number): Promise<void> => {
    socket.ws.send(JSON.stringify({ text: `${index}` }));
    const frame = JSON.parse((await socket.receives(index + 2))[index + 1] ?? '') as Frame;
    assert.deepEqual([frame.payload, frame.is_final], [{ text: `${index}` }, false]);
  };
  const slots = async (): Promise<number> => (await service.db.knex('live_sessions').select()).length;

  it('may reach that of a stream, and the session keeps its slot until then', async () => {
    const socket = await open();
    const minutes = limits.streamMs / 60_000;
    for (let minute = 0; minute < minutes; minute += 1) {
      await say(socket, minute);
      clock.advance(minute === minutes - 1 ? 59_999 : 60_000);
    }
    await say(socket, minutes);
    assert.equal(await slots(), 1);
    // The client ends it, not the service.
    socket.ws.close();
    assert.equal((await socket.closed).code, 1005);
  });

  it('is not negative in the log after the clock is set back', async () => {
    const socket = await open();
    await say(socket, 0);
    clock.advance(-3_600_000);
    socket.ws.close();
    const ended = () => lines.find(({ msg }) => msg === 'a live session has ended');
    await until(() => ended() !== undefined);
    const ms = ended()?.ms;
    assert.ok(typeof ms === 'number' && Number.isInteger(ms) && ms >= 0, `${String(ms)} ms`);
  });
});
