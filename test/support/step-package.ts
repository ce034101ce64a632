import type { Caller } from './running-service.ts';

const source = `
syntax = "proto3";
package acme.steps.v1;

message Step {
  string text = 1;
  int64 count = 2;
  repeated string words = 3;
  Part part = 4;
  repeated Part parts = 5;
  Color color = 6;
}
message Part { string name = 1; }
message Other { string text = 1; Part part = 2; }
enum Color { COLOR_UNSPECIFIED = 0; COLOR_RED = 1; }
`;

/** Returns the body of a publication with nodes for many kinds of edges. `changes` replace its fields. */
export function stepPackage(changes: Record<string, unknown> = {}): Record<string, unknown> {
  const ports = { input: 'acme.steps.v1.Step', output: 'acme.steps.v1.Step' };
  return {
    name: 'acme/steps',
    version: '1.0.0',
    visibility: 'public',
    protos: { 'acme/steps/v1/steps.proto': source },
    nodes: [
      { name: 'Step', ...ports },
      { name: 'Again', ...ports },
      { name: 'Turn', input: 'acme.steps.v1.Step', output: 'acme.steps.v1.Other' },
      { name: 'Flow', ...ports, mode: 'pipeline' },
      { name: 'Open', kind: 'generic', generic: ['output'], input: 'acme.steps.v1.Step' },
      { name: 'Sealed', ...ports, required_secrets: ['API_TOKEN'] },
    ],
    ...changes,
  };
}

export async function publishSteps(caller: Caller, changes: Record<string, unknown> = {}): Promise<void> {
  const answer = await caller.post('/api/v1/packages', stepPackage(changes));
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
}

/** Returns a placement of one of its nodes. */
export function step(id: string, fields: Record<string, unknown> = {}): Record<string, unknown> {
  return { id, package: 'acme/steps', node_name: 'Step', ...fields };
}

/** Returns a flow of two steps; `changes` replace its fields. */
export function twoSteps(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    name: 'Two steps',
    entry: 'a',
    terminal: 'b',
    nodes: [step('a'), step('b')],
    edges: [{ from: 'a', to: 'b' }],
    ...changes,
  };
}
