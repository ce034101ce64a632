import assert from 'node:assert/strict';
import { status as grpc } from '@grpc/grpc-js';
import { limits } from '../../specs/limits.ts';
import { type FlowService, startFlowService } from '../support/flow-service.ts';
import { type Answer, eachService } from '../support/running-service.ts';
import { stepPackage } from '../support/step-package.ts';

type Event = Record<string, unknown>;
interface Page {
  events: Event[];
  next_cursor?: string;
}

const callStep = '/invocations/v1/nodes/acme/steps/1.0.0/Step';
const ulid = /^[0-9A-HJKMNP-TV-Z]{26}$/;

eachService('the history of a direct node call', (start) => {
  let flows: FlowService;
  before(async () => {
    flows = await startFlowService(start);
  });
  after(() => flows.stop());
  // A direct call has no placement.
  afterEach(() => flows.behaviours.delete(''));

  const read = async (executionId: string, query = ''): Promise<Page> => {
    const { status, body } = await flows.acme.get(
      `/invocations/v1/executions/${executionId}/events?${query}`,
    );
    assert.equal(status, 200, JSON.stringify(body));
    return body as Page;
  };
  const call = async (input: object = {}): Promise<{ answer: Answer; executionId: string }> => {
    const answer = await flows.acme.post(callStep, input);
    return { answer, executionId: answer.headers.get('x-execution-id') ?? '' };
  };
  const rowsOf = async (executionId: string): Promise<number> =>
    (await flows.service.db.knex('journal').where({ execution_id: executionId })).length;
  const log = (message: string, level = 'info') => ({ case: 'log' as const, value: { level, message } });
  const progress = (json: string) => ({ case: 'progress' as const, value: { kind: 'share', json } });

  it('has a start and an end event without further writes', async () => {
    const { executionId } = await call();
    const { events } = await read(executionId);
    const { body: record } = await flows.acme.get(`/invocations/v1/executions/${executionId}`);
    assert.deepEqual(
      events.map((event) =>
        Object.fromEntries(Object.entries(event).filter(([key]) => key !== 'event_ulid')),
      ),
      [
        { type: 'NODE_STARTED', at: record.created_at as string },
        { type: 'NODE_COMPLETED', at: record.completed_at as string },
      ].map(({ type, at }) => ({
        type,
        execution_id: executionId,
        timestamp_ms: Date.parse(at),
        node_id: 'Step',
        node_name: 'Step',
        instance_id: executionId,
      })),
    );
    assert.equal(await rowsOf(executionId), 0);
  });

  it('contains the logs and progress of the node, in order', async () => {
    flows.behaviours.set('', (_input, answer) => {
      answer.say(log('one'));
      answer.say(progress('{"done":1}'));
      answer.say(log('two \u0000', 'warn'));
      return {};
    });
    const { executionId } = await call();
    const { events } = await read(executionId);
    assert.deepEqual(
      events.map((event) => [event.type, event.log_level, event.log_message, event.progress_json]),
      [
        ['NODE_STARTED', undefined, undefined, undefined],
        ['NODE_LOG', 'info', 'one', undefined],
        ['NODE_PROGRESS', undefined, undefined, '{"done":1}'],
        ['NODE_LOG', 'warn', 'two \u0000', undefined],
        ['NODE_COMPLETED', undefined, undefined, undefined],
      ],
    );
    for (const event of events) {
      assert.deepEqual([event.node_name, event.instance_id], ['Step', executionId]);
      assert.match(String(event.event_ulid), ulid);
    }
    const ulids = events.map((event) => String(event.event_ulid));
    assert.deepEqual(ulids, [...new Set(ulids)].sort());
    assert.deepEqual((await read(executionId)).events, events, 'derived events keep their ids');
    assert.equal(await rowsOf(executionId), 1);
  });

  it('supports pagination and filters', async () => {
    flows.behaviours.set('', (_input, answer) => {
      // Several rows.
      for (let line = 0; line < 12; line += 1) answer.say(log(`${line} ${'x'.repeat(60_000)}`));
      return {};
    });
    const { executionId } = await call();
    assert.ok((await rowsOf(executionId)) > 1);
    const whole = await read(executionId);
    assert.equal(whole.events.length, 14);
    for (const limit of [1, 2, 3, 13, 14]) {
      const pages: Event[] = [];
      let cursor: string | undefined;
      do {
        const page = await read(executionId, `limit=${limit}${cursor ? `&cursor=${cursor}` : ''}`);
        assert.ok(page.events.length <= limit);
        pages.push(...page.events);
        cursor = page.next_cursor;
      } while (cursor !== undefined);
      assert.deepEqual(pages, whole.events, `in pages of ${limit}`);
    }
    const typesOf = async (query: string): Promise<unknown[]> =>
      (await read(executionId, query)).events.map(({ type }) => type);
    assert.deepEqual(await typesOf('event_type=NODE_COMPLETED&event_type=NODE_STARTED'), [
      'NODE_STARTED',
      'NODE_COMPLETED',
    ]);
    assert.equal((await typesOf('node_name=Step')).length, 14);
    assert.deepEqual(await typesOf('node_name=Other'), []);
  });

  it('counts progress beyond the limits as dropped, on any page', async () => {
    flows.behaviours.set('', (_input, answer) => {
      for (const size of [limits.progressBytes, limits.progressBytes + 1]) {
        answer.say(progress(`"${'x'.repeat(size - 2)}"`));
      }
      return {};
    });
    const { executionId } = await call();
    const { events, next_cursor: cursor } = await read(executionId, 'limit=2');
    assert.deepEqual(
      events.map(({ type, progress_json: json }) => [type, typeof json === 'string' ? json.length : 0]),
      [
        ['NODE_STARTED', 0],
        ['NODE_PROGRESS', limits.progressBytes],
      ],
    );
    const last = await read(executionId, `limit=2&cursor=${cursor}`);
    assert.deepEqual(
      last.events.map(({ type, progress_dropped: dropped }) => [type, dropped]),
      [['NODE_COMPLETED', 1]],
    );
  });

  it('reports the failure and keeps earlier logs', async () => {
    flows.behaviours.set('', (_input, answer) => {
      answer.say(log('before'));
      answer.say({ case: 'error', value: { message: 'out of tokens' } });
      answer.end();
      return undefined;
    });
    const { answer, executionId } = await call();
    assert.equal(answer.status, 422);
    assert.deepEqual(
      (await read(executionId)).events.map((event) => [event.type, event.error, event.failure_kind]),
      [
        ['NODE_STARTED', undefined, undefined],
        ['NODE_LOG', undefined, undefined],
        ['NODE_FAILED', 'out of tokens', 'NODE_ERROR'],
      ],
    );
  });

  it('distinguishes a broken container, an invalid output and an invalid input', async () => {
    const kindOf = async (status: number, input: object = {}): Promise<unknown> => {
      const { answer, executionId } = await call(input);
      assert.equal(answer.status, status, JSON.stringify(answer.body));
      const { events } = await read(executionId);
      const end = events.at(-1);
      assert.equal(end?.error, answer.body.error_message);
      return [events.map(({ type }) => type).join(), end?.failure_kind];
    };
    flows.behaviours.set('', (_input, answer) => {
      answer.fail(grpc.UNAVAILABLE, 'gone');
      return undefined;
    });
    assert.deepEqual(await kindOf(502), ['NODE_STARTED,NODE_FAILED', 'NODE_UNREACHABLE']);
    flows.behaviours.set('', (_input, answer) => {
      answer.say({ case: 'output', value: new Uint8Array([0x0a, 0xff]) });
      answer.end();
      return undefined;
    });
    assert.deepEqual(await kindOf(502), ['NODE_STARTED,NODE_FAILED', 'OUTPUT_INVALID']);
    // The node never started.
    assert.deepEqual(await kindOf(400, { color: 9 }), ['NODE_FAILED', 'INPUT_INVALID']);
  });

  it('ends with a cancellation when the caller disconnects', async () => {
    const published = await flows.acme.post(
      '/api/v1/packages',
      stepPackage({ name: 'acme/left', endpoint: flows.container.endpoint }),
    );
    const left = new AbortController();
    const cancelled = new Promise<void>((resolve) => {
      flows.behaviours.set('', (_input, answer) => {
        answer.onCancelled(resolve);
        left.abort();
        return undefined;
      });
    });
    const { node_ulid: ulid } = published.body.nodes[0] as { node_ulid: string };
    await assert.rejects(
      fetch(`${flows.service.url}/invocations/v1/nodes/${ulid}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${flows.acme.key}` },
        body: '{}',
        signal: left.signal,
      }),
      { name: 'AbortError' },
    );
    await cancelled;
    for (;;) {
      const { body } = await flows.acme.get('/invocations/v1/executions?status=CANCELLED');
      const [record] = body.executions as { execution_id: string }[];
      if (!record) continue;
      const end = (await read(record.execution_id)).events.at(-1);
      assert.deepEqual([end?.type, end?.failure_kind], ['NODE_FAILED', 'CANCELLED']);
      return;
    }
  });

  it('is empty 90 days after its end, like the history of a run', async () => {
    flows.behaviours.set('', (_input, answer) => {
      answer.say(log('one'));
      return {};
    });
    const { executionId } = await call();
    const endedBefore = (ms: number): Promise<unknown> =>
      flows.service.db
        .knex('executions')
        .where({ id: executionId })
        .update({ completed_at: Date.now() - ms });
    const retentionMs = limits.eventRetentionDays * 86_400_000;
    await endedBefore(retentionMs - 60_000);
    assert.equal((await read(executionId)).events.length, 3);
    await endedBefore(retentionMs + 60_000);
    assert.deepEqual(await read(executionId), { events: [] });
    const { status } = await flows.acme.get(`/invocations/v1/executions/${executionId}`);
    assert.equal(status, 200);
  });

  it('is unknown to other tenants', async () => {
    const { executionId } = await call();
    const other = await flows.tenant('globex');
    const { status, body } = await other.get(`/invocations/v1/executions/${executionId}/events`);
    assert.deepEqual([status, body], [404, { error: 'execution not found' }]);
  });

  it('truncates an error text of more than 64 KiB at a character boundary and marks it', async () => {
    const fits = 'ж'.repeat(limits.nodeErrorBytes / 2);
    for (const [message, expected] of [
      [fits, fits],
      [`a${fits}`, `a${fits.slice(0, -1)} … [cut: the text has ${limits.nodeErrorBytes + 1} bytes]`],
    ] as const) {
      flows.behaviours.set('', (_input, answer) => {
        answer.say({ case: 'error', value: { message } });
        answer.end();
        return undefined;
      });
      const { answer, executionId } = await call();
      assert.equal(answer.body.error_message, expected);
      assert.equal((await read(executionId)).events.at(-1)?.error, expected);
    }
  });
});
