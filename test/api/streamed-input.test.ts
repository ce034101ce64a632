import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { type Frame, openEvents } from '../support/event-stream.ts';
import { eventually } from '../support/eventually.ts';
import { endOf, idOf, recordOf } from '../support/execution-records.ts';
import { itSlow } from '../support/fast-run.ts';
import { openSpools } from '../support/open-spools.ts';
import { type Caller, eachService, type RunningService } from '../support/running-service.ts';
import { publishStreams, type StreamPackage } from '../support/stream-package.ts';
import { until } from '../support/until.ts';
import { openUpload, type Upload } from '../support/upload.ts';

const nodes = '/invocations/v1/nodes/acme/streams/1.0.0';

eachService('streamed input in one call', (start, describeOnce) => {
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

  const open = (body: string | Upload, node = 'Flow'): ReturnType<typeof openEvents> =>
    openEvents(`${service.url}${nodes}/${node}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${acme.key}`, 'content-type': 'application/x-ndjson' },
      body: typeof body === 'string' ? body : body.body,
      duplex: 'half',
    });
  /** An upload of a client that can disconnect. */
  const openUntil = ({ body }: Upload, signal: AbortSignal): Promise<Response> =>
    fetch(`${service.url}${nodes}/Flow`, {
      method: 'POST',
      headers: { authorization: `Bearer ${acme.key}`, 'content-type': 'application/x-ndjson' },
      body,
      duplex: 'half',
      signal,
    });
  const textsOf = (frames: Frame[]): unknown[] =>
    frames.slice(0, -1).map(({ payload }) => payload.text ?? '');
  const refusal = async (body: string, node?: string): Promise<[number, string]> => {
    const { status, text } = await open(body, node);
    return [status, (JSON.parse(text) as { error_message: string }).error_message];
  };

  it('reaches the node line by line, and the response starts after the upload', async () => {
    const upload = openUpload();
    const answer = open(upload);
    let answered = false;
    void answer.then(() => (answered = true));
    await upload.send('{"text":"a"}\n{"text":');
    await until(() => seen.length === 1);
    await upload.send('"b"}\n');
    await until(() => seen.length === 2);
    assert.equal(answered, false);
    upload.end();
    const stream = await answer;
    assert.equal(stream.headers.get('content-type'), 'text/event-stream');
    const execution_id = idOf(stream);
    assert.deepEqual(await stream.rest(), [
      { execution_id, frame_index: 0, payload: { text: 'a' }, is_final: false },
      { execution_id, frame_index: 1, payload: { text: 'b' }, is_final: false },
      { execution_id, frame_index: 2, is_final: true, success: true, input_frames: 2 },
    ] satisfies Frame[]);
    assert.equal((await recordOf(acme, execution_id)).status, 'COMPLETED');
    const { events } = (await acme.get(`/invocations/v1/executions/${execution_id}/events`)).body;
    assert.deepEqual(
      [events[1].type, events[1].frame_bytes, events.at(-1).input_frames],
      ['NODE_INPUT_FRAME', Buffer.from([0x0a, 1, 0x61]).toString('base64'), 2],
    );
  });

  it('does not depend on the chunks of the upload', async () => {
    const body = Buffer.from('\r\n{"text":"é€𝄞"}\r\n \n{"text":"b"}');
    const upload = openUpload();
    const answer = open(upload);
    for (const byte of body) await upload.send(Uint8Array.of(byte));
    upload.end();
    const frames = await (await answer).rest();
    assert.deepEqual([textsOf(frames), frames.at(-1)?.input_frames], [['é€𝄞', 'b'], 2]);
  });

  it('may be empty', async () => {
    const frames = await (await open('\n\n')).rest();
    assert.deepEqual([frames.length, frames[0]?.success, frames[0]?.input_frames], [1, true, 0]);
  });

  it('is counted to its end, even if the node ends earlier', async () => {
    streams.handlers.set('Flow', async function* (frames) {
      for await (const { text } of frames) {
        yield { text };
        return;
      }
    });
    const upload = openUpload();
    const answer = open(upload);
    for (let index = 0; index < 20; index += 1) {
      await upload.send(`{"text":"${index}"}\n`);
      await pause(5);
    }
    upload.end();
    const frames = await (await answer).rest();
    assert.deepEqual([textsOf(frames), frames.at(-1)?.input_frames], [['0'], 20]);
  });

  itSlow('may have more output than is kept in memory', async () => {
    const text = 'x'.repeat(1_000_000);
    streams.handlers.set('Flow', async function* (frames) {
      for await (const frame of frames) {
        yield { text: `${frame.text}${text}` };
        seen.push(frame.text);
      }
    });
    const upload = openUpload();
    const answer = open(upload);
    for (let index = 0; index < 5; index += 1) await upload.send(`{"text":"${index}"}\n`);
    await until(() => seen.length === 5);
    upload.end();
    const frames = await (await answer).rest();
    assert.deepEqual(
      textsOf(frames),
      ['0', '1', '2', '3', '4'].map((index) => `${index}${text}`),
    );
  });

  itSlow('applies backpressure to the client while the node does not read', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    streams.handlers.set('Flow', async function* (frames) {
      await held;
      for await (const { text } of frames) if (text === 'end') yield { text };
    });
    const upload = openUpload();
    const answer = open(upload);
    const line = `{"text":"${'x'.repeat(65_536)}"}\n`;
    let sent = 0;
    const sending = (async () => {
      for (; sent < 400; sent += 1) await upload.send(line);
      await upload.send('{"text":"end"}\n');
      upload.end();
    })();
    let before = -1;
    while (before !== sent) {
      before = sent;
      await pause(300);
    }
    assert.ok(sent < 300, `${sent} of 400 lines of 64 KiB were taken although the node reads none`);
    release();
    await sending;
    assert.deepEqual(textsOf(await (await answer).rest()), ['end']);
  });

  describe('with an invalid frame', () => {
    it('is refused if the frame is the first', async () => {
      assert.deepEqual(await refusal('{"txt":1}\n'), [
        400,
        'invalid JSON for s.Text: unknown field "txt" (s.Text has text, number, kind)',
      ]);
      // The last one is what curl -d sends of a file.
      for (const lines of ['{"text"\n', '{\n"text": "a"\n}\n', '{"text":"a"}{"text":"b"}']) {
        const [status, text] = await refusal(lines);
        assert.equal(status, 400);
        assert.match(
          text,
          /^invalid JSON for s\.Text: .*: each line must be one JSON value; with curl, --data-binary keeps/,
        );
      }
      const { status, text } = await open('{"kind":9}\n');
      const { execution_id, error_message } = JSON.parse(text) as Record<string, string>;
      assert.equal(status, 400);
      assert.match(error_message ?? '', /carries enum ordinal 9/);
      assert.equal((await recordOf(acme, execution_id ?? '')).status, 'FAILED');
    });

    for (const [what, line, error] of [
      ['malformed JSON', '{"text":', /^frame 2: invalid JSON for s\.Text: /],
      ['an undeclared field', '{"txt":1}', /^frame 2: invalid JSON for s\.Text: unknown field "txt"/],
      ['an undeclared ordinal', '{"kind":9}', /^frame 2: invalid value for s\.Text: field kind carries/],
      ['too deep JSON', `{"text":${'['.repeat(400)}`, /^frame 2: invalid request body: /],
    ] as const) {
      it(`ends with an error that identifies the frame, after the earlier output: ${what}`, async () => {
        const stream = await open(`{"text":"a"}\n\n{"text":"b"}\n${line}\n{"text":"c"}\n`);
        assert.equal(stream.status, 200);
        const frames = await stream.rest();
        assert.deepEqual(textsOf(frames), ['a', 'b']);
        const last = frames.at(-1);
        assert.match(last?.error ?? '', error);
        assert.deepEqual([last?.is_final, last?.success, last?.input_frames], [true, undefined, 2]);
        const record = await recordOf(acme, idOf(stream));
        assert.equal(record.status, 'FAILED');
      });
    }

    itSlow('ends with an error if the frame is over the size limit, but not exactly at it', async () => {
      streams.handlers.set('Flow', async function* (frames) {
        for await (const { text } of frames) yield { text: `${text.length}` };
      });
      const lineOf = (bytes: number): string => `{"text":"${'x'.repeat(bytes - 11)}"}\n`;
      const limit = 16_777_216;
      const fits = await (await open(`{}\n${lineOf(limit)}`)).rest();
      assert.deepEqual([textsOf(fits), fits.at(-1)?.success], [['0', `${limit - 11}`], true]);
      const over = await (await open(`{}\n${lineOf(limit + 1)}`)).rest();
      assert.equal(over.at(-1)?.error, `frame 1: the input exceeds the limit of ${limit} bytes`);
      assert.equal((await open(lineOf(limit + 1))).status, 413);
    }).timeout(180_000);
  });

  describeOnce('is limited', () => {
    beforeEach(() => {
      streams.handlers.set('Flow', async function* (frames) {
        let count = 0;
        for await (const frame of frames) count += frame.text === '-' ? 0 : 1;
        yield { text: `${count}` };
      });
    });

    itSlow('to 64 MiB', async () => {
      const limit = 67_108_864;
      const block = `{"text":"${'x'.repeat(1_048_576 - 12)}"}\n`;
      assert.equal(block.length, 1_048_576);
      const whole = block.repeat(64);
      const fits = await (await open(whole)).rest();
      assert.deepEqual([textsOf(fits), fits.at(-1)?.input_frames], [['64'], 64]);
      // Its length is known beforehand.
      const { status, text } = await open(`${whole}\n`);
      assert.equal(status, 413);
      assert.deepEqual(JSON.parse(text), {
        error: 'payload_too_large',
        message: `the stream exceeds the limit of ${limit} bytes`,
        max_bytes: limit,
        actual_bytes: limit + 1,
      });
      const upload = openUpload();
      const answer = open(upload);
      for (let index = 0; index < 64; index += 1) await upload.send(block);
      await upload.send('\n').catch(() => undefined);
      upload.end();
      assert.match(
        (await (await answer).rest()).at(-1)?.error ?? '',
        /^frame \d+: the stream exceeds the limit of 67108864 bytes$/,
      );
    }).timeout(180_000);

    itSlow('to 100,000 frames', async () => {
      const fits = await (await open('{}\n\n'.repeat(100_000))).rest();
      assert.deepEqual([textsOf(fits), fits.at(-1)?.input_frames], [['100000'], 100_000]);
      const over = await (await open('{}\n'.repeat(100_001))).rest();
      assert.equal(over.at(-1)?.error, 'frame 100000: the stream exceeds the limit of 100000 frames');
      assert.equal(over.at(-1)?.input_frames, 100_000);
    }).timeout(180_000);
  });

  describe('is refused', () => {
    it('by unary nodes', async () => {
      assert.deepEqual(await refusal('{}\n', 'Once'), [
        400,
        'node "Once" is a unary node and takes no stream: send one JSON object with POST, as application/json',
      ]);
    });

    it('by generic nodes, with an error of their own', async () => {
      const [status, text] = await refusal('{}\n', 'Open');
      assert.equal(status, 400);
      assert.match(text, /^node "Open" is generic/);
    });
  });

  it('returns immediately when the node fails during the upload', async () => {
    streams.handlers.set('Flow', async function* (frames) {
      for await (const { text } of frames) {
        if (text === 'b') throw new Error('no b');
        yield { text };
      }
    });
    const upload = openUpload();
    const answer = open(upload);
    await upload.send('{"text":"a"}\n{"text":"b"}\n');
    const frames = await (await answer).rest();
    assert.deepEqual([textsOf(frames), frames.at(-1)?.error], [['a'], 'no b']);
    upload.end();
  });

  it('cancels the node when the client disconnects during the upload', async () => {
    let signal: AbortSignal | undefined;
    let execution = '';
    streams.handlers.set('Flow', async function* (frames, context) {
      ({ signal, executionId: execution } = context);
      for await (const { text } of frames) yield { text };
    });
    const client = new AbortController();
    const upload = openUpload();
    const answer = openUntil(upload, client.signal);
    await upload.send('{"text":"a"}\n');
    await until(() => signal !== undefined);
    client.abort();
    await assert.rejects(answer);
    await until(() => signal?.aborted === true);
    for (;;) {
      const record = await recordOf(acme, execution);
      if (record.status !== undefined) {
        assert.equal(record.status, 'CANCELLED');
        break;
      }
      await pause(10);
    }
  });

  describe('with more output than is kept in memory', () => {
    let signal: AbortSignal | undefined;
    let execution: string;
    beforeEach(() => {
      signal = undefined;
      streams.handlers.set('Flow', async function* (frames, context) {
        ({ signal, executionId: execution } = context);
        for await (const frame of frames) yield { ...frame, text: 'x'.repeat(1_048_576) };
      });
    });
    const spools = (count: number) =>
      eventually(async () => ((await openSpools()) === count ? true : undefined));

    it('leaves no file behind when the client disconnects', async () => {
      // A file that only garbage collection closes is left behind.
      const warnings: string[] = [];
      const warn = ({ message }: Error) => warnings.push(message);
      process.on('warning', warn);
      const client = new AbortController();
      const upload = openUpload();
      const answer = openUntil(upload, client.signal);
      await upload.send('{}\n{}\n');
      await spools(1);
      client.abort();
      await assert.rejects(answer);
      await spools(0);
      assert.equal((await endOf(acme, execution)).status, 'CANCELLED');
      process.off('warning', warn);
      assert.deepEqual(
        warnings.filter((message) => message.startsWith('Closing file descriptor')),
        [],
      );
    });

    it('returns 500 if the output cannot be stored, cancels the node, and records the failure', async () => {
      const folder = process.env.TMPDIR;
      process.env.TMPDIR = '/dev/null';
      try {
        const upload = openUpload();
        const answer = open(upload);
        await upload.send('{}\n');
        assert.equal((await answer).status, 500);
        await until(() => signal?.aborted === true);
        const { status, error_message } = await endOf(acme, execution);
        const text = 'the output could not be held back: the log of the service contains the cause';
        assert.deepEqual([status, error_message], ['FAILED', text]);
        upload.end();
      } finally {
        if (folder === undefined) delete process.env.TMPDIR;
        else process.env.TMPDIR = folder;
      }
    });
  });
});
