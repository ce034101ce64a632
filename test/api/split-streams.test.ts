import assert from 'node:assert/strict';
import { limits } from '../../specs/limits.ts';
import type { Frame } from '../support/event-stream.ts';
import { endOf, eventsOf, idOf, recordOf } from '../support/execution-records.ts';
import { itSlow } from '../support/fast-run.ts';
import { openRaw } from '../support/raw-connection.ts';
import { type Caller, eachService, type RunningService } from '../support/running-service.ts';
import { createSplit, type SplitStream } from '../support/split-stream.ts';
import { publishStreams, type StreamPackage } from '../support/stream-package.ts';
import { until } from '../support/until.ts';
import { openUpload } from '../support/upload.ts';

const flow = 'acme/streams/1.0.0/Flow';
const create = '/invocations/v1/nodes/streams';

eachService('split streams', (start) => {
  let service: RunningService;
  let acme: Caller;
  let streams: StreamPackage;
  let seen: string[];

  before(async () => {
    service = await start();
    acme = await service.tenant('acme');
    streams = await publishStreams(acme, 'acme');
  });
  after(async () => {
    await service.stop();
    await streams.server.stop(0);
  });
  beforeEach(() => {
    seen = [];
    streams.handlers.set('Flow', async function* (frames) {
      for await (const { text } of frames) {
        seen.push(text);
        yield { text };
      }
    });
  });

  const open = (node = flow): Promise<SplitStream> => createSplit(service.url, acme, node);
  const textsOf = (frames: Frame[]): unknown[] => frames.slice(0, -1).map(({ payload }) => payload?.text);
  const linesOf = (...texts: string[]): string =>
    texts.map((text) => `${JSON.stringify({ text })}\n`).join('');

  it('are created with an input URL and an output URL', async () => {
    const { status, body } = await acme.post(create, { node_ref: flow });
    assert.equal(status, 201);
    const url = `${service.url}${create}/${body.stream_id}`;
    assert.deepEqual(body, {
      stream_id: body.stream_id,
      input_url: `${url}/input`,
      output_url: `${url}/output`,
      expires_in: 600,
    });
    assert.match(body.stream_id, /^[0-9A-Z]{26}$/);
  });

  it('accept the id of a node', async () => {
    const { body } = await acme.get('/api/v1/packages/acme/streams/1.0.0');
    const { node_ulid } = body.nodes.find((node: { name: string }) => node.name === 'Flow');
    const stream = await open(node_ulid);
    assert.equal((await stream.upload(linesOf('a'))).body.input_frames, 1);
    assert.deepEqual(textsOf(await (await stream.read()).rest()), ['a']);
  });

  it('send all frames to every reader while the upload continues', async () => {
    const stream = await open();
    const early = await stream.read();
    assert.equal(early.status, 200);
    assert.equal(early.headers.get('content-type'), 'text/event-stream');
    const upload = openUpload();
    const answer = stream.upload(upload);
    await upload.send(linesOf('a'));
    const execution_id = idOf(early);
    const first = { execution_id, frame_index: 0, payload: { text: 'a' }, is_final: false };
    assert.deepEqual(await early.next(), first);
    const late = await stream.read();
    assert.deepEqual(await late.next(), first);
    await upload.send(linesOf('b'));
    const second = { execution_id, frame_index: 1, payload: { text: 'b' }, is_final: false };
    assert.deepEqual([await early.next(), await late.next()], [second, second]);
    upload.end();
    const last = { execution_id, frame_index: 2, is_final: true, success: true, input_frames: 2 };
    assert.deepEqual([await early.rest(), await late.rest()], [[last], [last]]);
    const { status, body } = await answer;
    assert.deepEqual([status, body], [200, { stream_id: stream.id, execution_id, input_frames: 2 }]);
    const replayed = await stream.read();
    assert.deepEqual(await replayed.rest(), [first, second, last]);
    assert.deepEqual(replayed.ids, ['0', '1', '2']);
  });

  it('are recorded with the first frame and the totals before readers receive the end', async () => {
    const stream = await open();
    const reader = await stream.read();
    assert.equal((await recordOf(acme, idOf(reader))).error, 'execution not found');
    const answer = stream.upload(linesOf('a', 'b'));
    await reader.rest();
    const record = await recordOf(acme, idOf(reader));
    assert.deepEqual([record.status, record.node_fqn], ['COMPLETED', flow]);
    const events = await eventsOf(acme, idOf(reader));
    assert.deepEqual(events[0].type, 'NODE_STARTED');
    const input = events.filter(({ type }: { type: string }) => type === 'NODE_INPUT_FRAME');
    assert.equal(input[0].frame_bytes, Buffer.from([0x0a, 1, 0x61]).toString('base64'));
    const end = events.at(-1);
    assert.deepEqual([end.type, end.input_frames, end.total_frames], ['NODE_STREAM_COMPLETE', 2, 2]);
    assert.equal((await answer).headers.get('x-execution-id'), idOf(reader));
  });

  it('are listed among the executions by the creation of the stream', async () => {
    const streams = [await open(), await open()];
    const between = await acme.post(`/invocations/v1/nodes/${flow}`, { text: 'a' });
    const uploads = [await streams[0]?.upload(linesOf('a')), await streams[1]?.upload('{')];
    const ids = [between, ...uploads.reverse()].map((answer) => answer?.headers.get('x-execution-id'));
    const { body } = await acme.get('/invocations/v1/executions?limit=3');
    const listed = body.executions as { execution_id: string; created_at: string }[];
    assert.deepEqual(
      listed.map(({ execution_id }) => execution_id),
      ids,
    );
    const times = listed.map(({ created_at }) => created_at);
    assert.deepEqual(times, times.toSorted().reverse());
  });

  it('resume after the Last-Event-ID of a reader', async () => {
    const stream = await open();
    await stream.upload(linesOf('a', 'b', 'c'));
    const reader = await stream.read('1');
    const rest = await reader.rest();
    assert.deepEqual(textsOf(rest), ['c']);
    assert.deepEqual(
      [rest.map(({ frame_index }) => frame_index), reader.ids],
      [
        [2, 3],
        ['2', '3'],
      ],
    );
    assert.deepEqual(textsOf(await (await stream.read('')).rest()), ['a', 'b', 'c']);
    assert.equal((await (await stream.read('2')).rest()).length, 1);
    const nothing = await stream.read('3');
    assert.deepEqual([nothing.status, nothing.text], [204, '']);
    for (const id of ['4', '-1', 'x', '1.5', '99999999999']) {
      const { status, text } = await stream.read(id);
      const { error_message } = JSON.parse(text) as { error_message: string };
      assert.deepEqual([status, error_message.slice(0, 13)], [400, 'Last-Event-ID'], id);
    }
  });

  itSlow('accept a complete upload without readers', async () => {
    const stream = await open();
    const texts = Array.from({ length: 5_000 }, (_, index) => `${index} ${'x'.repeat(500)}`);
    const { body } = await stream.upload(linesOf(...texts));
    assert.equal(body.input_frames, 5_000);
    assert.deepEqual(textsOf(await (await stream.read()).rest()), texts);
  }).timeout(60_000);

  itSlow('store frames that are larger than a row', async () => {
    const stream = await open();
    const texts = ['x'.repeat(3_000_000), 'y', 'é'.repeat(60_000)];
    await stream.upload(linesOf(...texts));
    assert.deepEqual(textsOf(await (await stream.read()).rest()), texts);
    assert.deepEqual(textsOf(await (await stream.read('0')).rest()), texts.slice(1));
  });

  it('do not depend on the chunks of the upload', async () => {
    const body = Buffer.from('\ufeff{"text":"é€𝄞"}\r\n\r\n \t\n{"text":"b"}');
    const stream = await open();
    const upload = openUpload();
    const answer = stream.upload(upload);
    for (const byte of body) await upload.send(Uint8Array.of(byte));
    upload.end();
    assert.equal((await answer).body.input_frames, 2);
    assert.deepEqual(textsOf(await (await stream.read()).rest()), ['é€𝄞', 'b']);
  });

  it('refuse invalid UTF-8', async () => {
    const stream = await open();
    const upload = openUpload();
    const answer = stream.upload(upload);
    await upload.send('{"text":"a"}\n');
    await upload.send(Buffer.from([...Buffer.from('{"text":"'), 0xe2, 0x82, ...Buffer.from('"}\n')]));
    upload.end();
    assert.equal((await answer).body.input_frames, 1);
    const reader = await stream.read();
    const executionId = idOf(reader);
    const last = (await reader.rest()).at(-1);
    assert.equal(last?.error, 'frame 1: invalid request body: it is not valid UTF-8');
    const types = (await eventsOf(acme, executionId)).map(({ type }: { type: string }) => type);
    assert.deepEqual([types[0], types[1], types.at(-1)], ['NODE_STARTED', 'NODE_INPUT_FRAME', 'NODE_FAILED']);
  });

  itSlow('are not blocked by a reader that stops reading', async () => {
    const stream = await open();
    const { pathname } = new URL(stream.outputUrl);
    const stuck = await openRaw(service.url);
    stuck.socket.pause();
    stuck.send(`GET ${pathname} HTTP/1.1\r\nHost: svc\r\nAuthorization: Bearer ${acme.key}\r\n\r\n`);
    const reader = await stream.read();
    const texts = Array.from({ length: 200 }, (_, index) => `${index} ${'x'.repeat(100_000)}`);
    const [{ body }, frames] = await Promise.all([stream.upload(linesOf(...texts)), reader.rest()]);
    assert.deepEqual([body.input_frames, frames.length], [200, 201]);
    stuck.socket.destroy();
  }).timeout(60_000);

  it('may be empty', async () => {
    const stream = await open();
    assert.equal((await stream.upload('\n')).body.input_frames, 0);
    const [last] = await (await stream.read()).rest();
    assert.deepEqual([last?.frame_index, last?.success, last?.input_frames], [0, true, 0]);
  });

  it('accept a single upload', async () => {
    const stream = await open();
    const upload = openUpload();
    const first = stream.upload(upload);
    await upload.send(linesOf('a'));
    await until(() => seen.length === 1);
    const text = 'the stream already has an upload: create a stream for each upload';
    for (const when of ['during', 'after']) {
      const { status, body } = await stream.upload(linesOf('b'));
      assert.deepEqual([status, body], [409, { error_message: text }], when);
      upload.end();
      assert.equal((await first).body.input_frames, 1);
    }
    assert.deepEqual(seen, ['a']);
  });

  it('accept one of two concurrent uploads', async () => {
    const stream = await open();
    const answers = await Promise.all([stream.upload(linesOf('a')), stream.upload(linesOf('a'))]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
    assert.deepEqual(textsOf(await (await stream.read()).rest()), ['a']);
  });

  itSlow(
    'accept exactly one of two concurrent uploads, even while abandoned streams are being swept',
    async () => {
      const stream = await open();
      const uploads = [openUpload(), openUpload()];
      const answers = uploads.map((upload) => stream.upload(upload));
      await Promise.all(uploads.map((upload) => upload.send(linesOf('a'))));
      await until(() => seen.length === 1);
      assert.equal((await Promise.race(answers)).status, 409);
      // The second search begins after the first one has ended what it found.
      for (let search = 0; search < 2; search += 1) {
        const abandoned = await open();
        const claim = { status: 'uploading', owner: 'dead' };
        await service.db.knex('split_streams').where({ id: abandoned.id }).update(claim);
        assert.match((await (await abandoned.read()).rest()).at(-1)?.error ?? '', /process .* has stopped/);
      }
      for (const upload of uploads) upload.end();
      const statuses = (await Promise.all(answers)).map(({ status }) => status);
      assert.deepEqual(statuses.sort(), [200, 409]);
      assert.equal((await (await stream.read()).rest()).at(-1)?.success, true);
    },
  );

  it('count the whole input, even if the node ends earlier', async () => {
    streams.handlers.set('Flow', function* () {
      yield { text: 'only' };
    });
    const stream = await open();
    const upload = openUpload();
    const answer = stream.upload(upload);
    for (let index = 0; index < 10; index += 1) await upload.send(linesOf(`${index}`));
    upload.end();
    assert.equal((await answer).body.input_frames, 10);
  });

  it('end with the error of a failed node, and acknowledge the upload', async () => {
    streams.handlers.set('Flow', async function* (frames) {
      for await (const { text } of frames) {
        if (text === 'b') throw new Error('no b');
        yield { text };
      }
    });
    const stream = await open();
    const { status, body } = await stream.upload(linesOf('a', 'b'));
    assert.deepEqual([status, body.stream_id], [200, stream.id]);
    const frames = await (await stream.read()).rest();
    assert.deepEqual([textsOf(frames), frames.at(-1)?.error], [['a'], 'no b']);
    assert.equal(frames.at(-1)?.success, undefined);
    assert.equal((await recordOf(acme, body.execution_id)).status, 'FAILED');
  });

  it('end with an error that identifies the invalid frame', async () => {
    const stream = await open();
    const { status, body } = await stream.upload(`${linesOf('a', 'b')}{"txt":1}\n${linesOf('c')}`);
    assert.deepEqual([status, body.input_frames], [200, 2]);
    const frames = await (await stream.read()).rest();
    assert.deepEqual(textsOf(frames), ['a', 'b']);
    const last = frames.at(-1);
    assert.match(last?.error ?? '', /^frame 2: invalid JSON for s\.Text: unknown field "txt"/);
    assert.deepEqual([last?.is_final, last?.success, last?.input_frames], [true, undefined, 2]);
  });

  it('refuse an upload whose first frame is invalid, and end', async () => {
    const text = 'invalid JSON for s.Text: unknown field "txt" (s.Text has text, number, kind)';
    const stream = await open();
    const reader = await stream.read();
    const { status, body, headers } = await stream.upload('{"txt":1}\n');
    assert.deepEqual([status, body], [400, { error_message: text }]);
    assert.equal(headers.get('x-execution-id'), idOf(reader));
    const execution_id = idOf(reader);
    const last = { execution_id, frame_index: 0, is_final: true, error: text, input_frames: 0 };
    assert.deepEqual(await reader.rest(), [last]);
    assert.equal((await stream.upload('{}\n')).status, 409);
    const record = await recordOf(acme, execution_id);
    assert.deepEqual(
      [record.status, record.failure_kind, record.error_message],
      ['FAILED', 'INPUT_INVALID', text],
    );
    const events = await eventsOf(acme, execution_id);
    assert.deepEqual(
      events.map(({ type }: { type: string }) => type),
      ['NODE_FAILED'],
    );
    const broken = await open();
    const upload = openUpload();
    const answer = broken.upload(upload);
    await upload.send(Buffer.from('{"text":"\xff"}\n', 'latin1'));
    upload.end();
    assert.equal((await answer).status, 400);
    assert.equal((await recordOf(acme, idOf(await broken.read()))).failure_kind, 'INPUT_INVALID');
    const ordinal = await open();
    const refused = await ordinal.upload('{"kind":9}\n');
    assert.equal(refused.status, 400);
    assert.equal((await recordOf(acme, refused.body.execution_id)).status, 'FAILED');
    assert.match((await (await ordinal.read()).rest())[0]?.error ?? '', /ordinal 9/);
  });

  it('end with an error if the container dies or is unreachable', async () => {
    const dying = await service.tenant('dying');
    const container = await publishStreams(dying, 'dying');
    const node = 'dying/streams/1.0.0/Flow';
    const stream = await createSplit(service.url, dying, node);
    const reader = await stream.read();
    const upload = openUpload();
    const answer = stream.upload(upload);
    await upload.send(linesOf('a'));
    assert.deepEqual((await reader.next())?.payload, { text: 'a' });
    await container.server.stop(0);
    assert.match((await reader.next())?.error ?? '', /^recv from node "Flow": /);
    assert.equal((await answer).status, 200);
    upload.end();
    assert.equal((await recordOf(dying, idOf(reader))).status, 'FAILED');
    const unreachable = await createSplit(service.url, dying, node);
    const { status, body } = await unreachable.upload(linesOf('a'));
    assert.equal(status, 502);
    const [last] = await (await unreachable.read()).rest();
    assert.deepEqual([last?.error, last?.input_frames], [body.error_message, 0]);
  });

  it('end with the stored frames and an error when the client disconnects during the upload', async () => {
    const stream = await open();
    const reader = await stream.read();
    const client = new AbortController();
    const upload = openUpload();
    const answer = stream.upload(upload, client.signal);
    await upload.send(linesOf('a'));
    assert.deepEqual((await reader.next())?.payload, { text: 'a' });
    client.abort();
    await assert.rejects(answer);
    const [last] = await reader.rest();
    assert.equal(last?.error, 'the upload was cut off after 1 frames');
    assert.equal((await recordOf(acme, idOf(reader))).status, 'CANCELLED');
    assert.equal((await stream.upload(linesOf('a'))).status, 409);
  });

  it('continue when the client disconnects after its last frame', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let isWhole = false;
    streams.handlers.set('Flow', async function* (frames) {
      for await (const { text } of frames) seen.push(text);
      isWhole = true;
      await held;
      yield { text: seen.join('') };
    });
    const stream = await open();
    const client = new AbortController();
    const answer = stream.upload(linesOf('a', 'b'), client.signal);
    await until(() => isWhole);
    client.abort();
    await assert.rejects(answer);
    const reader = await stream.read();
    release();
    const frames = await reader.rest();
    assert.deepEqual([textsOf(frames), frames.at(-1)?.success], [['ab'], true]);
    assert.equal((await endOf(acme, idOf(reader))).status, 'COMPLETED');
  });

  describe('are refused', () => {
    for (const [what, node_ref, status, text] of [
      [
        'unary nodes',
        'acme/streams/1.0.0/Once',
        400,
        /^node "Once" is a unary node and takes no stream: send one JSON object with POST/,
      ],
      ['generic nodes', 'acme/streams/1.0.0/Open', 400, /^node "Open" is generic/],
      ['unknown nodes', 'acme/streams/1.0.0/None', 404, /^node not found: /],
      ['unknown packages', 'acme/none/1.0.0/Flow', 404, /^node not found or not yet deployed$/],
      ['unknown ids', '01J9Z3K8Q4W5E6R7T8Y9V0B1N2', 404, /^node not found or not yet deployed$/],
      ['an invalid reference', 'acme/streams/1.0.0', 400, /^node_ref must be /],
      ['an empty reference', '', 400, /^node_ref must be /],
      ['a reference that is too long', 'a/b/c/d/e', 400, /^node_ref must be /],
    ] as const) {
      it(`for ${what}`, async () => {
        const answer = await acme.post(create, { node_ref });
        assert.equal(answer.status, status);
        assert.match(answer.body.error_message, text);
      });
    }

    it('for a body without a reference', async () => {
      const { status, body } = await acme.post(create, {});
      assert.deepEqual(
        [status, body],
        [400, { error_message: 'invalid request body: node_ref: is required' }],
      );
    });

    it('for other tenants, as if they did not exist', async () => {
      const other = await service.tenant('other');
      const { id } = await open();
      const asked = async (caller: Caller, streamId: string): Promise<unknown[]> => {
        const output = await caller.get(`${create}/${streamId}/output`);
        const input = await caller.post(`${create}/${streamId}/input`, '{}\n');
        return [output.status, output.body, input.status, input.body];
      };
      const unknown = await asked(other, '01J9Z3K8Q4W5E6R7T8Y9V0B1N2');
      assert.deepEqual(unknown, [
        404,
        { error_message: 'stream not found or expired' },
        404,
        { error_message: 'stream not found or expired' },
      ]);
      assert.deepEqual(await asked(other, id), unknown);
    });
  });

  describe('are limited', () => {
    beforeEach(() => {
      streams.handlers.set('Flow', async function* (frames) {
        let [count, bytes] = [0, 0];
        for await (const { text } of frames) [count, bytes] = [count + 1, bytes + text.length];
        yield { text: `${count} ${bytes}` };
      });
    });

    itSlow('to frames of 16 MiB', async () => {
      const limit = limits.streamInput.frameBytes;
      const line = (bytes: number): string => `{"text":"${'x'.repeat(bytes - 11)}"}\n`;
      const fits = await open();
      assert.equal((await fits.upload(`{}\n${line(limit)}`)).body.input_frames, 2);
      assert.deepEqual(textsOf(await (await fits.read()).rest()), [`2 ${limit - 11}`]);
      const over = await open();
      assert.equal((await over.upload(`{}\n${line(limit + 1)}`)).body.input_frames, 1);
      const error = `frame 1: the input exceeds the limit of ${limit} bytes`;
      assert.equal((await (await over.read()).rest()).at(-1)?.error, error);
      assert.equal((await (await open()).upload(line(limit + 1))).status, 413);
    }).timeout(120_000);

    itSlow('to 64 MiB', async () => {
      const block = `{"text":"${'x'.repeat(1_048_576 - 12)}"}\n`;
      const fits = await open();
      assert.equal((await fits.upload(block.repeat(64))).body.input_frames, 64);
      const over = await open();
      const refused = await over.upload(`${block.repeat(64)}\n`);
      assert.deepEqual([refused.status, refused.body.max_bytes], [413, limits.streamInput.bytes]);
      const piecewise = await open();
      const upload = openUpload();
      const answer = piecewise.upload(upload);
      for (let index = 0; index < 64; index += 1) await upload.send(block);
      await upload.send('\n').catch(() => undefined);
      upload.end();
      assert.equal((await answer).status, 200);
      assert.match(
        (await (await piecewise.read()).rest()).at(-1)?.error ?? '',
        /^frame 64: the stream exceeds the limit of 67108864 bytes$/,
      );
    }).timeout(180_000);

    itSlow('to 100,000 frames', async () => {
      const fits = await open();
      assert.equal((await fits.upload('{}\n'.repeat(100_000))).body.input_frames, 100_000);
      const over = await open();
      assert.equal((await over.upload('{}\n'.repeat(100_001))).body.input_frames, 100_000);
      const error = 'frame 100000: the stream exceeds the limit of 100000 frames';
      assert.equal((await (await over.read()).rest()).at(-1)?.error, error);
    }).timeout(180_000);

    itSlow('to 64 MiB of output', async () => {
      // As JSON, the text of a frame is 11 bytes shorter than the frame.
      const text = 'x'.repeat(1_048_576 - 11);
      streams.handlers.set('Flow', async function* (frames) {
        for await (const { text: given } of frames) yield { text: given === 'more' ? '' : text };
      });
      const fits = await open();
      const lines = '{}\n'.repeat(64);
      assert.equal((await fits.upload(lines)).status, 200);
      assert.equal((await (await fits.read()).rest()).at(-1)?.success, true);
      const over = await open();
      await over.upload(`${lines}{"text":"more"}\n`);
      const frames = await (await over.read()).rest();
      assert.deepEqual(
        [frames.length, frames.at(-1)?.error],
        [65, `the output exceeds the limit of ${limits.splitOutputBytes} bytes`],
      );
    }).timeout(180_000);
  });
});
