import assert from 'node:assert/strict';
import { createIds } from '../../service/ids.ts';
import { systemClock } from '../../service/clock.ts';
import { itSlow } from '../support/fast-run.ts';
import { type FlowService, startFlowService } from '../support/flow-service.ts';
import { step } from '../support/step-package.ts';
import { assertTurn, watchTurns } from '../support/turn-watch.ts';

/** Processor time of the main thread in which nothing else is answered. */
const maxTurnMs = 100;

type Row = Record<string, unknown>;

const ids = createIds(systemClock);

describe('publications, compilations and mutations do not block the event loop', () => {
  let flows: FlowService;
  beforeEach(async () => {
    flows = await startFlowService();
    // Compiles the code that every compilation uses.
    await flows.compile(chain('warm', [step('a'), step('b')]));
  });
  afterEach(() => flows.stop());

  /** Adds copies of a version of the package of steps; `place` makes each one distinct. */
  async function copyVersions(
    count: number,
    place: (n: number) => { version: Row; package?: Row },
  ): Promise<void> {
    const { knex } = flows.service.db;
    const owner = (await knex('packages').where({ name: 'steps' }).first()) as Row;
    const first = (await knex('package_versions').where({ version: '1.0.0' }).first()) as Row;
    const node = (await knex('nodes').where({ version_id: first.id, name: 'Step' }).first()) as Row;
    await knex.transaction(async (tx) => {
      for (let n = 0; n < count; n += 1) {
        const placed = place(n);
        const id = ids.ulid();
        if (placed.package) await tx('packages').insert({ ...owner, ...placed.package });
        await tx('package_versions').insert({ ...first, id, ...placed.version });
        await tx('nodes').insert({ ...node, id: ids.ulid(), version_id: id });
      }
    });
  }

  it('while many message names are unknown', async function () {
    this.timeout(30_000);
    const messages = Array.from({ length: 3_000 }, (_, n) => `message M${'a'.repeat(60)}${n} {}`);
    const nodes = Array.from({ length: 50 }, (_, n) => ({
      name: `Node${n}`,
      input: `acme.big.v1.M${'b'.repeat(60)}${n}`,
      output: `acme.big.v1.M${'c'.repeat(60)}${n}`,
    }));
    const misspelt = { name: 'Last', input: `acme.big.v1.M${'a'.repeat(59)}1`, output: 'M' };
    const body = {
      name: 'acme/big',
      version: '1.0.0',
      protos: { 'big.proto': `syntax = "proto3"; package acme.big.v1; ${messages.join('\n')}` },
      nodes: [misspelt, ...nodes],
    };
    const watch = watchTurns();
    const answer = await flows.acme.post('/api/v1/packages', body);
    // It took 1,200 when each name was compared with all names of the protos.
    assertTurn(watch.stop(), maxTurnMs);
    assert.equal(answer.status, 400);
    const error = answer.body.error as string;
    assert.ok(error.includes(`1" is not in the protos: did you mean acme.big.v1.M${'a'.repeat(60)}1`), error);
  });

  itSlow('while versions are selected among many', async function () {
    this.timeout(60_000);
    const count = 500;
    await copyVersions(count, (n) => ({ version: { version: `1.${((n * 7919) % count) + 1}.0` } }));
    const nodes = Array.from({ length: 500 }, (_, n) => step(`n${n}`));
    const watch = watchTurns();
    const graphId = await flows.compile(chain('latest', nodes));
    assertTurn(watch.stop(), maxTurnMs, 'the latest');
    const { body } = await flows.acme.get(`/api/v1/graphs/${graphId}`);
    assert.ok(JSON.stringify(body).includes(`"1.${count}.0"`));
    const unknown = nodes.map((node) => ({ ...node, version: '9.9.9' }));
    const watchOfUnknown = watchTurns();
    const refused = await flows.acme.post('/api/v1/graphs/compile', chain('unknown', unknown));
    assertTurn(watchOfUnknown.stop(), maxTurnMs, 'unknown ones');
    assert.equal(refused.status, 400);
    const names = Array.from({ length: 10 }, (_, n) => `1.${count - n}.0`).join(', ');
    assert.ok(
      JSON.stringify(refused.body).includes(`"9.9.9\\": it has ${names} and ${count - 9} more`),
      JSON.stringify(refused.body).slice(0, 500),
    );
  });

  itSlow('while a flow of many packages is compiled, and they become members of a client', async function () {
    this.timeout(60_000);
    const place = (n: number) => {
      const id = ids.ulid();
      return { package: { id, name: `other${n}` }, version: { package_id: id } };
    };
    await copyVersions(1_000, place);
    const nodes = Array.from({ length: 500 }, (_, n) => step(`n${n}`, { package: `acme/other${n}` }));
    const watch = watchTurns();
    await flows.compile(chain('many', nodes));
    assertTurn(watch.stop(), maxTurnMs, 'compiling');
    const members = Array.from({ length: 1_000 }, (_, n) => ({
      type: 'node',
      package: `acme/other${n}`,
      version: '1.0.0',
      node_name: 'Step',
      alias: `alias${n}`,
    }));
    const client = await flows.acme.post('/api/v1/clients', { name: 'Many' });
    const watchOfMembers = watchTurns();
    const stored = await flows.acme.put(`/api/v1/clients/${client.body.id}/members`, { members });
    assertTurn(watchOfMembers.stop(), maxTurnMs, 'storing the members');
    assert.equal(stored.status, 200);
  });

  it('while a pipeline flow is searched for loops', async () => {
    const count = 500;
    const nodes = Array.from({ length: count }, (_, n) =>
      step(`n${n}`, { version: '1.0.0', node_name: 'Flow' }),
    );
    const edges = nodes.flatMap((_, n) =>
      [1, 2, 3, 4].flatMap((far) => (n + far < count ? { from: `n${n}`, to: `n${n + far}` } : [])),
    );
    const document = { ...chain('dense', nodes), mode: 'pipeline', edges };
    const watch = watchTurns();
    await flows.compile(document);
    assertTurn(watch.stop(), maxTurnMs);
  });

  itSlow('while a step adds many mutations to a large graph, and they are replayed', async function () {
    this.timeout(60_000);
    const padding = Array.from({ length: 480 }, (_, n) => step(`pad${n}`));
    const document = {
      ...chain('grows', [step('grow'), step('b')]),
      nodes: [step('grow'), step('b'), ...padding],
      mutation_enabled: true,
      edges: [
        { from: 'grow', to: 'b' },
        ...padding.map(({ id }) => ({ from: 'b', to: id, condition: 'text == "never"' })),
      ],
    };
    flows.behaviours.set('grow', (input, answer) => {
      for (let n = 0; n < 100; n += 1) {
        const edges = [{ id: `more${n}`, from: 'grow', to: 'b', condition: 'false' }];
        answer.say({ case: 'mutation', value: { fragmentJson: JSON.stringify({ edges }) } as never });
      }
      return input;
    });
    const graphId = await flows.compile(document);
    const watch = watchTurns();
    const { body } = await flows.invoke(graphId);
    assertTurn(watch.stop(), maxTurnMs, 'compiling the mutations');
    assert.equal(body.result.success, true, JSON.stringify(body).slice(0, 500));
    const watchOfEvents = watchTurns();
    const events = await flows.acme.get(
      `/invocations/v1/executions/${body.execution_id}/events?limit=1&decode=true`,
    );
    assertTurn(watchOfEvents.stop(), maxTurnMs / 2, 'reading the events');
    assert.equal(events.status, 200);
  });
});

function chain(name: string, nodes: readonly Row[]): Row {
  const edges = nodes.slice(1).map(({ id }, n) => ({ from: nodes[n]?.id, to: id }));
  return { name, entry: nodes[0]?.id, terminal: nodes.at(-1)?.id, nodes, edges };
}
