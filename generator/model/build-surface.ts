import { createFileRegistry, fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { describeTypes } from '../../specs/messages/describe-types.ts';
import { mergeTypes, type TypeSource } from './merge-types.ts';
import { createSampler } from './sample-message.ts';
import type { NodeMember, Surface } from './sdk-model.ts';

/** A member as it is pinned: all of it but what follows from its types. */
export interface MemberSource extends Omit<NodeMember, 'sample'> {
  /** `google.protobuf.FileDescriptorSet` of the pinned package version. Members of one version may share the array. */
  descriptorSet: Uint8Array;
}

/**
 * Members with their types, sorted by alias: what the programs of a client version see. The order of `sources` does not matter.
 * Where two package versions define a type of one name differently, both are there (`merge-types.ts`), and `input` and
 * `output` name the right one.
 */
export function buildSurface(sources: readonly MemberSource[]): Surface {
  const merged = mergeTypes(typeSources(sources));
  const sampler = createSampler(merged.types);
  const members = sources.map((source): NodeMember => {
    const { type, alias, mode, pin, comment } = source;
    const input = merged.nameOf(versionOf(source), source.input);
    const output = merged.nameOf(versionOf(source), source.output);
    return { type, alias, mode, pin, comment, input, output, sample: sampler.sample(input) };
  });
  return { members: members.sort(byAlias), types: merged.types };
}

function byAlias(a: NodeMember, b: NodeMember): number {
  return a.alias < b.alias ? -1 : a.alias > b.alias ? 1 : 0;
}

/** Types by package version: each descriptor set is read once. */
function typeSources(sources: readonly MemberSource[]): TypeSource[] {
  const byVersion = Map.groupBy(sources, versionOf);
  return [...byVersion.values()].flatMap((members): TypeSource[] => {
    const [first] = members;
    if (first === undefined) return [];
    const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, first.descriptorSet));
    const roots = members.flatMap(({ input, output }) => [input, output]);
    const { package: packageName, version } = first.pin;
    return [{ packageName, version, types: describeTypes(registry, roots) }];
  });
}

function versionOf({ pin }: Pick<NodeMember, 'pin'>): string {
  return `${pin.package}@${pin.version}`;
}
