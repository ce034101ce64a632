import assert from 'node:assert/strict';
import { approval, askHuman, pausedRun } from '../support/asking-flow.ts';
import { endOf } from '../support/execution-records.ts';
import { itSlow } from '../support/fast-run.ts';
import { type FlowService, invokeFlow, startFlowService } from '../support/flow-service.ts';
import {
  eventsOf,
  openDebugStream,
  type Replica,
  RunFollower,
  storedEvents,
} from '../support/run-follower.ts';
import { eachService, type RunningService, startService } from '../support/running-service.ts';
import { openEvents } from '../support/event-stream.ts';
import { publishStreams } from '../support/stream-package.ts';
import { step, twoSteps } from '../support/step-package.ts';
import { until } from '../support/until.ts';

eachService('following a run', function (start) {
  let flows: FlowService;
  let second: RunningService | undefined;
  /** The replica that executes the run, and a second one if there is one. */
  let replicas: Replica[];
  before(async function () {
    this.timeout(180_000);
    flows = await startFlowService(start);
    const { config, url } = flows.service;
    if (config.databaseUrl !== null) {
      // Large messages are files that the replicas share.
      second = await startService({ SVC_DATABASE_URL: config.databaseUrl, SVC_DATA_DIR: config.dataDir });
    }
    replicas = [{ url, caller: flows.acme }];
    if (second) {
      replicas.push({ url: second.url, caller: second.withKey(flows.acme.tenant, flows.acme.key) });
    }
  });
  after(async () => {
    await second?.stop();
    await flows.stop();
  });
  afterEach(() => flows.behaviours.clear());

  const replica = (n: number): Replica => replicas[n % replicas.length]!;
  let runs = 0;
  const run = async (graphId: string, input: object = {}): Promise<string> => {
    const idempotency_key = `run ${(runs += 1)}`;
    const { body } = await invokeFlow(flows.acme, graphId, { wait: false, idempotency_key, input });
    return body.execution_id as string;
  };
  /** A run whose second node logs on demand until the test ends it. */
  const talkingRun = async () => {
    let say: ((count: number) => void) | undefined;
    let end = (): void => undefined;
    flows.behaviours.set('b', (_input, answer) => {
      let line = 0;
      say = (count) => {
        for (let n = 0; n < count; n += 1) {
          answer.say({ case: 'log', value: { level: 'info', message: String((line += 1)) } });
        }
      };
      end = () => {
        answer.say({ case: 'error', value: { message: 'over', retryable: false } as never });
        answer.end();
      };
      return undefined;
    });
    const id = await run(await flows.compile(twoSteps()));
    await until(() => say !== undefined);
    return { id, say: (count: number) => say?.(count), end: () => end() };
  };
  /** Waits until the history has this many events. */
  const stored = async (id: string, count: number): Promise<void> => {
    const follower = new RunFollower(id);
    while (follower.events.length < count) await follower.page(replica(0));
  };

  itSlow('returns the stored events in order across broken connections', async () => {
    const { id, say, end } = await talkingRun();
    let said = 4;
    const followers = [1, 7, 40, 160, 700].map((patience, index) => ({
      patience,
      index,
      it: new RunFollower(id),
    }));
    let over = false;
    const following = followers.map(async ({ patience, index, it }) => {
      for (let round = index; !it.hasEnd; round += 1) {
        // Impatient clients drop their connection at once, others stay for a while.
        await it.follow(replica(round), over ? Infinity : patience);
      }
    });
    for (let burst = 0; burst < 12; burst += 1) {
      // Includes bursts of more events than a replay holds.
      const count = burst % 4 === 3 ? 1_300 : 150;
      say(count);
      await stored(id, (said += count));
    }
    over = true;
    end();
    await Promise.all(following);
    const all = await storedEvents(flows.acme, id);
    assert.equal(all.length, said + 2);
    for (const { it } of followers) assert.deepEqual(it.events, all);
  });

  itSlow('delivers every event to 500 followers', async function () {
    this.timeout(180_000);
    const { id, say, end } = await talkingRun();
    const clients = await Promise.all(
      Array.from({ length: 500 }, (_, index) => openDebugStream(replica(index), id)),
    );
    for (let burst = 0; burst < 6; burst += 1) say(50);
    end();
    for (const { code } of await Promise.all(clients.map(({ closed }) => closed))) assert.equal(code, 1000);
    const all = await storedEvents(flows.acme, id);
    assert.equal(all.length, 4 + 300 + 2);
    const [first, ...others] = clients.map(({ received }) => received.slice(1).join('\n'));
    assert.deepEqual(eventsOf(clients[0]!), all);
    for (const other of others) assert.ok(other === first);
  });

  itSlow(
    'disconnects a follower that stops reading, which can read the missed events and reconnect',
    async function () {
      this.timeout(180_000);
      askHuman(flows);
      const nodes = ['ask', ...Array.from({ length: 200 }, (_, index) => `n${index}`)];
      /** Nodes whose events the reader has. */
      const read = new Set<unknown>();
      // A node answers when the reader has an event of the tenth before it, so that the reader is never left behind.
      for (const [index, id] of nodes.entries()) {
        if (index <= 10) continue;
        flows.behaviours.set(id, async (input) => {
          await until(() => read.has(nodes[index - 10]));
          return input;
        });
      }
      const graph = await flows.compile({
        name: 'Long chain',
        entry: 'ask',
        terminal: 'n199',
        nodes: nodes.map((id) => step(id)),
        edges: nodes.slice(1).map((to, index) => ({ from: nodes[index], to })),
      });
      const { executionId: id, pauseId } = await pausedRun(flows.acme, graph);
      const sleeper = await openDebugStream(replica(1), id);
      const reader = await openDebugStream(replica(1), id);
      const recovering = new RunFollower(id);
      reader.ws.on('message', (data: Buffer) => read.add(JSON.parse(data.toString()).node_id));
      await Promise.all([sleeper.receives(2), reader.receives(2)]);
      sleeper.ws.pause();
      // Some 30 MB of events: more than the connection and the service keep for a client that does not read.
      const body = { pause_id: pauseId, value: { text: 'x'.repeat(60_000) } };
      assert.equal((await flows.acme.post(`/invocations/v1/flows/${id}/resume`, body)).status, 200);
      // Neither the run nor the other follower waits.
      assert.equal((await reader.closed).code, 1000);
      await endOf(flows.acme, id);
      const all = await storedEvents(flows.acme, id);
      assert.deepEqual(eventsOf(reader), all);
      sleeper.ws.resume();
      assert.deepEqual(await sleeper.closed, {
        code: 1013,
        reason: 'slow consumer: read the missed events from GET .../events, then connect again',
      });
      assert.ok(sleeper.received.length < all.length);
      await recovering.follow(replica(1), Infinity);
      assert.deepEqual(recovering.events, all);
    },
  );

  it('continues across a pause, whichever replica receives the decision', async () => {
    askHuman(flows);
    const { executionId: id, pauseId } = await pausedRun(flows.acme, await flows.compile(approval));
    const followers = [0, 1].map((n) => ({ it: new RunFollower(id), replica: replica(n) }));
    const staying = await openDebugStream(replica(1), id);
    for (const { it, replica: where } of followers) {
      // Connects, and loses the connection while the run is paused.
      await it.follow(where, 0);
      assert.equal(it.events.at(-1)?.type, 'HITL_PAUSED');
    }
    const following = followers.map(({ it, replica: where }) => it.follow(where, Infinity));
    const decided = await replica(1).caller.post(`/invocations/v1/flows/${id}/resume`, {
      pause_id: pauseId,
      value: { text: 'go' },
    });
    assert.equal(decided.status, 200);
    await Promise.all(following);
    assert.equal((await staying.closed).code, 1000);
    const all = await storedEvents(flows.acme, id);
    assert.ok(all.some(({ type }) => type === 'HITL_RESUMED'));
    for (const { it } of followers) assert.deepEqual(it.events, all);
    assert.deepEqual(eventsOf(staying), all);
  });

  it('shows the runs of a topic on any replica', async () => {
    const graph = await flows.compile(twoSteps());
    const invoke = async (n: number, key: string): Promise<string> => {
      const { body } = await invokeFlow(replica(n).caller, graph, {
        idempotency_key: key,
        debug_session_id: 'topic',
      });
      return body.execution_id as string;
    };
    const first = await invoke(0, 'first');
    const client = await openDebugStream(replica(1), 'topic');
    const before = await storedEvents(flows.acme, first);
    await client.receives(1 + before.length);
    const [second, third] = [await invoke(0, 'second'), await invoke(1, 'third')];
    const later = [await storedEvents(flows.acme, second), await storedEvents(flows.acme, third)];
    await client.receives(1 + before.length + later.flat().length);
    const shown = eventsOf(client);
    assert.deepEqual(
      [first, second, third].map((id) => shown.filter(({ execution_id: run }) => run === id)),
      [before, ...later],
    );
    client.ws.close();
    await client.closed;
  });

  it('shows the frames of a pipeline flow as they are produced', async () => {
    const streams = await publishStreams(flows.acme, 'acme');
    let next = (): void => undefined;
    streams.handlers.set('Flow', async function* () {
      for (let n = 0; n < 3; n += 1) {
        yield { text: String(n) };
        await new Promise<void>((resolve) => (next = resolve));
      }
    });
    const graph = await flows.compile({
      name: 'stream',
      mode: 'pipeline',
      entry: 'a',
      terminal: 'a',
      nodes: [{ id: 'a', package: 'acme/streams', node_name: 'Flow' }],
      edges: [],
    });
    const stream = await openEvents(`${flows.service.url}/invocations/v1/flows/invoke/stream`, {
      method: 'POST',
      headers: { authorization: `Bearer ${flows.acme.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ graph_id: graph, input: {} }),
    });
    const id = stream.headers.get('x-execution-id') ?? '';
    const client = await openDebugStream(replica(1), id);
    const frames = (): number => eventsOf(client).filter(({ type }) => type === 'NODE_FRAME').length;
    for (let n = 1; n <= 3; n += 1) {
      // The next frame is made when this one has been seen.
      await until(() => frames() === n);
      next();
    }
    await stream.rest();
    assert.equal((await client.closed).code, 1000);
    assert.deepEqual(eventsOf(client), await storedEvents(flows.acme, id));
    await streams.server.stop(0);
  });
});
