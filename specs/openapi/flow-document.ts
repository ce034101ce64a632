import type { OpenAPIObject, OperationObject, ReferenceObject, SchemaObject } from 'openapi3-ts/oas30';
import { limits } from '../limits.ts';
import type { TypeModel } from '../messages/message-model.ts';
import { invokeFlow } from '../operations/flows.ts';
import { operationRefusals } from './call-refusals.ts';
import { type CodeSample, codeSampleField } from './code-sample.ts';
import { executionId, invocationHeaders, keySecurity } from './invocation-parts.ts';
import { messageComponents } from './message-components.ts';

/** A compiled flow, as its OpenAPI document tells it. */
export interface DocumentedFlow {
  /** Address of the service, without a slash at its end. */
  baseUrl: string;
  graphId: string;
  /** Untrusted text, as all that authors wrote. */
  name: string;
  description: string;
  mode: 'unary' | 'pipeline';
  /** Every type that input and output reach. */
  types: TypeModel;
  /** Full message names: what the entry node takes, and what the terminal node gives. */
  input: string;
  output: string;
  /** ProtoJSON that validates. */
  inputSample: unknown;
  outputSample: unknown;
  codeSamples: readonly CodeSample[];
}

type Schema = SchemaObject | ReferenceObject;

/** OpenAPI 3.0 of a compiled flow: one operation, pinned to its artifact (SPEC.md, Generated specs). */
export function flowDocument(source: DocumentedFlow): OpenAPIObject {
  const { name, graphId, mode, types, input, output } = source;
  const messages = messageComponents(types, { inputs: [input], outputs: [output] });
  const refusals = operationRefusals(invokeFlow);
  const parts: CallParts = {
    input: messages.schemaOf(input, 'input'),
    output: messages.schemaOf(output, 'output'),
    refusals: refusals.references,
  };
  const path = `/invocations/v1/flows/invoke${mode === 'pipeline' ? '/stream' : ''}`;
  return {
    openapi: '3.0.3',
    info: {
      title: name,
      version: graphId,
      description: flowWords(source),
    },
    servers: [{ url: source.baseUrl }],
    tags: [{ name: 'Flow', description: `Runs of the flow \`${graphId}\`.` }],
    security: keySecurity.requirement,
    paths: { [path]: { post: mode === 'unary' ? unaryCall(source, parts) : streamingCall(source, parts) } },
    components: {
      schemas: { ...messages.schemas, ...refusals.schemas },
      responses: refusals.responses,
      securitySchemes: keySecurity.schemes,
    },
  };
}

interface CallParts {
  input: Schema;
  output: Schema;
  /** By status. */
  refusals: Record<string, ReferenceObject>;
}

function unaryCall(source: DocumentedFlow, { input, output, refusals }: CallParts): OperationObject {
  const id = '5f0c9a1d2b3e4f60718293a4b5c6d7e8';
  return {
    operationId: 'invokeFlow',
    summary: 'Run the flow once',
    description:
      'Answers at once with the id of the execution, or with `wait` when the run has ended. A run that fails is answered ' +
      'with 202 too: `result.success` is false.',
    tags: ['Flow'],
    parameters: invocationHeaders,
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: requestSchema(source.graphId, {
            ...inputFields(input),
            wait: { type: 'boolean', default: false, description: 'Answer when the run has ended.' },
            ...runFields,
            idempotency_key: {
              type: 'string',
              description:
                'Within five minutes the same key starts one run; left out, identical requests do.',
            },
          }),
          example: { graph_id: source.graphId, input: source.inputSample, wait: true },
        },
      },
    },
    responses: {
      '202': {
        description: 'Accepted; with `wait` the result, or how far the run got.',
        content: {
          'application/json': {
            schema: acceptedSchema(output),
            example: {
              accepted: true,
              execution_id: id,
              result: { success: true, output: source.outputSample, completed_at: 1_769_851_800_000 },
            },
          },
        },
      },
      ...refusals,
    },
    ...codeSampleField(source.codeSamples),
  };
}

