import type { OpenAPIObject, OperationObject, ReferenceObject, SchemaObject } from 'openapi3-ts/oas30';
import { limits } from '../limits.ts';
import type { TypeModel } from '../messages/message-model.ts';
import { invokeFlow, streamFlow } from '../operations/flows.ts';
import { operationRefusals } from './call-refusals.ts';
import type { CodeSample } from './code-sample.ts';
import { curlSample } from './curl-sample.ts';
import { described } from './described.ts';
import { exampleOf } from './example.ts';
import { frameContent } from './frame-schema.ts';
import { executionHeader, executionId, invocationHeaders, keySecurity } from './invocation-parts.ts';
import { messageComponents } from './message-components.ts';

/** A compiled flow, as its OpenAPI document describes it. */
export interface DocumentedFlow {
  /** Public address of the service, without a trailing slash. */
  baseUrl: string;
  graphId: string;
  /** Untrusted text of the author, like `description`. */
  name: string;
  description: string;
  mode: 'unary' | 'pipeline';
  /** Nodes that send secrets of the flow's tenant to another tenant, by handle. */
  recipients: readonly { node: string; packageName: string; owner: string; secrets: readonly string[] }[];
  /** All types that input and output refer to. */
  types: TypeModel;
  /** Full names of the entry node's input and the terminal node's output. */
  input: string;
  output: string;
  /** Valid ProtoJSON. */
  inputSample: unknown;
  outputSample: unknown;
  codeSamples: readonly CodeSample[];
}

type Schema = SchemaObject | ReferenceObject;

const flowPaths = { unary: '/invocations/v1/flows/invoke', pipeline: '/invocations/v1/flows/invoke/stream' };

/** Returns the OpenAPI 3.0 document of a compiled flow: one operation, pinned to its artifact. */
export function flowDocument(source: DocumentedFlow): OpenAPIObject {
  const { name, graphId, mode, types, input, output } = source;
  const messages = messageComponents(types, { inputs: [input], outputs: [output] });
  const refusals = operationRefusals(mode === 'pipeline' ? streamFlow : invokeFlow);
  const parts: CallParts = {
    input: messages.schemaOf(input, 'input'),
    output: messages.schemaOf(output, 'output'),
    refusals: refusals.references,
  };
  const path = flowPaths[mode];
  return {
    openapi: '3.0.3',
    info: {
      title: name,
      version: graphId,
      description: flowText(source),
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
  const body = { graph_id: source.graphId, input: source.inputSample, wait: true };
  const id = '5f0c9a1d2b3e4f60718293a4b5c6d7e8';
  return {
    operationId: 'invokeFlow',
    summary: 'Invoke the flow',
    description:
      'Runs the flow once. Returns the execution id immediately or, with `wait`, the result of the run. A failed run also returns ' +
      '202, with `result.success` set to `false`.',
    tags: ['Flow'],
    parameters: invocationHeaders,
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: requestSchema(source.graphId, {
            ...inputFields(input),
            wait: {
              type: 'boolean',
              default: false,
              description: 'Waits for the run to end and returns its result.',
            },
            ...runFields,
            idempotency_key: {
              type: 'string',
              description:
                'Requests with the same key within five minutes start one run. Without a key, identical requests start one run.',
            },
          }),
          ...exampleOf(body),
        },
      },
    },
    responses: {
      '202': {
        description: 'The flow runs. With `wait`, the response contains its result or its status.',
        content: {
          'application/json': {
            schema: acceptedSchema(output),
            ...exampleOf({
              accepted: true,
              execution_id: id,
              result: { success: true, output: source.outputSample, completed_at: 1_769_851_800_000 },
            }),
          },
        },
      },
      ...refusals,
    },
    'x-codeSamples': samplesOf(source, body),
  };
}

function streamingCall(source: DocumentedFlow, { input, output, refusals }: CallParts): OperationObject {
  const body = { graph_id: source.graphId, input: source.inputSample };
  return {
    operationId: 'invokeFlowStream',
    summary: 'Invoke the flow and stream its frames',
    description:
      'Runs the flow and streams its output messages as Server-Sent Events: each event has one `data:` line with a frame as JSON. ' +
      'The stream ends after the frame with `is_final`. If that frame lacks `success: true`, the run has failed and `error` ' +
      'contains the reason.',
    tags: ['Flow'],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: requestSchema(source.graphId, {
            ...inputFields(input),
            ...runFields,
            timeout_seconds: {
              type: 'integer',
              minimum: 1,
              maximum: limits.maxWaitSeconds,
              default: limits.waitSeconds,
              description: 'Maximum duration of the run in seconds.',
            },
          }),
          ...exampleOf(body),
        },
      },
    },
    responses: {
      '200': {
        description: 'The frames. The schema describes one frame.',
        headers: { 'X-Execution-Id': executionHeader },
        content: frameContent(output, source.outputSample),
      },
      ...refusals,
    },
    'x-codeSamples': samplesOf(source, body),
  };
}

