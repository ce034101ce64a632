import type { VersionTypes } from '../../generator/model/build-surface.ts';
import type { JsonValue } from '../../generator/model/sdk-model.ts';
import { createSampler } from '../../generator/model/sample-message.ts';
import type { DocumentedFlow } from '../../specs/openapi/flow-document.ts';
import type { CompiledGraph } from '../engine/graph/compiled-graph.ts';
import type { SecretRecipient } from '../nodes/secret-recipients.ts';
import type { DocumentSettings } from './describe-package.ts';
import { documentModel } from './document-model.ts';

/** A compiled flow with the types of its input and output, which may come from different packages. */
export interface FlowDocumentSource {
  compiled: CompiledGraph;
  /** Handle of the flow's tenant. */
  handle: string;
  inputTypes: VersionTypes;
  outputTypes: VersionTypes;
  /** The sample of the entry node's publisher. */
  sample: JsonValue | null;
  /** Nodes that send secrets of the flow's tenant to another tenant. */
  recipients: readonly SecretRecipient[];
}

/** Describes a flow: its input and output with types, sample messages and code samples. */
export async function describeFlow(
  { compiled, handle, inputTypes, outputTypes, sample, recipients }: FlowDocumentSource,
  { baseUrl, goModulePrefix, samplesOf }: DocumentSettings,
): Promise<DocumentedFlow> {
  const { name, description, mode, graphId, artifactId } = compiled;
  const model = documentModel({
    clientName: name,
    handle,
    members: [
      {
        type: 'flow',
        alias: name,
        mode,
        pin: { artifact: artifactId, graph: graphId },
        comment: description,
        input: compiled.inputMessage,
        output: compiled.outputMessage,
        inputTypes,
        outputTypes,
        ...(sample !== null && { sample }),
      },
    ],
    goModulePrefix,
  });
  const [member] = model.members;
  if (member === undefined) throw new Error('the model of a flow has one member');
  const codeSamples = mode === 'unary' ? await samplesOf(model) : undefined;
  return {
    baseUrl,
    graphId,
    name,
    description,
    mode,
    recipients,
    types: model.types,
    input: member.input,
    output: member.output,
    inputSample: member.sample,
    outputSample: createSampler(model.types).sample(member.output),
    codeSamples: codeSamples?.get(member.alias) ?? [],
  };
}
