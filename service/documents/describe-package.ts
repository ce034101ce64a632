import type { NodeSource } from '../../generator/model/build-surface.ts';
import type { SdkModel } from '../../generator/model/sdk-model.ts';
import { createSampler } from '../../generator/model/sample-message.ts';
import type { DocumentedNode, DocumentedPackage } from '../../specs/openapi/package-document.ts';
import type { Node } from '../store/nodes.ts';
import type { Package } from '../store/packages.ts';
import type { CodeSampler } from './code-samples.ts';
import { documentModel } from './document-model.ts';

/** A package version with everything that its document is made from. */
export interface PackageSource {
  owner: Package;
  version: string;
  /** Id of the version. */
  versionId: string;
  /** In the order of publishing. */
  nodes: readonly Node[];
  /** `google.protobuf.FileDescriptorSet`; documents of one array share what was read of it. */
  descriptorSet: Uint8Array;
}

/** What documents say beyond what is published. */
export interface DocumentSettings {
  /** Address of the service, without a slash at its end. */
  baseUrl: string;
  goModulePrefix: string;
  samplesOf: CodeSampler;
}

/** The SDK of a client that is called as the package and has its nodes that can be called. */
export function packageModel(source: PackageSource, goModulePrefix: string): SdkModel {
  const { owner, version, nodes, descriptorSet } = source;
  const members = nodes.flatMap((node): NodeSource[] => {
    const { inputMessage, outputMessage } = node;
    if (whyNotCalled(node) !== undefined || inputMessage === null || outputMessage === null) return [];
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
      },
    ];
  });
  return documentModel({ clientName: owner.name, handle: owner.handle, members, goModulePrefix });
}

/** A package in the words of its document: the nodes that can be called, with types, samples and programs. */
export async function describePackage(
  source: PackageSource,
  { baseUrl, goModulePrefix, samplesOf }: DocumentSettings,
): Promise<DocumentedPackage> {
  const { owner, version, versionId, nodes } = source;
  const model = packageModel(source, goModulePrefix);
  const programs = await samplesOf(versionId, model);
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
          description: member.comment,
          input: member.input,
          output: member.output,
          inputSample: member.sample,
          outputSample: sampler.sample(member.output),
          codeSamples: programs.get(name) ?? [],
        },
      ];
    }),
    others: nodes.flatMap((node) => {
      const why = whyNotCalled(node);
      return why === undefined ? [] : [{ name: node.name, why }];
    }),
  };
}

function whyNotCalled({ kind, mode }: Node): 'generic' | 'pipeline' | undefined {
  if (kind === 'generic') return 'generic';
  return mode === 'pipeline' ? 'pipeline' : undefined;
}