function samplesOf({ baseUrl, mode, codeSamples }: DocumentedFlow, body: unknown): CodeSample[] {
  return [curlSample({ url: baseUrl + flowPaths[mode], body, streams: mode === 'pipeline' }), ...codeSamples];
}

function requestSchema(graphId: string, fields: Record<string, Schema>): SchemaObject {
  return {
    type: 'object',
    description: 'One of `input` and `payload` is required; `input` takes precedence.',
    required: ['graph_id'],
    anyOf: [{ required: ['input'] }, { required: ['payload'] }],
    properties: {
      graph_id: { type: 'string', enum: [graphId], description: 'Id of this flow.' },
      ...fields,
    },
  };
}

function inputFields(input: Schema): Record<string, Schema> {
  return {
    input: described(input, "The entry node's input message."),
    payload: {
      type: 'string',
      format: 'byte',
      description: "The entry node's serialized input message, base64-encoded.",
    },
  };
}

/** Fields of both operations. */
const runFields: Record<string, SchemaObject> = {
  timeout_seconds: {
    type: 'integer',
    minimum: 1,
    maximum: limits.maxWaitSeconds,
    default: limits.waitSeconds,
    description: 'Maximum wait in seconds. The run continues after the wait has ended.',
  },
  config_id: {
    type: 'string',
    description: 'Config profile. Default: the tenant default, then the flow default.',
  },
  debug_session_id: { type: 'string', description: 'Session that receives debug events.' },
};

function acceptedSchema(output: Schema): SchemaObject {
  return {
    type: 'object',
    required: ['accepted', 'execution_id'],
    properties: {
      accepted: { type: 'boolean', enum: [true] },
      execution_id: { ...executionId, description: 'Id of the execution, which is also its trace id.' },
      result: {
        type: 'object',
        description: 'Result of a run that ended during the wait.',
        required: ['success', 'completed_at'],
        properties: {
          success: { type: 'boolean' },
          output: described(output, "The terminal node's output message."),
          payload: {
            type: 'string',
            format: 'byte',
            description:
              'The serialized output message, base64-encoded, if the flow was invoked with `payload`.',
          },
          completed_at: {
            type: 'integer',
            format: 'int64',
            description: 'Time of completion in epoch milliseconds.',
          },
          error_message: { type: 'string', description: 'Error text of a failed run.' },
        },
      },
      error_message: {
        type: 'string',
        description: 'Error text of a failed run, or of a wait that ended before the run.',
      },
      execution_status: {
        type: 'string',
        enum: ['PAUSED', 'RUNNING'],
        description: 'Status of a run that has not ended.',
      },
      pause_id: { type: 'string', description: 'Id of the pause to resume, with `PAUSED`.' },
      mocked_nodes: {
        type: 'array',
        items: { type: 'string' },
        description: 'Ids of the mocked nodes.',
      },
    },
  };
}

function flowText({ name, description, graphId, mode, recipients, codeSamples }: DocumentedFlow): string {
  return [
    description === '' ? `The flow ${name}.` : description,
    ...(codeSamples.length === 0
      ? []
      : [
          'The code samples use the SDK of a client that is named after the flow and has the flow as its only member.',
        ]),
    `This document describes the compiled flow \`${graphId}\`. An edited flow has another id and another document.`,
    ...(mode === 'pipeline'
      ? ['Its result is a stream: invoke it with `POST /invocations/v1/flows/invoke/stream`.']
      : []),
    ...(recipients.length === 0
      ? []
      : ['Runs send secrets of your tenant to containers of other tenants:', recipientList(recipients)]),
  ].join('\n\n');
}

function recipientList(recipients: DocumentedFlow['recipients']): string {
  return recipients
    .map(({ node, packageName, owner, secrets }) => {
      const names = secrets.map((name) => `\`${name}\``).join(', ');
      return `- node \`${node}\` of \`${packageName}\`: ${names} to the tenant \`${owner}\``;
    })
    .join('\n');
}
