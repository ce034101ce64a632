import type { NodeSource } from '../../generator/model/build-surface.ts';
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

/** A package in the words of its document: the nodes that can be called, with types, samples and programs. */
export async function describePackage(
  { owner, version, versionId, nodes, descriptorSet }: PackageSource,
  { baseUrl, goModulePrefix, samplesOf }: DocumentSettings,
): Promise<DocumentedPackage> {
  const packageName = `${owner.handle}/${owner.name}`;
  const callable = nodes.flatMap((node): NodeSource[] => {
    const { inputMessage, outputMessage } = node;
    if (whyNotCalled(node) !== undefined || inputMessage === null || outputMessage === null) return [];
    return [
      {
        type: 'node',
        alias: node.name,
        mode: node.mode,
        pin: { package: packageName, version, node: node.name, ulid: node.id },
        comment: node.description,
        input: inputMessage,
        output: outputMessage,
        descriptorSet,
      },
    ];
  });
  const model = documentModel({
    clientName: owner.name,
    handle: owner.handle,
    members: callable,
    goModulePrefix,
  });
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
    nodes: callable.map(({ alias, comment, input, output }): DocumentedNode => ({
      name: alias,
      description: comment,
      input,
      output,
      inputSample: members.get(alias)?.sample ?? {},
      outputSample: sampler.sample(output),
      codeSamples: programs.get(alias) ?? [],
    })),
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
