import type { GraphDocumentNode } from '../../../../specs/operations/graph-shapes.ts';
import type { Json } from '../../../errors/api-error.ts';
import { bytesFromJson } from '../../../messages/json/message-from-json.ts';
import type { MessageRegistry } from '../../../messages/registry.ts';
import type { FlowMode, NodeMock } from '../compiled-graph.ts';
import type { Diagnostic } from '../diagnostic.ts';

/** A node that a mock replaces. */
interface MockedNode {
  placed: Pick<GraphDocumentNode, 'id' | 'mock'>;
  mode: FlowMode;
  registry: MessageRegistry;
  /** Full name. */
  outputMessage: string;
}

type CheckedMock = { mock: NodeMock | undefined } | { problems: Diagnostic[] };

/** Encodes a mock as the node's response. The mock must match the node's output message. */
export function checkMock({ placed, mode, registry, outputMessage }: MockedNode): CheckedMock {
  const { id, mock } = placed;
  if (!mock) return { mock: undefined };
  const given = (['output', 'frames', 'error'] as const).filter((kind) => mock[kind] !== undefined);
  const expected = mode === 'pipeline' ? 'frames' : 'output';
  if (given.length !== 1 || (given[0] !== expected && given[0] !== 'error')) {
    const message = `node "${id}": the mock of a ${mode} node must have exactly one of ${expected} and error`;
    return { problems: [{ code: 'invalid_mock', node: id, field: 'mock', message }] };
  }
  if (mock.error?.trim() === '') {
    const message = `node "${id}": mock.error must not be empty: write the text that the node fails with`;
    return { problems: [{ code: 'invalid_mock', node: id, field: 'mock.error', message }] };
  }
  if (mock.error !== undefined) return { mock: { error: mock.error } };
  const problems: Diagnostic[] = [];
  const encode = (value: Json, field: string): string => {
    const read = bytesFromJson(registry, outputMessage, JSON.stringify(value));
    if (read.ok) return Buffer.from(read.value).toString('base64');
    problems.push({
      code: 'invalid_mock',
      node: id,
      field,
      message: `node "${id}": ${field}: ${read.error.message}`,
    });
    return '';
  };
  const encoded: NodeMock = mock.frames
    ? { frames: mock.frames.map((frame, index) => encode(frame, `mock.frames[${index}]`)) }
    : { output: encode(mock.output ?? null, 'mock.output') };
  return problems.length > 0 ? { problems } : { mock: encoded };
}
