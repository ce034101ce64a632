import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '../../specs/limits.ts';
import { openEvents } from '../support/event-stream.ts';
import { itSlow } from '../support/fast-run.ts';
import { type ManualClock, manualClock } from '../support/manual-clock.ts';
import { type Caller, eachService, type RunningService } from '../support/running-service.ts';
import { postHead } from '../support/connection-scene.ts';
import { openRaw } from '../support/raw-connection.ts';
import { createSplit } from '../support/split-stream.ts';
import { publishStreams, type StreamPackage } from '../support/stream-package.ts';
import { openUpload, type Upload } from '../support/upload.ts';

const flow = 'acme/streams/1.0.0/Flow';
const lifetimeMs = 600_000;
/** Real time that a stream has left after its clock was advanced: enough for a call of the node on a busy machine. */
const leftMs = 6_000;
const blank = ' '.repeat(65_536);
const expired = { error_message: 'stream not found or expired' };

eachService('the lifetime of a split stream', (start) => {
  let service: RunningService;
  let acme: Caller;
  let streams: StreamPackage;
  let clock: ManualClock;

  beforeEach(async () => {
    // Deadlines of calls use the clock of the machine.
    clock = manualClock(Date.now());
    service = await start({ clock });
    acme = await service.tenant('acme');
    streams = await publishStreams(acme, 'acme');
  });
  afterEach(async () => {
    await service.stop();
    await streams.server.stop(0);
  });

  it('is 10 minutes from its creation, for uploads and readers', async () => {
    const stream = await createSplit(service.url, acme, flow);
    clock.advance(lifetimeMs - 1);
    assert.equal((await stream.upload('{"text":"a"}\n')).status, 200);
    assert.equal((await (await stream.read()).rest()).length, 2);
    clock.advance(1);
    const { status, text } = await stream.read();
    assert.deepEqual([status, JSON.parse(text)], [404, expired]);
  });

  it('is created by a request that is in flight when the service stops', async () => {
    const body = JSON.stringify({ node_ref: flow });
    const client = await openRaw(service.url);
    const head = postHead(
      '/invocations/v1/nodes/streams',
      body.length,
      `Authorization: Bearer ${acme.key}\r\n`,
    );
    client.send(head + body.slice(0, 1));
    // Its head has passed the gate by then.
    await pause(200);
    const stopped = service.app.drain(5_000);
    client.send(body.slice(1));
    assert.match(await client.closed, /^HTTP\/1\.1 201 [^]*"input_url":"http:\/\/127\.0\.0\.1:\d+\//);
    await stopped;
  });

  it('ends the readers of a stream without an upload', async () => {
    const stream = await createSplit(service.url, acme, flow);
    const reader = await stream.read();
    clock.advance(lifetimeMs);
    const [last] = await reader.rest();
    assert.deepEqual(
      [last?.is_final, last?.error],
      [true, 'the stream expired before its input was uploaded'],
    );
    const { status, body } = await stream.upload('{"text":"a"}\n');
    assert.deepEqual([status, body], [404, expired]);
  });

  it('does not end a running upload or its readers', async () => {
    const stream = await createSplit(service.url, acme, flow);
    const reader = await stream.read();
    const upload = openUpload();
    const answer = stream.upload(upload);
    await upload.send('{"text":"a"}\n');
    assert.deepEqual((await reader.next())?.payload, { text: 'a' });
    clock.advance(lifetimeMs);
    await upload.send('{"text":"b"}\n');
    assert.deepEqual((await reader.next())?.payload, { text: 'b' });
    upload.end();
    assert.equal((await answer).body.input_frames, 2);
    assert.equal((await reader.next())?.success, true);
  });

  itSlow('is 5 minutes for an upload and its node', async () => {
    streams.handlers.set('Flow', async function* (frames) {
      for await (const { text } of frames) {
        yield { text };
        await pause(60_000, undefined, { ref: false });
      }
    });
    const stream = await createSplit(service.url, acme, flow);
    const upload = openUpload();
    const answer = stream.upload(upload);
    // A blank line that no buffer between the client and the service takes: the upload has begun once it is sent.
    for (let sent = 0; sent < 8 * 1_048_576; sent += blank.length) await upload.send(blank);
    clock.advance(limits.streamMs - leftMs);
    await upload.send('\n{"text":"a"}\n');
    const frames = await (await stream.read()).rest();
    assert.deepEqual(
      [frames[0]?.payload, frames[1]?.error],
      [{ text: 'a' }, 'timeout waiting for pipeline result'],
    );
    assert.equal((await answer).status, 200);
    upload.end();
  });

  describe('whose node has ended while the upload stalls', () => {
    beforeEach(() => {
      streams.handlers.set('Flow', function* () {
        yield { text: 'only' };
      });
    });

    /** The result for a client that uploads one frame and then stalls. */
    const answers = {
      'an upload': async (upload: Upload): Promise<unknown> => {
        const stream = await createSplit(service.url, acme, flow);
        const { body } = await stream.upload(upload);
        const last = (await (await stream.read()).rest()).at(-1);
        assert.equal(body.input_frames, 1);
        return [last?.success, last?.input_frames];
      },
      'streamed input in one call': async ({ body }: Upload): Promise<unknown> => {
        const answer = await openEvents(`${service.url}/invocations/v1/nodes/${flow}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${acme.key}`, 'content-type': 'application/x-ndjson' },
          body,
          duplex: 'half',
        });
        const last = (await answer.rest()).at(-1);
        return [last?.success, last?.input_frames];
      },
    };
    for (const [what, answerOf] of Object.entries(answers)) {
      itSlow(`is also 5 minutes: ${what}`, async () => {
        const upload = openUpload();
        const answer = answerOf(upload);
        for (let sent = 0; sent < 8 * 1_048_576; sent += blank.length) await upload.send(blank);
        clock.advance(limits.streamMs - leftMs);
        await upload.send('\n{"text":"a"}\n');
        assert.deepEqual(await answer, [true, 1]);
        upload.end();
      });
    }

    itSlow('ends when the service stops', async () => {
      const stream = await createSplit(service.url, acme, flow);
      const reader = await stream.read();
      const upload = openUpload();
      const answer = stream.upload(upload);
      await upload.send('{"text":"a"}\n');
      assert.deepEqual((await reader.next())?.payload, { text: 'only' });
      await service.app.drain(50);
      assert.equal((await answer).status, 200);
      assert.equal((await service.db.knex('executions').select()).length, 1);
      upload.end();
    });
  });
});
