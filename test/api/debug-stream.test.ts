import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { suspendedText, unauthorizedText } from '../../specs/operations/access-texts.ts';
import { updateTenantStatus } from '../../service/store/tenants.ts';
import { approval, askHuman, pausedRun } from '../support/asking-flow.ts';
import { clockErrorMs } from '../support/clock-error.ts';
import { itSlow } from '../support/fast-run.ts';
import { compileFlow, type FlowService, invokeFlow, startFlowService } from '../support/flow-service.ts';
import { type Caller, eachService, request } from '../support/running-service.ts';
import { endOf } from '../support/execution-records.ts';
import { openSocket, refusedSocket, type SocketClient } from '../support/socket-client.ts';
import { step, twoSteps } from '../support/step-package.ts';
import { until } from '../support/until.ts';

type Event = Record<string, unknown>;

const path = '/invocations/v1/debug-stream';

const unauthorized = JSON.stringify({ error: 'unauthorized', message: unauthorizedText });

eachService('the debug stream', (start) => {
  let flows: FlowService;
  let acme: Caller;
  let graph: string;
  before(async function () {
    this.timeout(180_000);
    flows = await startFlowService(start);
    acme = flows.acme;
    graph = await flows.compile(twoSteps());
  });
  after(() => flows.stop());
  afterEach(() => flows.behaviours.clear());

  const urlOf = (session: string, query = ''): string =>
    `${flows.service.url}${path}?session_id=${encodeURIComponent(session)}${query}`;
  const headersOf = ({ key }: Caller) => ({ headers: { Authorization: `Bearer ${key}` } });
  const follow = (session: string, caller = acme): Promise<SocketClient> =>
    openSocket(urlOf(session), headersOf(caller));
  const refusal = async (session: string, caller = acme): Promise<unknown[]> => {
    const { status, body } = await refusedSocket(urlOf(session), headersOf(caller));
    return [status, body];
  };
  /** The events after SESSION_READY. */
  const eventsIn = ({ received }: SocketClient): Event[] =>
    received.slice(1).map((text) => JSON.parse(text) as Event);
  const typesIn = (client: SocketClient): unknown[] => eventsIn(client).map(({ type }) => type);
  const stored = async (executionId: string, query = ''): Promise<Event[]> => {
    const events: Event[] = [];
    for (let cursor = ''; ;) {
      const { body } = await acme.get(
        `/invocations/v1/executions/${executionId}/events?limit=1000${query}${cursor}`,
      );
      events.push(...(body.events as Event[]));
      if (body.next_cursor === undefined) return events;
      cursor = `&cursor=${String(body.next_cursor)}`;
    }
  };
  let runs = 0;
  const run = async (body: object = {}, caller = acme, graphId = graph): Promise<string> => {
    const idempotency_key = `run ${(runs += 1)}`;
    const answer = await invokeFlow(caller, graphId, { wait: false, idempotency_key, ...body });
    assert.equal(answer.status, 202, JSON.stringify(answer.body));
    return answer.body.execution_id as string;
  };
  const ended = async (body: object = {}): Promise<string> => {
    const id = await run(body);
    await endOf(acme, id);
    return id;
  };
  /** Holds the node `b` until the result is called. */
  const hold = (): { called: () => boolean; release: () => void } => {
    let release: (() => void) | undefined;
    flows.behaviours.set('b', (_input, answer) => {
      release = () => {
        answer.say({ case: 'error', value: { message: 'released', retryable: false } as never });
        answer.end();
      };
      return undefined;
    });
    return { called: () => release !== undefined, release: () => release?.() };
  };

  it('begins with SESSION_READY, replays the stored events, and closes after the last one', async () => {
    const id = await ended();
    const before = Date.now();
    const client = await follow(id);
    assert.deepEqual(await client.closed, { code: 1000, reason: '' });
    const { timestamp_ms: at, ...ready } = JSON.parse(client.received[0]!) as Event;
    assert.deepEqual(ready, {
      type: 'SESSION_READY',
      session_id: id,
      execution_id: id,
      replay_events: 1_000,
    });
    assert.ok((at as number) >= before - clockErrorMs(flows.service.db));
    assert.deepEqual(eventsIn(client), await stored(id));
    assert.equal(typesIn(client).at(-1), 'FLOW_COMPLETED');
  });

  it('delivers events as they happen', async () => {
    const held = hold();
    const id = await run();
    await until(held.called);
    const client = await follow(id);
    await client.receives(5);
    assert.deepEqual(typesIn(client), ['NODE_STARTED', 'NODE_COMPLETED', 'EDGE_EVALUATED', 'NODE_STARTED']);
    held.release();
    assert.equal((await client.closed).code, 1000);
    assert.equal(typesIn(client).at(-1), 'FLOW_FAILED');
    assert.deepEqual(eventsIn(client), await stored(id));
  });

  it('sends decoded messages with decode=true, and bytes to other followers', async () => {
    const held = hold();
    const id = await run({ input: { text: 'shown' } });
    await until(held.called);
    const client = await openSocket(urlOf(id, '&decode=true'), headersOf(acme));
    const beside = await follow(id);
    await client.receives(5);
    held.release();
    await Promise.all([client.closed, beside.closed]);
    const events = eventsIn(client);
    assert.deepEqual(events[0]?.input, { text: 'shown' });
    assert.deepEqual(events, await stored(id, '&decode=true'));
    assert.deepEqual(eventsIn(beside), await stored(id));
    const refused = await refusedSocket(urlOf(id, '&decode=yes'), headersOf(acme));
    assert.equal(refused.status, 400);
  });

  it('stays open during a pause', async () => {
    askHuman(flows);
    const { executionId, pauseId } = await pausedRun(acme, await flows.compile(approval));
    const client = await follow(executionId);
    await until(() => typesIn(client).includes('HITL_PAUSED'));
    const body = { pause_id: pauseId, value: { text: 'go' } };
    assert.equal((await acme.post(`/invocations/v1/flows/${executionId}/resume`, body)).status, 200);
    assert.equal((await client.closed).code, 1000);
    assert.deepEqual(eventsIn(client), await stored(executionId));
    assert.ok(typesIn(client).includes('HITL_RESUMED'));
  });

  it('requires only read scope', async () => {
    const id = await ended();
    const reader = await flows.service.tenant('reader', { scopes: ['read'] });
    const { key } = (await acme.post('/api/v1/api-keys', { name: 'x', graph_ids: [graph] })).body;
    const app = flows.service.withKey(acme.tenant, key);
    // Its key reads, and the execution is another tenant's.
    assert.deepEqual(await refusal(id, reader), [404, '{"error":"execution not found"}']);
    const writer = await flows.service.tenant('writer', { scopes: ['write', 'invoke'] });
    assert.deepEqual(await refusal(id, writer), [403, `{"error":"forbidden: token lacks 'read' scope"}`]);
    assert.deepEqual(await refusal(id, app), [404, '{"error":"execution not found"}']);
    const unknown = flows.service.withKey(acme.tenant, '0'.repeat(64));
    assert.deepEqual(await refusal(id, unknown), [401, unauthorized]);
  });

  it('refuses unknown sessions and those of another tenant with the same error', async () => {
    const other = await flows.tenant('other');
    const mine = await ended({ debug_session_id: 'mine' });
    for (const session of [
      mine,
      'mine',
      '0'.repeat(32),
      'no such session',
      '',
      '%',
      "'",
      'x'.repeat(5_000),
    ]) {
      assert.deepEqual(await refusal(session, other), [404, '{"error":"execution not found"}'], session);
    }
  });

  it('refuses a request without a session id or without an upgrade', async () => {
    const missing = await refusedSocket(flows.service.url + path, headersOf(acme));
    assert.equal(missing.status, 400);
    assert.match(missing.body, /"invalid_argument","message":"query parameter session_id: is required"/);
    const { body } = await flows.invoke(await flows.compile(twoSteps({ name: 'Plain' })));
    const plain = await acme.get(`${path}?session_id=${body.execution_id as string}`);
    assert.deepEqual([plain.status, plain.body.error], [426, 'upgrade_required']);
    // Clients whose sockets hide the status of a refusal can read it like this.
    const unknown = await acme.get(`${path}?session_id=x`);
    assert.deepEqual([unknown.status, unknown.body.error], [404, 'execution not found']);
  });

  it('refuses suspended tenants', async () => {
    const { db } = flows.service;
    const other = await flows.tenant('suspended');
    await updateTenantStatus(db.knex, other.tenant.id, 'suspended');
    assert.deepEqual(await refusal('x', other), [
      403,
      JSON.stringify({ error: 'tenant_suspended', message: suspendedText }),
    ]);
  });

  it('accepts the key as a subprotocol', async () => {
    const id = await ended();
    const client = await openSocket(urlOf(id), { protocols: [`svc-token.${acme.key}`] });
    assert.equal((await client.closed).code, 1000);
    assert.deepEqual(eventsIn(client), await stored(id));
    // Node's own WebSocket follows the rules of browsers, which require the subprotocol in the response.
    const browser = new WebSocket(urlOf(id), [`svc-token.${acme.key}`]);
    const received: unknown[] = [];
    browser.onmessage = ({ data }) => received.push(data);
    const { code } = await new Promise<{ code: number }>((resolve) => (browser.onclose = resolve));
    assert.deepEqual([code, received.slice(1)], [1000, client.received.slice(1)]);
    const wrong = await refusedSocket(urlOf(id), { protocols: [`svc-token.${'0'.repeat(64)}`] });
    assert.deepEqual([wrong.status, wrong.body], [401, unauthorized]);
  });

  it('shows an app key only the runs that it started, on its own origins', async () => {
    const origin = 'https://shop.example';
    const mint = async (): Promise<Caller> => {
      const fields = {
        name: 'k',
        graph_ids: [graph],
        allowed_origins: [origin],
        rate_rps: 1e3,
        rate_burst: 1e3,
      };
      return flows.service.withKey(acme.tenant, (await acme.post('/api/v1/api-keys', fields)).body.key);
    };
    const [one, two] = [await mint(), await mint()];
    const id = await run({ debug_session_id: 'shared' }, one);
    await endOf(acme, id);
    const own = await openSocket(urlOf(id), { protocols: [`svc-token.${one.key}`], origin });
    assert.equal((await own.closed).code, 1000);
    assert.deepEqual(eventsIn(own), await stored(id));
    assert.equal((await refusal(id, two))[0], 404);
    assert.equal((await refusal('shared', two))[0], 404);
    const elsewhere = await refusedSocket(urlOf(id), {
      protocols: [`svc-token.${one.key}`],
      origin: 'https://other.example',
    });
    assert.deepEqual(
      [elsewhere.status, elsewhere.body],
      [403, '{"error":"origin not in app key allowlist"}'],
    );
    // Of a topic, each key sees its own runs.
    const second = await run({ debug_session_id: 'shared' }, two);
    await endOf(acme, second);
    for (const [key, execution] of [
      [one, id],
      [two, second],
    ] as const) {
      const client = await follow('shared', key);
      await until(() => typesIn(client).includes('FLOW_COMPLETED'));
      assert.deepEqual(eventsIn(client), await stored(execution));
      client.ws.close();
    }
  });

  it('shows the past and future runs of a topic, and stays open', async () => {
    const first = await ended({ debug_session_id: 'topic "1" %_!' });
    await ended({ debug_session_id: 'topic "2"' });
    await ended({ input: { text: '"topic \\"1\\" %_!"' } });
    const client = await follow('topic "1" %_!');
    await client.receives(1);
    const ready = JSON.parse(client.received[0]!) as Event;
    assert.deepEqual([ready.session_id, ready.execution_id], ['topic "1" %_!', undefined]);
    await until(() => typesIn(client).includes('FLOW_COMPLETED'));
    const firstEvents = await stored(first);
    assert.deepEqual(eventsIn(client), firstEvents);
    const second = await invokeFlow(
      acme,
      graph,
      { idempotency_key: 'by header', debug_session_id: 'ignored' },
      { 'X-Debug-Session-Id': 'topic "1" %_!' },
    );
    const secondEvents = await stored(second.body.execution_id);
    await client.receives(1 + firstEvents.length + secondEvents.length);
    assert.deepEqual(eventsIn(client), [...firstEvents, ...secondEvents]);
    client.ws.close();
    await client.closed;
  });

  it('finds a topic whose name exceeds the length of an index', async () => {
    const long = Array.from({ length: 100 }, (_, n) => hash('sha256', String(n))).join('');
    const names = [long, 'short', `${long}!`];
    const runs = await Promise.all(names.map((name) => ended({ debug_session_id: name })));
    for (const [index, name] of names.entries()) {
      const client = await follow(name);
      await until(() => typesIn(client).includes('FLOW_COMPLETED'));
      assert.deepEqual(eventsIn(client), await stored(runs[index]!));
      client.ws.close();
    }
  });

  it('shows the forks that name the topic, regardless of the topic of their parent', async () => {
    const parent = await ended({ debug_session_id: 'parents' });
    const fork = async (body: object): Promise<string> => {
      const checkpoint = { checkpoint_id: `${parent}-0`, ...body };
      const answer = await acme.post(`/invocations/v1/executions/${parent}/fork`, checkpoint);
      assert.equal(answer.status, 202, JSON.stringify(answer.body));
      const id = answer.body.execution_id as string;
      await endOf(acme, id);
      return id;
    };
    const named = await fork({ debug_session_id: 'forks' });
    const nameless = await fork({ idempotency_key: 'nameless' });
    const forks = await follow('forks');
    const parents = await follow('parents');
    for (const [follower, expected] of [
      [forks, named],
      [parents, parent],
    ] as const) {
      await until(() => typesIn(follower).includes('FLOW_COMPLETED'));
      assert.deepEqual(eventsIn(follower), await stored(expected));
      follower.ws.close();
    }
    assert.notEqual(named, nameless);
  });

  it("hides another tenant's topic with the same name", async () => {
    const other = await flows.tenant('namesake');
    const theirGraph = (await other.post('/api/v1/graphs/compile', twoSteps())).body.graph_id as string;
    await ended({ debug_session_id: 'same' });
    const theirs = await run({ debug_session_id: 'same' }, other, theirGraph);
    await endOf(other, theirs);
    const client = await follow('same', other);
    await until(() => typesIn(client).includes('FLOW_COMPLETED'));
    await ended({ debug_session_id: 'same' });
    const again = await run({ debug_session_id: 'same' }, other, theirGraph);
    await until(() => typesIn(client).filter((type) => type === 'FLOW_COMPLETED').length === 2);
    assert.deepEqual(new Set(eventsIn(client).map(({ execution_id: id }) => id)), new Set([theirs, again]));
    client.ws.close();
  });

  it('shows the memory activity of nodes between the stored events', async () => {
    const detail = '{"n":1,"big":9007199254740993}';
    flows.behaviours.set('a', (input, answer) => {
      answer.say({ case: 'memory', value: { operation: 'WRITE', key: 'k', detailJson: detail } as never });
      return input;
    });
    const held = hold();
    const id = await run();
    await until(held.called);
    const client = await follow(id);
    await client.receives(6);
    held.release();
    await client.closed;
    const [started, memory, completed] = eventsIn(client);
    assert.deepEqual(
      [started!.type, memory!.type, completed!.type],
      ['NODE_STARTED', 'MEMORY_WRITE', 'NODE_COMPLETED'],
    );
    assert.deepEqual([memory!.memory_key, typeof memory!.memory_detail], ['k', 'object']);
    assert.ok(client.received.some((text) => text.includes(`"memory_detail":${detail}`)));
    assert.deepEqual(
      eventsIn(client)
        .filter(({ type }) => type !== 'MEMORY_WRITE')
        .map(({ event_ulid: ulid }) => ulid),
      (await stored(id)).map(({ event_ulid: ulid }) => ulid),
    );
  });

  it('shows the events of a branch by the id of the branch', async () => {
    const forked = await flows.compile({
      ...twoSteps({ name: 'Forked' }),
      nodes: [step('a'), step('c'), step('b', { join: { policy: 'all' } })],
      edges: [
        { from: 'a', to: 'b' },
        { from: 'a', to: 'c' },
        { from: 'c', to: 'b' },
      ],
    });
    const id = await run({}, acme, forked);
    await endOf(acme, id);
    const branches = new Set(
      (await stored(id)).map(({ instance_id: branch }) => branch as string | undefined),
    );
    const branch = [...branches].find((one) => one !== undefined && one !== id);
    assert.ok(branch, [...branches].join());
    const client = await follow(branch);
    assert.equal((await client.closed).code, 1000);
    assert.deepEqual(eventsIn(client), await stored(branch));
    assert.ok(eventsIn(client).length > 0);
  });

  it('replays a direct call', async () => {
    const answer = await acme.post('/invocations/v1/nodes/acme/steps/1.0.0/Step', {});
    const id = answer.headers.get('x-execution-id') ?? '';
    const client = await follow(id);
    assert.equal((await client.closed).code, 1000);
    assert.deepEqual(typesIn(client), ['NODE_STARTED', 'NODE_COMPLETED']);
    assert.deepEqual(eventsIn(client), await stored(id));
  });

  it('replays only the latest 1,000 events', async () => {
    flows.behaviours.set('a', (input, answer) => {
      for (let line = 0; line < 1_500; line += 1) {
        answer.say({ case: 'log', value: { level: 'info', message: String(line) } });
      }
      return input;
    });
    const id = await ended();
    const all = await stored(id);
    assert.equal(all.length, 1_506);
    const client = await follow(id);
    assert.equal((await client.closed).code, 1000);
    assert.deepEqual(eventsIn(client), all.slice(-1_000));
  });

  itSlow('replays messages that are stored as files', async () => {
    const text = 'x'.repeat(3_000_000);
    const id = await ended({ input: { text } });
    const client = await follow(id);
    assert.equal((await client.closed).code, 1000);
    const all = await stored(id);
    // Replays are also bounded in bytes, so only the latest of five such events are sent.
    assert.ok(eventsIn(client).length < all.length);
    assert.deepEqual(eventsIn(client), all.slice(-eventsIn(client).length));
    assert.ok((eventsIn(client).at(-1)!.output_bytes as string).length > 4_000_000);
  });

  it('closes with 1008 when the client sends a message', async () => {
    const held = hold();
    const client = await follow(await run());
    client.ws.send('hello');
    assert.deepEqual(await client.closed, { code: 1008, reason: 'this socket takes no messages' });
    await until(held.called);
    held.release();
  });

  it('closes after SESSION_READY if the history of the run was deleted', async () => {
    const id = await ended();
    await flows.service.db.knex('journal').where({ execution_id: id }).delete();
    const client = await follow(id);
    assert.equal((await client.closed).code, 1000);
    assert.equal(client.received.length, 1);
  });

  itSlow('closes at once when the service shuts down', async () => {
    const own = await startFlowService(start);
    askHuman(own);
    const { executionId } = await pausedRun(own.acme, await compileFlow(own.acme, approval));
    const url = `${own.service.url}${path}?session_id=${executionId}`;
    const client = await openSocket(url, headersOf(own.acme));
    await client.receives(2);
    // Nothing waits for the end of the grace period.
    const drained = own.service.app.drain(600_000);
    assert.deepEqual(await client.closed, { code: 1001, reason: 'the service is shutting down' });
    await drained;
    await own.stop();
  });

  it('is documented in the OpenAPI document', async () => {
    const { body } = await request(`${flows.service.url}/openapi.json`);
    const { responses } = body.paths[path].get;
    assert.deepEqual(Object.keys(responses), ['101', '400', '401', '403', '404', '426', '429', '500', '503']);
    assert.ok(responses['101'].content['application/json'].schema.anyOf);
    const { example } = responses['426'].content['application/json'];
    const { body: run } = await flows.invoke(await flows.compile(twoSteps({ name: 'Plain' })));
    const plain = await acme.get(`${path}?session_id=${run.execution_id as string}`);
    assert.equal(plain.body.message, example.message.replace('<path>', path));
  });
});
