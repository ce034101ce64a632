import type {
  Appearance,
  FlowMember,
  JsonValue,
  NodeMember,
  Release,
  SdkClient,
} from '../../generator/model/sdk-model.ts';
import type { Json } from '../errors/api-error.ts';
import type { ClientVersion } from '../store/client-versions.ts';

/**
 * The immutable content of a client version. Builds use it instead of the current client, members and visibility of packages. The
 * message types are in the package versions, to which Instances can be added, but which do not change otherwise.
 */
export interface ClientSnapshot {
  client: SdkClient;
  members: SnapshotMember[];
  /** Difference to the previous version, for CHANGELOG.md. */
  release: Release;
  /** Additions of each version after the first. Later versions keep the names of earlier ones. */
  firstSeen: Appearance[];
}

/** A member as frozen in its client version. */
export type SnapshotMember = SnapshotNode | SnapshotFlow;

/** A node member of a client version. */
export interface SnapshotNode extends Omit<NodeMember, 'sample'> {
  /** The publisher's sample. */
  sample?: JsonValue | undefined;
  /** The package version with the message types, of any tenant. */
  source: VersionRef;
}

/** A flow member of a client version. Its input and output may come from different packages. */
export interface SnapshotFlow extends Omit<FlowMember, 'sample'> {
  /** The sample of the entry node's publisher. */
  sample?: JsonValue | undefined;
  /** The package versions with the types of input and output. */
  inputSource: NamedVersionRef;
  outputSource: NamedVersionRef;
}

/** Identifies a package version in the store. */
export interface VersionRef {
  tenantId: string;
  versionId: string;
}

/** A package version with its public name, which distinguishes types with the same name. */
export interface NamedVersionRef extends VersionRef {
  /** `<handle>/<name>` */
  package: string;
  version: string;
}

/** Returns the stored form of a snapshot. */
export function snapshotToJson(snapshot: ClientSnapshot): Json {
  return snapshot as unknown as Json;
}

/** Reads a snapshot. Only `snapshotToJson` writes the column. */
export function snapshotOf(version: ClientVersion): ClientSnapshot {
  return version.snapshot as unknown as ClientSnapshot;
}
