import assert from 'node:assert/strict';
import { compileFlow, invokeFlow } from '../support/flow-service.ts';
import { type Caller, type RunningService, startService } from '../support/running-service.ts';

const source = `
syntax = "proto3";
package acme.any.v1;
import "google/protobuf/duration.proto";
import "google/protobuf/struct.proto";
import "google/protobuf/timestamp.proto";
import "google/protobuf/wrappers.proto";
message Uses {
  google.protobuf.Value value = 1;
  google.protobuf.Timestamp time = 2;
  google.protobuf.StringValue text = 3;
  google.protobuf.Duration duration = 4;
}
`;

/** Messages whose JSON is not an object, and valid values of each. */
const inputs: Record<string, readonly unknown[]> = {
  Value: [null, true, -1.5, 'text', [1, ['a', null]], { a: [{}] }],
  ListValue: [[], [1, 'two', { three: null }]],
  Timestamp: ['2026-11-21T12:00:00Z'],
  Duration: ['1.500s'],
  StringValue: ['text'],
  Int64Value: ['9007199254740993'],
  BoolValue: [true],
};

describe('a flow whose entry takes a well-known type', () => {
  let service: RunningService;
  let acme: Caller;
  before(async () => {
    service = await startService();
    acme = await service.tenant('acme', { limits: { invocationRps: 1e6, invocationBurst: 1e6 } });
    const nodes = Object.keys(inputs).map((name) => ({
      name,
      input: `google.protobuf.${name}`,
      output: `google.protobuf.${name}`,
    }));
    const body = { name: 'acme/any', version: '1.0.0', protos: { 'acme/any/v1/any.proto': source }, nodes };
    const published = await acme.post('/api/v1/packages', body);
    assert.equal(published.status, 201, JSON.stringify(published.body));
  });
  after(() => service.stop());

  /** A flow of one node that answers with a fixture of its own type. */
  const flowOf = (name: string, output: unknown): Promise<string> =>
    compileFlow(acme, {
      name,
      entry: 'a',
      terminal: 'a',
      nodes: [{ id: 'a', package: 'acme/any', node_name: name, mock: { output } }],
    });

  for (const [name, values] of Object.entries(inputs)) {
    it(`accepts the JSON of a ${name} as input and returns it as output`, async () => {
      for (const value of values) {
        const graphId = await flowOf(name, value);
        const { status, body } = await invokeFlow(acme, graphId, { input: value });
        assert.equal(status, 202, JSON.stringify(body));
        assert.deepEqual(body.result.output, value, JSON.stringify(body));
        const events = await acme.get(
          `/invocations/v1/executions/${body.execution_id}/events?decode=true&event_type=NODE_STARTED`,
        );
        assert.deepEqual(events.body.events[0].input, value);
      }
    });
  }

  it('fails the run if the input does not match the type', async () => {
    const graphId = await flowOf('Timestamp', '2026-11-21T12:00:00Z');
    const { status, body } = await invokeFlow(acme, graphId, { input: 'yesterday' });
    assert.equal(status, 202);
    assert.match(body.error_message, /^invalid JSON for google\.protobuf\.Timestamp: /);
  });
});
