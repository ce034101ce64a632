import type {
  Appearance,
  FlowMember,
  NodeMember,
  Release,
  SdkClient,
} from '../../generator/model/sdk-model.ts';
import type { Json } from '../errors/api-error.ts';
import type { ClientVersion } from '../store/client-versions.ts';

/**
 * A version of a client as it was when it was cut: all that its archives are made from, whatever later becomes of the client,
 * its members and the packages' visibility (SPEC.md, Versioning 5). Types stand in the package versions, which never change.
 */
export interface ClientSnapshot {
  client: SdkClient;
  members: SnapshotMember[];
  /** Difference to the version before, as CHANGELOG.md tells it. */
  release: Release;
  /** What later versions than the first brought, this one included: names given before are kept. */
  firstSeen: Appearance[];
}

export type SnapshotMember = SnapshotNode | SnapshotFlow;

export interface SnapshotNode extends Omit<NodeMember, 'sample'> {
  /** The package version that holds the types, of whichever tenant. */
  source: VersionRef;
}

export interface SnapshotFlow extends Omit<FlowMember, 'sample'> {
  /** The package versions that hold the types of what the flow takes and gives. */
  inputSource: NamedVersionRef;
  outputSource: NamedVersionRef;
}

/** Where a package version stands in the store. */
export interface VersionRef {
  tenantId: string;
  versionId: string;
}

export interface NamedVersionRef extends VersionRef {
  /** `<handle>/<name>` */
  package: string;
  version: string;
}

/** As the store keeps it. */
export function snapshotToJson(snapshot: ClientSnapshot): Json {
  return snapshot as unknown as Json;
}

/** Only `snapshotToJson` writes that column, so what it reads is one. */
export function snapshotOf(version: ClientVersion): ClientSnapshot {
  return version.snapshot as unknown as ClientSnapshot;
}
