import { stringify } from 'yaml';
import { messageSchema } from '../../specs/json-schema/message-schema.ts';
import { describeTypes } from '../../specs/messages/describe-types.ts';
import { flowDocument } from '../../specs/openapi/flow-document.ts';
import { packageDocument } from '../../specs/openapi/package-document.ts';
import type { CodeSampler } from './code-samples.ts';
import { describeFlow, type FlowDocumentSource } from './describe-flow.ts';
import { type DocumentSettings, describePackage, type PackageSource } from './describe-package.ts';

/** A node as its schemas tell it; a port that is open has no message. */
export interface NodeSchemaSource {
  /** `google.protobuf.FileDescriptorSet` */
  descriptorSet: Uint8Array;
  /** Full message names. */
  input: string | null;
  output: string | null;
}

/** What a document says beyond what is published; programs are written by whoever makes it. */
export type DocumentAddress = Omit<DocumentSettings, 'samplesOf'>;

/** All that a document is made from: plain data, so that any thread can make it. */
export type DocumentJob =
  | { kind: 'package'; source: PackageSource; address: DocumentAddress }
  | { kind: 'flow'; source: FlowDocumentSource; address: DocumentAddress }
  | { kind: 'node'; source: NodeSchemaSource }
  /** The same document in its other text form. */
  | { kind: 'yaml'; json: Uint8Array };

/** The text of a document. */
export async function makeDocument(job: DocumentJob, samplesOf: CodeSampler): Promise<string> {
  switch (job.kind) {
    case 'package': {
      const described = await describePackage(job.source, { ...job.address, samplesOf });
      return JSON.stringify(packageDocument(described));
    }
    case 'flow': {
      const described = await describeFlow(job.source, { ...job.address, samplesOf });
      return JSON.stringify(flowDocument(described));
    }
    case 'node':
      return JSON.stringify(nodeSchemas(job.source));
    case 'yaml':
      return toYaml(new TextDecoder().decode(job.json));
  }
}

function nodeSchemas({ descriptorSet, input, output }: NodeSchemaSource): object {
  const model = describeTypes(
    descriptorSet,
    [input, output].filter((name) => name !== null),
  );
  return {
    input: input && messageSchema(model, input, 'input'),
    output: output && messageSchema(model, output, 'output'),
  };
}

/** Long lines stay whole, so that a document reads the same in every tool; anchors would save room and confuse people. */
function toYaml(json: string): string {
  return stringify(JSON.parse(json), { lineWidth: 0, aliasDuplicateObjects: false });
}
