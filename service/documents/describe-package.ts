import type { NodeSource } from '../../generator/model/build-surface.ts';
import type { SdkModel } from '../../generator/model/sdk-model.ts';
import { createSampler } from '../../generator/model/sample-message.ts';
import type { DocumentedNode, DocumentedPackage } from '../../specs/openapi/package-document.ts';
import type { Node } from '../store/nodes.ts';
import type { SecretRecipient } from '../nodes/secret-recipients.ts';
import type { Package } from '../store/packages.ts';
import type { CodeSampler } from './code-samples.ts';
import { documentModel } from './document-model.ts';

/** A package version with everything that its document needs. */
export interface PackageSource {
  owner: Package;
  version: string;
  /** In published order. */
  nodes: readonly Node[];
  /** `google.protobuf.FileDescriptorSet` */
  descriptorSet: Uint8Array;
  /** The recipients of the secrets of its nodes' callers. */
  recipients: readonly SecretRecipient[];
}

/** Settings of the service that appear in documents. */
export interface DocumentSettings {
  /** Address of the service, without a trailing slash. */
  baseUrl: string;
  goModulePrefix: string;
  samplesOf: CodeSampler;
}

/** Returns the model of the SDK that a client with the package's name and nodes would get. Generic nodes cannot be called. */
export function packageModel(source: PackageSource, goModulePrefix: string): SdkModel {
  const { owner, version, nodes, descriptorSet } = source;
  const members = nodes.flatMap((node): NodeSource[] => {
    const { inputMessage, outputMessage } = node;
    if (node.kind === 'generic' || inputMessage === null || outputMessage === null) return [];
    return [
      {
        type: 'node',
        alias: node.name,
        mode: node.mode,
        pin: { package: `${owner.handle}/${owner.name}`, version, node: node.name, ulid: node.id },
        comment: node.description,
        input: inputMessage,
        output: outputMessage,
        descriptorSet,
        ...(node.sample !== null && { sample: node.sample }),
      },
    ];
  });
  return documentModel({ clientName: owner.name, handle: owner.handle, members, goModulePrefix });
}

/** Describes a package: its callable nodes with types, sample messages and code samples. */
export async function describePackage(
  source: PackageSource,
  { baseUrl, goModulePrefix, samplesOf }: DocumentSettings,
): Promise<DocumentedPackage> {
  const { owner, version, nodes, recipients } = source;
  const model = packageModel(source, goModulePrefix);
  const codeSamples = await samplesOf({
    ...model,
    members: model.members.filter(({ mode }) => mode === 'unary'),
  });
  const sampler = createSampler(model.types);
  const members = new Map(model.members.map((member) => [member.alias, member]));
  return {
    baseUrl,
    owner: owner.handle,
    name: owner.name,
    version,
    description: owner.description,
    types: model.types,
    nodes: nodes.flatMap(({ name }): DocumentedNode[] => {
      const member = members.get(name);
      if (member === undefined) return [];
      return [
        {
          name,
          mode: member.mode,
          description: member.comment,
          recipient: recipients.find(({ node }) => node === name),
          input: member.input,
          output: member.output,
          inputSample: member.sample,
          outputSample: sampler.sample(member.output),
          codeSamples: codeSamples.get(name) ?? [],
        },
      ];
    }),
    generic: nodes.filter(({ kind }) => kind === 'generic').map(({ name }) => name),
  };
}
