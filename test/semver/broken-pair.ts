import { planRelease } from '../../generator/changes/plan-release.ts';
import type { FlowMember, SdkModel } from '../../generator/model/sdk-model.ts';
import type { FieldModel } from '../../specs/messages/message-model.ts';
import type { VersionPair } from './version-pairs.ts';

/** Returns a pair whose second version lacks a flow and a field. A checker that does not find both checks nothing. */
export function brokenPair(): VersionPair {
  const calls = [memberOf('goes'), memberOf('stays')];
  const fields = [fieldOf('gone', 1), fieldOf('kept', 2)];
  const before = modelOf(1, calls, fields);
  const after = modelOf(2, calls.slice(1), fields.slice(1));
  return { name: 'pair-999', edits: ['removes a flow and a field'], before, after, step: 'minor' };
}

function modelOf(version: number, members: FlowMember[], fields: FieldModel[]): SdkModel {
  const fullName = 'acme.v1.Item';
  const item = { fullName, name: 'Item', comment: '', deprecated: false, fields, oneofs: [] };
  const surface = { slug: 'pair-999', members, types: { messages: [item], enums: [] } };
  return {
    client: { name: 'Pair', slug: surface.slug, description: '', handle: 'acme' },
    version,
    semver: `1.${version - 1}.0`,
    generator: 'svc/0.0.0',
    goModulePrefix: 'go.svc.internal',
    members,
    types: surface.types,
    order: members.map(({ alias }) => alias),
    changelog: [planRelease(1, surface, undefined).release],
    firstSeen: [],
  };
}

function memberOf(alias: string): FlowMember {
  const pin = { artifact: 'g1', graph: 'g1' };
  const type = 'acme.v1.Item';
  return { type: 'flow', alias, mode: 'unary', pin, comment: '', input: type, output: type, sample: {} };
}

function fieldOf(name: string, number: number): FieldModel {
  const type = { kind: 'scalar', scalar: 'string' } as const;
  return { name, jsonName: name, number, comment: '', deprecated: false, cardinality: 'single', type };
}
