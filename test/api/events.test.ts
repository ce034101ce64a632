import assert from 'node:assert/strict';
import { clockErrorMs } from '../support/clock-error.ts';
import { endOf } from '../support/execution-records.ts';
import { itSlow } from '../support/fast-run.ts';
import { type FlowService, startFlowService } from '../support/flow-service.ts';
import { type Caller, eachService } from '../support/running-service.ts';
import { step, twoSteps } from '../support/step-package.ts';

type Event = Record<string, unknown>;

const ulid = /^[0-9A-HJKMNP-TV-Z]{26}$/;
const dayMs = 86_400_000;

eachService('the history of an execution', (start) => {
  let flows: FlowService;
  let acme: Caller;
  before(async () => {
    flows = await startFlowService(start);
    acme = flows.acme;
  });
  after(() => flows.stop());

  const pathOf = (executionId: string): string => `/invocations/v1/executions/${executionId}`;
  const read = async (
    executionId: string,
    query = '',
    caller = acme,
  ): Promise<{ events: Event[]; next_cursor?: string }> => {
    const { status, body } = await caller.get(`${pathOf(executionId)}/events?${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body as { events: Event[]; next_cursor?: string };
  };
  const run = async (document: object, input: object = {}): Promise<string> => {
    const { body } = await flows.invoke(await flows.compile(document), { input });
    await endOf(acme, body.execution_id as string);
    return body.execution_id as string;
  };
  const typesOf = (events: readonly Event[]): string[] => events.map((event) => String(event.type));
  const text = (value: string): string =>
    Buffer.from([10, value.length, ...Buffer.from(value)]).toString('base64');

  describe('of two steps', () => {
    let executionId: string;
    let events: Event[];
    before(async () => {
      executionId = await run(
        twoSteps({
          edges: [
            { id: 'e', from: 'a', to: 'b', condition: 'text != ""', adapter: { text: 'text | upper' } },
          ],
        }),
        { text: 'x' },
      );
      ({ events } = await read(executionId));
    });

    it('lists each step and edge in order', () => {
      assert.deepEqual(typesOf(events), [
        'NODE_STARTED',
        'NODE_COMPLETED',
        'EDGE_EVALUATED',
        'NODE_STARTED',
        'NODE_COMPLETED',
        'FLOW_COMPLETED',
      ]);
      for (const event of events) {
        assert.equal(event.execution_id, executionId);
        assert.match(String(event.event_ulid), ulid);
        assert.ok(Math.abs(Number(event.timestamp_ms) - Date.now()) < 60_000);
      }
      const ulids = events.map((event) => String(event.event_ulid));
      assert.deepEqual(ulids, [...new Set(ulids)].sort());
    });

    it('contains messages as base64', () => {
      const [started, completed, edge, second, , end] = events;
      assert.deepEqual(
        [started?.node_id, started?.node_name, started?.instance_id, started?.input_bytes],
        ['a', 'a', executionId, text('x')],
      );
      assert.equal(completed?.output_bytes, text('xa'));
      assert.deepEqual(
        [edge?.node_id, edge?.edge_id, edge?.condition_pass, edge?.adapter_applied, edge?.error],
        ['a', 'e', true, true, undefined],
      );
      assert.equal(second?.input_bytes, text('XA'));
      assert.equal(end?.output_bytes, text('XAb'));
    });

    it('contains messages as JSON with decode=true', async () => {
      const [started, completed, , , , end] = (await read(executionId, 'decode=true')).events;
      assert.deepEqual([started?.input, started?.input_bytes], [{ text: 'x' }, undefined]);
      assert.deepEqual([completed?.output, end?.output], [{ text: 'xa' }, { text: 'XAb' }]);
      assert.deepEqual((await read(executionId, 'decode=false')).events, events);
    });

    it('is paginated', async () => {
      for (const limit of [1, 2, 5, 6]) {
        const seen: Event[] = [];
        let query: string | undefined = `limit=${limit}`;
        let pages = 0;
        while (query !== undefined) {
          const page: { events: Event[]; next_cursor?: string } = await read(executionId, query);
          assert.ok(page.events.length > 0);
          seen.push(...page.events);
          pages += 1;
          query = page.next_cursor && `limit=${limit}&cursor=${page.next_cursor}`;
        }
        assert.deepEqual(seen, events);
        assert.equal(pages, Math.ceil(events.length / limit));
      }
    });

    it('is filtered by node and by any of several types', async () => {
      const cases: [string, (event: Event) => boolean][] = [
        ['node_name=b', (event) => event.node_name === 'b'],
        ['event_type=NODE_STARTED', (event) => event.type === 'NODE_STARTED'],
        [
          'event_type=NODE_STARTED&event_type=FLOW_COMPLETED',
          (event) => event.type === 'NODE_STARTED' || event.type === 'FLOW_COMPLETED',
        ],
        [
          'node_name=a&event_type=NODE_COMPLETED',
          (event) => event.node_name === 'a' && event.type === 'NODE_COMPLETED',
        ],
      ];
      for (const [query, keep] of cases) {
        const expected = events.filter(keep);
        assert.ok(expected.length > 0);
        assert.deepEqual((await read(executionId, query)).events, expected, query);
      }
      assert.deepEqual(await read(executionId, 'event_type=MEMORY_READ'), { events: [] });
      assert.deepEqual(await read(executionId, 'node_name=nobody'), { events: [] });
    });

    it('accepts a cursor only with the query that returned it', async () => {
      const { next_cursor: cursor } = await read(executionId, 'limit=1');
      const { status, body } = await acme.get(`${pathOf(executionId)}/events?node_name=a&cursor=${cursor}`);
      assert.deepEqual([status, body.error], [400, 'invalid_argument']);
    });

    it('accepts page sizes of 1 to 1000', async () => {
      for (const limit of ['0', '1001']) {
        const { status, body } = await acme.get(`${pathOf(executionId)}/events?limit=${limit}`);
        assert.deepEqual([status, body.error], [400, 'invalid_argument']);
      }
      assert.deepEqual((await read(executionId, 'limit=1000')).events, events);
    });

    it('has a checkpoint after each transition, and the record names the latest', async () => {
      const { body: record } = await acme.get(pathOf(executionId));
      const { status, body } = await acme.get(
        `${pathOf(executionId)}/checkpoints/${record.latest_checkpoint_id}?decode=true`,
      );
      assert.equal(status, 200);
      assert.deepEqual(body, {
        checkpoint_id: record.latest_checkpoint_id,
        execution_id: executionId,
        graph_id: record.graph_id,
        seq: body.seq,
        reason: 'terminal',
        node_id: 'b',
        step_count: 2,
        pending: [],
        completed: [
          { node_id: 'a', output: { text: 'xa' } },
          { node_id: 'b', output: { text: 'XAb' } },
        ],
        created_at: body.created_at,
        expires_at: new Date(Date.parse(body.created_at as string) + 30 * dayMs).toISOString(),
      });
      const first = await acme.get(`${pathOf(executionId)}/checkpoints/${executionId}-0`);
      assert.deepEqual(
        [first.body.reason, first.body.step_count, first.body.pending, first.body.completed],
        ['step', 1, ['a'], []],
      );
      const second = await acme.get(`${pathOf(executionId)}/checkpoints/${executionId}-1`);
      assert.deepEqual(second.body.completed, [{ node_id: 'a', output_bytes: text('xa') }]);
    });

    it('expires checkpoints after 30 days, and answers 404 for unknown ones', async () => {
      const expired = {
        error: 'checkpoint_not_found_or_expired',
        detail: 'no such checkpoint, or it was evicted: the retention policy keeps checkpoints for 30 days',
      };
      const journal = () => flows.service.db.knex('journal').where({ execution_id: executionId, seq: 0 });
      const [row]: { at: number }[] = await journal().select('at');
      const readFirst = () => acme.get(`${pathOf(executionId)}/checkpoints/${executionId}-0`);
      await journal().update({ at: Date.now() - 30 * dayMs + 60_000 });
      assert.equal((await readFirst()).status, 200);
      await journal().update({ at: Date.now() - 30 * dayMs - clockErrorMs(flows.service.db) });
      const old = await readFirst();
      await journal().update({ at: row?.at });
      assert.deepEqual([old.status, old.body], [404, expired]);

      const other = await flows.service.tenant('watcher');
      const strange = [
        `${executionId}-99`,
        `${executionId}-999999999`,
        `${executionId}-x`,
        'x',
        `${'0'.repeat(32)}-0`,
      ];
      for (const answer of [
        ...(await Promise.all(strange.map((id) => acme.get(`${pathOf(executionId)}/checkpoints/${id}`)))),
        await other.get(`${pathOf(executionId)}/checkpoints/${executionId}-0`),
        await acme.get(`${pathOf('0'.repeat(32))}/checkpoints/${executionId}-0`),
      ]) {
        assert.deepEqual([answer.status, answer.body], [404, expired]);
      }
    });

    it('is visible only to its own tenant', async () => {
      const other = await flows.service.tenant('stranger');
      for (const { status, body } of [
        await other.get(`${pathOf(executionId)}/events`),
        await acme.get(`${pathOf('0'.repeat(32))}/events`),
      ]) {
        assert.deepEqual([status, body], [404, { error: 'execution not found' }]);
      }
    });
  });

  it('contains logs and progress of nodes', async () => {
    flows.behaviours.set('talks', (_input, answer) => {
      answer.say({ case: 'log', value: { level: 'info', message: 'half way' } });
      answer.say({ case: 'progress', value: { kind: 'percent', json: '{"done":50}' } });
      return { text: 'done' };
    });
    const { events } = await read(
      await run({ ...twoSteps(), entry: 'talks', terminal: 'talks', nodes: [step('talks')], edges: [] }),
    );
    const log = events.find(({ type }) => type === 'NODE_LOG');
    assert.deepEqual([log?.log_level, log?.log_message, log?.node_id], ['info', 'half way', 'talks']);
    const progress = events.find(({ type }) => type === 'NODE_PROGRESS');
    assert.deepEqual(
      [progress?.progress_kind, progress?.progress_json, progress?.progress_seq],
      ['percent', '{"done":50}', 0],
    );
  });

  it('drops and counts progress beyond a burst of 50', async () => {
    flows.behaviours.set('babbles', (_input, answer) => {
      for (let index = 0; index < 80; index += 1) {
        answer.say({ case: 'progress', value: { kind: 'n', json: String(index) } });
      }
      return {};
    });
    const id = await run({
      ...twoSteps(),
      entry: 'babbles',
      terminal: 'babbles',
      nodes: [step('babbles')],
      edges: [],
    });
    const { events } = await read(id, 'limit=1000');
    const passed = events.filter(({ type }) => type === 'NODE_PROGRESS').length;
    const dropped = Number(events.find(({ type }) => type === 'NODE_COMPLETED')?.progress_dropped);
    assert.ok(passed >= 50 && passed < 60, `${passed} passed`);
    assert.equal(passed + dropped, 80);
  });

  it('counts dropped progress of a retried node over all attempts', async () => {
    flows.behaviours.set('babbling', (_input, answer, attempt) => {
      const frames = attempt === 1 ? 80 : 2;
      for (let index = 0; index < frames; index += 1) {
        answer.say({ case: 'progress', value: { kind: 'n', json: String(index) } });
      }
      if (attempt > 1) return {};
      answer.say({ case: 'error', value: { message: 'again', retryable: true } });
      answer.end();
      return undefined;
    });
    const id = await run({
      ...twoSteps(),
      entry: 'babbling',
      terminal: 'babbling',
      nodes: [step('babbling', { retry: { max_attempts: 2, initial_ms: 5 } })],
      edges: [],
    });
    const { events } = await read(id, 'limit=1000');
    const passed = events.filter(({ type }) => type === 'NODE_PROGRESS').length;
    const dropped = Number(events.find(({ type }) => type === 'NODE_COMPLETED')?.progress_dropped);
    assert.equal(passed + dropped, 82);
  });

  it('contains scheduled retries, their attempts and the exhaustion of the attempts', async () => {
    flows.behaviours.set('flaky', (input, answer, attempt) => {
      if (attempt === 3 && input.text === 'heals') return { text: 'healed' };
      answer.say({ case: 'error', value: { message: `attempt ${attempt}`, retryable: true } });
      answer.end();
      return undefined;
    });
    const retrying = {
      ...twoSteps(),
      entry: 'flaky',
      terminal: 'flaky',
      nodes: [step('flaky', { retry: { max_attempts: 3, initial_ms: 5, factor: 2 } })],
      edges: [],
    };
    const healed = await read(await run(retrying, { text: 'heals' }));
    assert.deepEqual(typesOf(healed.events), [
      'NODE_STARTED',
      'NODE_RETRY_SCHEDULED',
      'NODE_RETRY_STARTED',
      'NODE_RETRY_SCHEDULED',
      'NODE_RETRY_STARTED',
      'NODE_COMPLETED',
      'FLOW_COMPLETED',
    ]);
    const scheduled = healed.events[1];
    assert.deepEqual([scheduled?.attempt, scheduled?.max_attempts], [2, 3]);
    assert.deepEqual([scheduled?.error, scheduled?.failure_kind], ['attempt 1', 'NODE_ERROR']);
    assert.equal(healed.events[2]?.error, undefined);
    assert.equal(healed.events[3]?.error, 'attempt 2');
    const startedAt = Number(healed.events[0]?.timestamp_ms);
    assert.ok(Number(scheduled?.next_attempt_at_ms) >= startedAt + 5);

    const { events } = await read(await run(retrying, { text: 'stays ill' }));
    assert.deepEqual(typesOf(events).slice(-3), ['NODE_RETRY_EXHAUSTED', 'NODE_FAILED', 'FLOW_FAILED']);
    const ends = events.slice(-3).map(({ error }) => error);
    assert.deepEqual(ends, ['attempt 3', 'attempt 3', 'attempt 3']);
  });

  it('marks mocked outputs, and contains the payload of a failure', async () => {
    const mocked = twoSteps({
      nodes: [step('a', { mock: { output: { text: 'm' } } }), step('fails')],
      terminal: 'fails',
      edges: [{ from: 'a', to: 'fails' }],
    });
    flows.behaviours.set('fails', (_input, answer) => {
      answer.say({ case: 'error', value: { message: 'no', failurePayloadJson: '{"code":7}' } });
      answer.end();
      return undefined;
    });
    const { events } = await read(await run(mocked));
    assert.equal(
      events.find(({ type, node_id: id }) => type === 'NODE_COMPLETED' && id === 'a')?.mocked,
      true,
    );
    const end = events.at(-1);
    assert.deepEqual([end?.type, end?.error, end?.failure_payload], ['FLOW_FAILED', 'no', { code: 7 }]);
  });

  it('preserves integers beyond 2^53 in a failure payload', async () => {
    const payload = '{"big":9007199254740993,"list":[-9223372036854775807]}';
    flows.behaviours.set('fails', (_input, answer) => {
      answer.say({ case: 'error', value: { message: 'no', failurePayloadJson: payload } });
      answer.end();
      return undefined;
    });
    const failing = twoSteps({ nodes: [step('fails')], entry: 'fails', terminal: 'fails', edges: [] });
    const id = await run(failing);
    // Not by `read`, whose JSON parser rounds.
    const response = await fetch(`${flows.service.url}${pathOf(id)}/events`, {
      headers: { authorization: `Bearer ${acme.key}` },
    });
    const body = await response.text();
    assert.ok(body.includes(`"failure_payload":${payload}`), body);
  });

  it('contains a failure payload as text if it is nested too deeply', async () => {
    for (const [levels, isText] of [
      [100, false],
      [101, true],
      [20_000, true],
    ] as const) {
      const deep = '['.repeat(levels) + ']'.repeat(levels);
      flows.behaviours.set('fails', (_input, answer) => {
        answer.say({ case: 'error', value: { message: 'no', failurePayloadJson: deep } });
        answer.end();
        return undefined;
      });
      const failing = twoSteps({
        nodes: [step('fails')],
        entry: 'fails',
        terminal: 'fails',
        edges: [],
      });
      const { events } = await read(await run(failing, { text: `${levels}` }));
      assert.equal(typeof events.at(-1)?.failure_payload === 'string', isText, `${levels} levels`);
    }
  });

  it('is limited to the branch if read by the id of a branch', async () => {
    const parallel = {
      ...twoSteps(),
      terminal: 'd',
      nodes: [step('a'), step('b'), step('c'), step('d', { join: { policy: 'all' } })],
      edges: [
        { from: 'a', to: 'b' },
        { from: 'a', to: 'c' },
        { from: 'b', to: 'd' },
        { from: 'c', to: 'd' },
      ],
    };
    const root = await run(parallel);
    const { body } = await acme.get(`/invocations/v1/executions?lineage_root_execution_id=${root}`);
    const branches = body.executions as Record<string, unknown>[];
    assert.equal(branches.length, 2);
    const all = (await read(root)).events;
    for (const { execution_id: branch } of branches) {
      const { events } = await read(String(branch));
      assert.ok(events.length > 0);
      assert.deepEqual(
        events,
        all.filter((event) => event.instance_id === branch),
      );
      assert.ok(events.every((event) => event.execution_id === root));
    }
  });

  it('contains the result of each edge up to the one that fails', async () => {
    const id = await run({
      ...twoSteps(),
      nodes: [step('a'), step('b'), step('c'), step('d'), step('e')],
      edges: [
        { id: 'passes', from: 'a', to: 'c', condition: 'text != ""' },
        { id: 'closed', from: 'a', to: 'd', condition: 'text == ""' },
        {
          id: 'fails',
          from: 'a',
          to: 'b',
          condition: 'text != ""',
          adapter: { text: 'text | split(",", 3)' },
        },
        { id: 'unseen', from: 'a', to: 'e' },
        { from: 'c', to: 'b' },
        { from: 'd', to: 'b' },
        { from: 'e', to: 'b' },
      ],
    });
    const { events } = await read(id, 'event_type=EDGE_EVALUATED&event_type=FLOW_FAILED');
    const error =
      'edge "a" → "b": EvaluateEdge adapter: transform TRANSFORM_SPLIT failed: split: index 3 out of range';
    const seen = events.map((event) => [
      event.edge_id,
      event.condition_pass,
      event.adapter_applied,
      event.error,
    ]);
    assert.deepEqual(seen, [
      ['closed', false, false, undefined],
      ['passes', true, false, undefined],
      ['fails', true, false, error],
      [undefined, undefined, undefined, error],
    ]);
  });

  it('reports an edge whose condition fails as not passed', async () => {
    const edges = [{ id: 'e', from: 'a', to: 'b', condition: '1 / count == 1' }];
    const { events } = await read(await run(twoSteps({ edges })), 'event_type=EDGE_EVALUATED');
    assert.deepEqual(
      events.map((event) => [event.edge_id, event.condition_pass, event.error]),
      [['e', false, 'edge "a" → "b": EvaluateEdge condition: CEL evaluation failed: division by zero']],
    );
  });

  it('contains messages that are too large for a row', async () => {
    const large = 'x'.repeat(100_000);
    const id = await run(twoSteps(), { text: large });
    const { events } = await read(id, 'decode=true&event_type=NODE_STARTED&node_name=a');
    assert.deepEqual(events[0]?.input, { text: large });
  });

  itSlow('ends a page before it exceeds 8 MiB of messages', async () => {
    const text = 'x'.repeat(3_000_000);
    const id = await run(twoSteps(), { text });
    const pages: number[] = [];
    const types: string[] = [];
    let query: string | undefined = '';
    while (query !== undefined) {
      const page: { events: Event[]; next_cursor?: string } = await read(id, query);
      pages.push(page.events.length);
      types.push(...typesOf(page.events));
      query = page.next_cursor && `cursor=${page.next_cursor}`;
    }
    // Input and output of two steps, and the result: five messages of 3 MB; an edge has none.
    assert.deepEqual(pages, [3, 2, 1]);
    assert.deepEqual(types.at(-1), 'FLOW_COMPLETED');
    assert.equal(types.length, 6);
  }).timeout(300_000);
});
