import { messageSchema } from '../../specs/json-schema/message-schema.ts';
import { describeTypes } from '../../specs/messages/describe-types.ts';
import { flowDocument } from '../../specs/openapi/flow-document.ts';
import { packageDocument } from '../../specs/openapi/package-document.ts';
import type { CodeSampler } from './code-samples.ts';
import { describeFlow, type FlowDocumentSource } from './describe-flow.ts';
import { type DocumentSettings, describePackage, type PackageSource } from './describe-package.ts';
import { toYaml } from './to-yaml.ts';

/** The messages of a node. A generic port has none. */
interface NodeSchemaSource {
  /** `google.protobuf.FileDescriptorSet` */
  descriptorSet: Uint8Array;
  /** Full message names. */
  input: string | null;
  output: string | null;
}

/** The settings that a job carries. The thread that makes the document supplies the code samples. */
type DocumentAddress = Omit<DocumentSettings, 'samplesOf'>;

/** The source of a document, as plain data that can be sent to another thread. */
export type DocumentJob =
  | { kind: 'package'; source: PackageSource; address: DocumentAddress }
  | { kind: 'flow'; source: FlowDocumentSource; address: DocumentAddress }
  | { kind: 'node'; source: NodeSchemaSource }
  /** Converts a JSON document to YAML. */
  | { kind: 'yaml'; json: Uint8Array };

/** Returns the text of a document. */
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
      return toYaml(JSON.parse(new TextDecoder().decode(job.json)));
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
