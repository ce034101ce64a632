import assert from 'node:assert/strict';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { compileFlow, invokeFlow } from '../support/flow-service.ts';
import { writeMapEntries } from '../support/map-entries.ts';
import { type Caller, eachService, type RunningService } from '../support/running-service.ts';
import { type ScriptedContainer, startScriptedContainer } from '../support/scripted-container.ts';

const levels = `
syntax = "proto2";
package acme.levels.v1;
enum Level { LOW = 1; HIGH = 2; }
message Levels { optional Level one = 1; repeated Level many = 2; map<string, Level> named = 3; }
`;
const { Varint } = WireType;

/** Declared and undeclared numbers in every field. */
function mixed(): Uint8Array {
  const writer = new BinaryWriter().tag(1, Varint).int32(9);
  for (const number of [1, 9, 2]) writer.tag(2, Varint).int32(number);
  const named = [
    ['a', 2],
    ['b', 9],
  ] as const;
  return writeMapEntries(writer, 3, named).finish();
}

eachService('undeclared numbers of a closed enum', (start) => {
  let service: RunningService;
  let container: ScriptedContainer;
  let acme: Caller;
  before(async function () {
    this.timeout(60_000);
    // The node `b` of a flow returns its input; all others answer with numbers of a later release of their proto.
    container = await startScriptedContainer((answer, { context, input }) => {
      answer.say({ case: 'output', value: context?.placementId === 'b' ? input : mixed() });
      answer.end();
    });
    service = await start();
    acme = await service.tenant('acme');
    const ports = { input: 'acme.levels.v1.Levels', output: 'acme.levels.v1.Levels' };
    const published = await acme.post('/api/v1/packages', {
      name: 'acme/levels',
      version: '1.0.0',
      protos: { 'acme/levels/v1/levels.proto': levels },
      endpoint: container.endpoint,
      nodes: [{ name: 'Tell', ...ports }],
    });
    assert.equal(published.status, 201, JSON.stringify(published.body));
  });
  after(async () => {
    await service.stop();
    container.kill();
  });

  const declared = { many: ['LOW', 'HIGH'], named: { a: 'HIGH' } };
  const call = '/invocations/v1/nodes/acme/levels/1.0.0/Tell';

  it('are omitted from the JSON response of a node, like unknown fields', async () => {
    const { status, body } = await acme.post(call, {});
    assert.deepEqual([status, body], [200, declared]);
  });

  it('are refused in the input of a node', async () => {
    for (const input of [{ one: 9 }, { many: [1, 9] }, { named: { b: 9 } }]) {
      const { status, body } = await acme.post(call, input);
      assert.equal(status, 400);
      assert.match(body.error_message as string, /carries enum ordinal 9, which names no declared value/);
    }
  });

  it('are invisible to edges', async () => {
    const place = (id: string) => ({ id, package: 'acme/levels', node_name: 'Tell' });
    const edge = {
      from: 'a',
      to: 'b',
      condition: 'size(many) == 2',
      adapter: { many: 'many', named: 'named' },
    };
    const flow = {
      name: 'Levels',
      entry: 'a',
      terminal: 'b',
      nodes: [place('a'), place('b')],
      edges: [edge],
    };
    const { body } = await invokeFlow(acme, await compileFlow(acme, flow));
    assert.deepEqual(body.result.output, declared, JSON.stringify(body));
  });
});
