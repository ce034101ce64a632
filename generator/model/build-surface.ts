import { describeTypes } from '../../specs/messages/describe-types.ts';
import { mergeTypes, type TypeSource } from './merge-types.ts';
import { createSampler } from './sample-message.ts';
import type { FlowMember, JsonValue, NodeMember, SdkMember, Surface } from './sdk-model.ts';

/** A pinned member, without what follows from its types. */
export type MemberSource = NodeSource | FlowSource;

/** A pinned node. */
export interface NodeSource extends Omit<NodeMember, 'sample'> {
  /** The publisher's sample. Absent: a sample is generated from the type. */
  sample?: JsonValue | undefined;
  /** `google.protobuf.FileDescriptorSet` of the pinned package version. Members of one version may share the array. */
  descriptorSet: Uint8Array;
}

interface FlowSource extends Omit<FlowMember, 'sample'> {
  /** The sample of the entry node's publisher. Absent: a sample is generated from the type. */
  sample?: JsonValue | undefined;
  /** Package version of the entry node's input. */
  inputTypes: VersionTypes;
  /** Package version of the terminal node's output. */
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
 * Returns the members with their types, sorted by alias: the interface of a client version that programs use. The order
 * of `sources` does not matter. If two package versions define a type with the same name differently, the surface
 * contains both (`merge-types.ts`), and `input` and `output` name the right one.
 */
export function buildSurface(sources: readonly MemberSource[]): Surface {
  const versions = typeSources(sources);
  const samplers = new Map(versions.map(({ key, types }) => [key, createSampler(types)]));
  const merged = mergeTypes(versions);
  const members = sources.map((source): SdkMember => {
    const { alias, mode, comment } = source;
    const { inputTypes, outputTypes } = typesOf(source);
    const rest = {
      alias,
      mode,
      comment,
      input: merged.nameOf(versionOf(inputTypes), source.input),
      output: merged.nameOf(versionOf(outputTypes), source.output),
      sample: source.sample ?? samplers.get(versionOf(inputTypes))?.sample(source.input) ?? {},
    };
    return source.type === 'flow'
      ? { type: source.type, pin: source.pin, ...rest }
      : { type: source.type, pin: source.pin, ...rest };
  });
  return { members: members.sort(byAlias), types: merged.types };
}

function byAlias(a: SdkMember, b: SdkMember): number {
  return a.alias < b.alias ? -1 : a.alias > b.alias ? 1 : 0;
}

/**
 * Returns the types of a member. A node's types are all from its own version; a flow's first and last nodes may come
 * from two different versions.
 */
function typesOf(source: MemberSource): Pick<FlowSource, 'inputTypes' | 'outputTypes'> {
  if (source.type === 'flow') return source;
  const { pin, descriptorSet } = source;
  const types = { package: pin.package, version: pin.version, descriptorSet };
  return { inputTypes: types, outputTypes: types };
}

/** Returns the types by package version. Each descriptor set is read once. */
function typeSources(sources: readonly MemberSource[]): (TypeSource & { key: string })[] {
  const roots = sources.flatMap((source) => {
    const { inputTypes, outputTypes } = typesOf(source);
    return [
      { types: inputTypes, root: source.input },
      { types: outputTypes, root: source.output },
    ];
  });
  const byVersion = Map.groupBy(roots, ({ types }) => versionOf(types));
  return [...byVersion].flatMap(([key, ofVersion]) => {
    const [first] = ofVersion;
    if (first === undefined) return [];
    const { package: packageName, version, descriptorSet } = first.types;
    const types = describeTypes(
      descriptorSet,
      ofVersion.map(({ root }) => root),
    );
    return [{ key, packageName, version, types }];
  });
}

function versionOf(types: Pick<VersionTypes, 'package' | 'version'>): string {
  return `${types.package}@${types.version}`;
}
