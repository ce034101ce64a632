import type { VersionTypes } from '../../generator/model/build-surface.ts';
import { createSampler } from '../../generator/model/sample-message.ts';
import type { DocumentedFlow } from '../../specs/openapi/flow-document.ts';
import type { CompiledGraph } from '../engine/graph/compiled-graph.ts';
import type { DocumentSettings } from './describe-package.ts';
import { documentModel } from './document-model.ts';

/** A compiled flow with the types of its ends, which may be of two packages. */
export interface FlowDocumentSource {
  compiled: CompiledGraph;
  /** Handle of the tenant whose flow it is. */
  handle: string;
  inputTypes: VersionTypes;
  outputTypes: VersionTypes;
}

/** A flow in the words of its document. */
export async function describeFlow(
  { compiled, handle, inputTypes, outputTypes }: FlowDocumentSource,
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
      },
    ],
    goModulePrefix,
  });
  const [member] = model.members;
  if (member === undefined) throw new Error('the model of a flow has one member');
  const programs = mode === 'unary' ? await samplesOf(graphId, model) : undefined;
  return {
    baseUrl,
    graphId,
    name,
    description,
    mode,
    types: model.types,
    input: member.input,
    output: member.output,
    inputSample: member.sample,
    outputSample: createSampler(model.types).sample(member.output),
    codeSamples: programs?.get(member.alias) ?? [],
  };
}
