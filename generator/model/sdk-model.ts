import type { TypeModel } from '../../specs/messages/message-model.ts';

/**
 * The content of an SDK, as plain ordered data. The same model and the same generator produce the same bytes, so the
 * model contains nothing about the time or the machine: no date, no host, no key.
 */
export interface SdkModel {
  client: SdkClient;
  /** Client version, from 1. */
  version: number;
  /** Semantic version of the release, the same in every language. */
  semver: string;
  /** The generator and its version, for MANIFEST.json and the `User-Agent`: `svc/0.1.0`. */
  generator: string;
  /** Prefix of Go module paths: `go.svc.internal`. */
  goModulePrefix: string;
  /** Sorted by alias in code unit order; aliases are unique. */
  members: SdkMember[];
  /** Aliases in the order in which the tenant added the members. READMEs show the call of the first one first. */
  order: string[];
  /** Every type that the members reach. */
  types: TypeModel;
  /** Newest first; the first entry is this release. */
  changelog: Release[];
  /** Symbols added after the first version, oldest first: earlier names are kept. */
  firstSeen: Appearance[];
}

/** The part of a model that programs are written against, and that two versions are compared by. */
export type Surface = Pick<SdkModel, 'members' | 'types'>;

/** A surface, and the slug of the client, which packages and the client's class are named after. */
export interface NamedSurface extends Surface {
  slug: string;
}

/** The symbols that first appeared in a client version. */
export interface Appearance {
  version: number;
  /** Aliases. */
  members: string[];
  /** Full names of messages and enums. */
  types: string[];
  /** Fields, oneofs and enum values of older types: `<full name of the type>.<name>`. */
  parts: string[];
}

/** The tenant's client that an SDK is generated for. */
export interface SdkClient {
  /** As the tenant wrote it: untrusted text. */
  name: string;
  /** `[a-z0-9]+(-[a-z0-9]+)*` */
  slug: string;
  /** Untrusted text; empty if there is none. */
  description: string;
  /** Handle of the owning tenant, `[a-z0-9]+(-[a-z0-9]+)*`. */
  handle: string;
  /** Absent in versions that are older than this field. */
  metadata?: PackageMetadata;
}

/** What the tenant says about the packages of a client. An absent field is not stated anywhere in an archive. */
export interface PackageMetadata {
  /** An SPDX license expression: `Apache-2.0`, `MIT OR Apache-2.0`, `LicenseRef-Acme`. */
  license?: string | undefined;
  /** An absolute http or https URL, as the URL standard writes it. */
  homepage?: string | undefined;
  /** An absolute http or https URL, as the URL standard writes it. */
  repository?: string | undefined;
  /** Names of people or organizations, each with or without an address in angle brackets: untrusted text. */
  authors?: string[] | undefined;
  /** The packages must not be published to a public registry, where the package manager can prevent that. */
  private?: boolean | undefined;
}

/** A member of a client, by its `type`. */
export type SdkMember = NodeMember | FlowMember;

/** A published node, called directly. */
export interface NodeMember {
  type: 'node';
  /** As the tenant wrote it: untrusted text. */
  alias: string;
  /** `unary` answers once, `pipeline` streams frames. */
  mode: 'unary' | 'pipeline';
  pin: NodePin;
  /** Description of the node: untrusted text. */
  comment: string;
  /** Full names of messages in `types`, or of a well-known type: `google.protobuf.Struct`. */
  input: string;
  output: string;
  /** A small ProtoJSON input that validates, for examples and snippets: an object unless `input` is a well-known type. */
  sample: JsonValue;
}

/** The frozen identity of a node member. */
interface NodePin {
  /** `<handle>/<name>` */
  package: string;
  version: string;
  node: string;
  ulid: string;
}

/** A compiled flow, run by its artifact. */
export interface FlowMember {
  type: 'flow';
  alias: string;
  mode: 'unary' | 'pipeline';
  pin: { artifact: string; graph: string };
  comment: string;
  input: string;
  output: string;
  sample: JsonValue;
}

/** One release in CHANGELOG.md: its differences from the previous one. */
export interface Release {
  semver: string;
  version: number;
  /** Finished sentences in markdown-free plain text, including untrusted names; sorted. */
  added: string[];
  changed: string[];
  removed: string[];
}

/** A JSON value as `JSON.parse` returns it. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;
/** A JSON object. */
export interface JsonObject {
  [key: string]: JsonValue;
}
