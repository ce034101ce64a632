import assert from 'node:assert/strict';
import { insertApiKey } from '../../service/store/api-keys.ts';
import { itSlow } from '../support/fast-run.ts';
import { type FlowService, startFlowService } from '../support/flow-service.ts';
import { type Answer, type Caller, type RunningService, startService } from '../support/running-service.ts';
import { sampleKey } from '../support/sample-records.ts';
import { step } from '../support/step-package.ts';
import { assertTurn, watchTurns } from '../support/turn-watch.ts';

/** Processor time of the main thread in which nothing else is answered. */
const maxTurnMs = 100;

describe('long requests do not block the event loop', () => {
  let service: RunningService;
  let acme: Caller;
  beforeEach(async () => {
    service = await startService();
    acme = await service.tenant('acme');
  });
  afterEach(() => service.stop());

  let flowService: FlowService | undefined;
  const startFlows = async (): Promise<FlowService> => (flowService = await startFlowService());
  afterEach(async () => {
    await flowService?.stop();
    flowService = undefined;
  });

  it('while a list of 25 MB is read and written', async function () {
    this.timeout(30_000);
    const keys = 1_600;
    const graphIds = Array.from({ length: 500 }, (_, n) => `g_${String(n).padStart(20, '0')}`);
    for (let n = 0; n < keys; n += 1) {
      await insertApiKey(service.db.knex, sampleKey(acme.tenant.id, { name: `key ${n}`, graphIds }));
    }
    const watch = watchTurns();
    const answer = await fetch(`${service.url}/api/v1/api-keys`, {
      headers: { Authorization: `Bearer ${acme.key}` },
    });
    let bytes = 0;
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      // Parsing the whole would be a long turn of this test.
      text +=
        decoder
          .decode(chunk, { stream: true })
          .match(/key \d+/g)
          ?.join() ?? '';
    }
    assertTurn(watch.stop(), maxTurnMs);
    assert.equal(answer.status, 200);
    assert.ok(bytes > 20_000_000, `${bytes} bytes`);
    assert.ok(text.includes('key 0') && text.includes(`key ${keys - 1}`));
  });

  itSlow('while a version of 500 nodes is planned', async function () {
    this.timeout(60_000);
    const nodes = Array.from({ length: 500 }, (_, n) => `Node${n}`);
    const fields = Array.from({ length: 8 }, (_, n) => `string field_${n} = ${n + 1};`).join(' ');
    const messages = nodes.map((name) => `message ${name}In { ${fields} } message ${name}Out { ${fields} }`);
    const published = await acme.post('/api/v1/packages', {
      name: 'acme/many',
      version: '1.0.0',
      protos: { 'many.proto': `syntax = "proto3"; package acme.many.v1; ${messages.join('\n')}` },
      nodes: nodes.map((name) => ({
        name,
        input: `acme.many.v1.${name}In`,
        output: `acme.many.v1.${name}Out`,
      })),
    });
    assert.equal(published.status, 201);
    const client = await acme.post('/api/v1/clients', { name: 'Many' });
    const members = nodes.map((name) => ({ type: 'node', package: 'acme/many', node_name: name }));
    const path = `/api/v1/clients/${client.body.id}`;
    const resolving = watchTurns();
    assert.equal((await acme.put(`${path}/members`, { members })).status, 200);
    assertTurn(resolving.stop(), maxTurnMs, 'storing the members');
    // A second version, which is compared with the first.
    for (const version of [1, 2]) {
      const watch = watchTurns();
      const built = await acme.post(`${path}/build`, { languages: ['go'] });
      assertTurn(watch.stop(), maxTurnMs, `version ${version}`);
      assert.deepEqual([built.status, built.body[0].version], [202, version]);
    }
  });

  itSlow('while a history of many values is decoded', async function () {
    this.timeout(60_000);
    const flows = await startFlows();
    const graph = await flows.compile({
      name: 'one',
      entry: 'a',
      terminal: 'a',
      nodes: [step('a')],
      edges: [],
    });
    const parts = Array.from({ length: 700_000 }, () => ({}));
    const { body } = await flows.invoke(graph, { input: { parts } });
    assert.equal(body.result.success, true, JSON.stringify(body).slice(0, 500));
    const read = async (query: string): Promise<string> => {
      const path = `/invocations/v1/executions/${body.execution_id}/${query}`;
      const answer = await fetch(`${flows.service.url}${path}`, {
        headers: { Authorization: `Bearer ${flows.acme.key}` },
      });
      assert.equal(answer.status, 200);
      return answer.text();
    };
    const { events } = JSON.parse(await read('events?event_type=NODE_COMPLETED')) as {
      events: { output_bytes: string }[];
    };
    assert.ok((events[0]?.output_bytes.length ?? 0) > 1_000_000);
    const watch = watchTurns();
    const text = await read('events?decode=true');
    // Parsing and printing the messages took 76.
    assertTurn(watch.stop(), maxTurnMs / 2);
    // Twice as an input and an output, and once as the output of the flow.
    assert.equal(text.split(JSON.stringify({ parts }).slice(1, -1)).length, 4);
  });

  itSlow('while the large flows of an app key or a client are read', async function () {
    this.timeout(60_000);
    const flows = await startFlows();
    const graphs: string[] = [];
    for (let n = 0; n < 100; n += 1) {
      const nodes = Array.from({ length: 500 }, (_, index) => `${'n'.repeat(20)}${index}`);
      graphs.push(
        await flows.compile({
          name: `flow ${n}`,
          entry: nodes[0],
          terminal: nodes.at(-1),
          nodes: nodes.map((id) => step(id)),
          edges: nodes.slice(1).map((to, index) => ({ from: nodes[index], to })),
        }),
      );
    }
    const { body: minted } = await flows.acme.post('/api/v1/api-keys', { name: 'shop', graph_ids: graphs });
    const shop = flows.service.withKey(flows.acme.tenant, minted.key as string);
    const { body: client } = await flows.acme.post('/api/v1/clients', { name: 'Many' });
    const members = graphs.map((id, n) => ({ type: 'flow', artifact_id: id, alias: `flow${n}` }));
    const path = `/api/v1/clients/${client.id}`;
    const requests: [string, number, () => Promise<Answer>][] = [
      ['warming', 202, () => shop.post('/invocations/v1/flows/warm', {})],
      ['storing the members', 200, () => flows.acme.put(`${path}/members`, { members })],
      ['cutting a version', 202, () => flows.acme.post(`${path}/build`, { languages: ['go'] })],
    ];
    for (const [title, expected, send] of requests) {
      const watch = watchTurns();
      const { status } = await send();
      // It took 170 to 190 for each.
      assertTurn(watch.stop(), maxTurnMs / 2, title);
      assert.equal(status, expected, title);
    }
  });
});
