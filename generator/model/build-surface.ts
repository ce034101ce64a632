import { describeTypes } from '../../specs/messages/describe-types.ts';
import { createMemory } from '../remember.ts';
import { mergeTypes, type TypeSource } from './merge-types.ts';
import { createSampler } from './sample-message.ts';
import type { FlowMember, JsonValue, NodeMember, SdkMember, Surface } from './sdk-model.ts';

/** A member as it is pinned: all of it but what follows from its types. */
export type MemberSource = NodeSource | FlowSource;

export interface NodeSource extends Omit<NodeMember, 'sample'> {
  /** `google.protobuf.FileDescriptorSet` of the pinned package version. Members of one version may share the array. */
  descriptorSet: Uint8Array;
}

export interface FlowSource extends Omit<FlowMember, 'sample'> {
  /** Package version that the entry node's input is of. */
  inputTypes: VersionTypes;
  /** Package version that the terminal node's output is of. */
  outputTypes: VersionTypes;
}

/** Types of a package version. */
export interface VersionTypes {
  /** `<handle>/<name>` */
  package: string;
  version: string;
  /** `google.protobuf.FileDescriptorSet` */
  descriptorSet: Uint8Array;
}

/**
 * Members with their types, sorted by alias: what the programs of a client version see. The order of `sources` does not matter.
 * Where two package versions define a type of one name differently, both are there (`merge-types.ts`), and `input` and
 * `output` name the right one.
 */
export function buildSurface(sources: readonly MemberSource[]): Surface {
  const merged = mergeTypes(typeSources(sources));
  const built = sources.map((source): SdkMember => {
    const { alias, mode, comment, pin } = source;
    const { inputTypes, outputTypes } = typesOf(source);
    const input = merged.nameOf(versionOf(inputTypes), source.input);
    const output = merged.nameOf(versionOf(outputTypes), source.output);
    const words = JSON.stringify([source.type, alias, mode, comment, pin, source.input, input, output]);
    return members.recall(inputTypes.descriptorSet, words, () => {
      const sample = sampleOf(inputTypes.descriptorSet, source.input);
      const rest = { alias, mode, comment, input, output, sample };
      return source.type === 'flow'
        ? { type: source.type, pin: source.pin, ...rest }
        : { type: source.type, pin: source.pin, ...rest };
    });
  });
  return { members: built.sort(byAlias), types: merged.types };
}

/** Members that clients pin from one package version are far more than the forms of a type. */
const mostMembers = 1024;

/**
 * Members by the package version that their input is of: the next version of a client has the same objects, and what was made of
 * them is recalled. The words are all that a member holds beside its sample.
 */
const members = createMemory<Uint8Array, SdkMember>(mostMembers);

/** Samples by full name: those of a package version do not change, nor what is printed of them. */
const samples = createMemory<Uint8Array, Map<string, JsonValue>>();

function sampleOf(descriptorSet: Uint8Array, fullName: string): JsonValue {
  const known = samples.recall(descriptorSet, '', () => new Map());
  const sample =
    known.get(fullName) ?? createSampler(describeTypes(descriptorSet, [fullName])).sample(fullName);
  known.set(fullName, sample);
  return sample;
}

function byAlias(a: SdkMember, b: SdkMember): number {
  return a.alias < b.alias ? -1 : a.alias > b.alias ? 1 : 0;
}

/** A node's types are all of its own version; a flow begins and ends with nodes of any two. */
function typesOf(source: MemberSource): Pick<FlowSource, 'inputTypes' | 'outputTypes'> {
  if (source.type === 'flow') return source;
  const { pin, descriptorSet } = source;
  const types = { package: pin.package, version: pin.version, descriptorSet };
  return { inputTypes: types, outputTypes: types };
}

/** Types by package version: each descriptor set is read once. */
function typeSources(sources: readonly MemberSource[]): TypeSource[] {
  const roots = sources.flatMap((source) => {
    const { inputTypes, outputTypes } = typesOf(source);
    return [
      { types: inputTypes, root: source.input },
      { types: outputTypes, root: source.output },
    ];
  });
  const byVersion = Map.groupBy(roots, ({ types }) => versionOf(types));
  return [...byVersion.values()].flatMap((ofVersion): TypeSource[] => {
    const [first] = ofVersion;
    if (first === undefined) return [];
    const { package: packageName, version, descriptorSet } = first.types;
    const types = describeTypes(
      descriptorSet,
      ofVersion.map(({ root }) => root),
    );
    return [{ packageName, version, types }];
  });
}

function versionOf(types: Pick<VersionTypes, 'package' | 'version'>): string {
  return `${types.package}@${types.version}`;
}