function streamingCall(source: DocumentedFlow, { input, output, refusals }: CallParts): OperationObject {
  const frame = { execution_id: '5f0c9a1d2b3e4f60718293a4b5c6d7e8', frame_index: 0 };
  const data = JSON.stringify({ ...frame, payload: source.outputSample, is_final: true, success: true });
  return {
    operationId: 'invokeFlowStream',
    summary: 'Run the flow and receive its frames',
    description:
      'Answers with Server-Sent Events: each event is one `data:` line that holds a frame as JSON. The stream ends after the ' +
      'frame with `is_final`; without `success: true` in it the run has failed, and `error` says why.',
    tags: ['Flow'],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: requestSchema(source.graphId, { ...inputFields(input), ...runFields }),
          example: { graph_id: source.graphId, input: source.inputSample },
        },
      },
    },
    responses: {
      '200': {
        description: 'Frames. The schema is that of one frame, the JSON of one event.',
        content: {
          'text/event-stream': { schema: frameSchema(output), example: `data: ${data}\n\n` },
        },
      },
      ...refusals,
    },
    ...codeSampleField(source.codeSamples),
  };
}

function requestSchema(graphId: string, fields: Record<string, Schema>): SchemaObject {
  return {
    type: 'object',
    description: 'One of `input` and `payload` is needed; `input` takes precedence.',
    required: ['graph_id'],
    anyOf: [{ required: ['input'] }, { required: ['payload'] }],
    properties: {
      graph_id: { type: 'string', enum: [graphId], description: 'The flow, pinned.' },
      ...fields,
    },
  };
}

function inputFields(input: Schema): Record<string, Schema> {
  return {
    input: '$ref' in input ? { allOf: [input], description: "The entry node's input message." } : input,
    payload: {
      type: 'string',
      format: 'byte',
      description: "The entry node's input message, serialized, as base64.",
    },
  };
}

/** Fields that both ways of running take. */
const runFields: Record<string, SchemaObject> = {
  timeout_seconds: {
    type: 'integer',
    minimum: 1,
    maximum: limits.maxWaitSeconds,
    default: limits.waitSeconds,
    description: 'How long to wait; the run goes on whatever the wait does.',
  },
  config_id: {
    type: 'string',
    description: 'Config profile; left out: the tenant default, then the flow default.',
  },
  debug_session_id: { type: 'string', description: 'Session that gets the debug events.' },
};

/** SPEC.md, POST /v1/flows/invoke. */
function acceptedSchema(output: Schema): SchemaObject {
  return {
    type: 'object',
    required: ['accepted', 'execution_id'],
    properties: {
      accepted: { type: 'boolean', enum: [true] },
      execution_id: { ...executionId, description: 'Id of the execution, and of its trace.' },
      result: {
        type: 'object',
        description: 'With `wait`, when the run has ended.',
        required: ['success', 'completed_at'],
        properties: {
          success: { type: 'boolean' },
          output: '$ref' in output ? { allOf: [output], description: "The terminal node's output." } : output,
          payload: {
            type: 'string',
            format: 'byte',
            description: 'The output, serialized, as base64: when the flow was invoked with `payload`.',
          },
          completed_at: { type: 'integer', format: 'int64', description: 'Epoch milliseconds.' },
          error_message: { type: 'string', description: 'When the run failed.' },
        },
      },
      error_message: { type: 'string', description: 'The run failed, or the wait was over before it.' },
      execution_status: {
        type: 'string',
        enum: ['PAUSED', 'RUNNING'],
        description: 'How far the run got when the wait was over.',
      },
      pause_id: { type: 'string', description: 'With `PAUSED`: the pause to resume.' },
      mocked_nodes: {
        type: 'array',
        items: { type: 'string' },
        description: 'Nodes that answered from fixtures.',
      },
    },
  };
}

/** SPEC.md, Stream frame. */
function frameSchema(output: Schema): SchemaObject {
  return {
    type: 'object',
    required: ['execution_id', 'frame_index', 'is_final'],
    properties: {
      execution_id: executionId,
      frame_index: { type: 'integer', minimum: 0 },
      payload: '$ref' in output ? { allOf: [output], description: "The terminal node's output." } : output,
      is_final: { type: 'boolean', description: 'The stream ends after this frame.' },
      success: { type: 'boolean', enum: [true], description: 'On the final frame of a run that succeeded.' },
      error: { type: 'string', description: 'Why the run failed.' },
    },
  };
}

function flowWords({ name, description, graphId, mode, codeSamples }: DocumentedFlow): string {
  return [
    description === '' ? `The flow ${name}.` : description,
    ...(codeSamples.length === 0
      ? []
      : [`Code samples are those of the SDK of a client that is called as the flow and has nothing else.`]),
    `Compiled as \`${graphId}\`: an edited flow has another id, and a document of its own.`,
    ...(mode === 'pipeline' ? ['Flows of mode pipeline compile; this release does not run them yet.'] : []),
  ].join('\n\n');
}
