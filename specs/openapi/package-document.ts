import type {
  ContentObject,
  OpenAPIObject,
  OperationObject,
  PathsObject,
  RequestBodyObject,
} from 'openapi3-ts/oas30';
import type { TypeModel } from '../messages/message-model.ts';
import { streamTypes } from '../operations/declared-answer.ts';
import { invokeNodeByPath } from '../operations/nodes.ts';
import { type OperationRefusals, operationRefusals } from './call-refusals.ts';
import type { CodeSample } from './code-sample.ts';
import { curlSample } from './curl-sample.ts';
import { exampleOf } from './example.ts';
import { frameContent } from './frame-schema.ts';
import { executionHeader, keySecurity } from './invocation-parts.ts';
import { type MessageComponents, messageComponents } from './message-components.ts';

/** A published package version, as its OpenAPI document describes it. */
export interface DocumentedPackage {
  /** Public address of the service, without a trailing slash. */
  baseUrl: string;
  owner: string;
  name: string;
  version: string;
  /** Untrusted text of the publisher. */
  description: string;
  /** All types that the nodes refer to. */
  types: TypeModel;
  /** In the order of publication. */
  nodes: readonly DocumentedNode[];
  /** Names of the generic nodes, which cannot be called. */
  generic: readonly string[];
}

/** A node that can be called. */
export interface DocumentedNode {
  name: string;
  /** A pipeline node streams its output, and accepts one or more input messages. */
  mode: 'unary' | 'pipeline';
  description: string;
  /** The tenant whose container receives secrets of the caller. */
  recipient?: { owner: string; secrets: readonly string[] } | undefined;
  /** Full message names. */
  input: string;
  output: string;
  /** Valid ProtoJSON. */
  inputSample: unknown;
  outputSample: unknown;
  /** Programs in the languages of the SDKs. */
  codeSamples: readonly CodeSample[];
}

/** Returns the OpenAPI 3.0 document of a package version, with one operation per node. */
export function packageDocument(source: DocumentedPackage): OpenAPIObject {
  const { owner, name, version, nodes, types } = source;
  const messages = messageComponents(types, {
    inputs: nodes.map(({ input }) => input),
    outputs: nodes.map(({ output }) => output),
  });
  const refusals = operationRefusals(invokeNodeByPath);
  const shared =
    nodes.length === 0
      ? {}
      : { responses: refusals.responses, schemas: { ...messages.schemas, ...refusals.schemas } };
  return {
    openapi: '3.0.3',
    info: { title: `${owner}/${name}`, version, description: packageText(source) },
    servers: [{ url: source.baseUrl }],
    tags: [{ name: 'Nodes', description: `Nodes of ${owner}/${name} ${version}.` }],
    security: keySecurity.requirement,
    paths: Object.fromEntries(nodes.map((node) => nodePath(source, node, { messages, refusals }))),
    components: { ...shared, securitySchemes: keySecurity.schemes },
  };
}

interface NodeComponents {
  messages: MessageComponents;
  refusals: OperationRefusals;
}

function nodePath(
  { baseUrl, owner, name, version }: DocumentedPackage,
  node: DocumentedNode,
  { messages, refusals }: NodeComponents,
): [string, PathsObject] {
  const segments = [owner, name, version, node.name].map(encodeURIComponent);
  const path = `/invocations/v1/nodes/${segments.join('/')}`;
  const curl = curlSample({ url: baseUrl + path, body: node.inputSample, streams: node.mode === 'pipeline' });
  const operation: OperationObject = {
    operationId: node.name,
    summary: node.name,
    description: nodeText(node),
    tags: ['Nodes'],
    requestBody: requestBody(node, messages),
    responses: {
      '200': {
        description:
          node.mode === 'unary'
            ? 'The output message. With `Accept: text/event-stream`, a stream of Server-Sent Events that contains it.'
            : 'The frames. The schema describes one frame.',
        headers: { 'X-Execution-Id': executionHeader },
        content: answerContent(node, messages),
      },
      ...refusals.references,
    },
    'x-codeSamples': [curl, ...node.codeSamples],
  };
  return [path, { post: operation }];
}

function requestBody(
  { mode, input, inputSample }: DocumentedNode,
  messages: MessageComponents,
): RequestBodyObject {
  const schema = messages.schemaOf(input, 'input');
  const message = { schema, ...exampleOf(inputSample) };
  if (mode === 'unary') {
    return {
      required: true,
      description: 'The input message, at most 16 MiB.',
      content: { 'application/json': message },
    };
  }
  return {
    required: true,
    description:
      'One input message as JSON, or several as NDJSON, one per line: at most 16 MiB each, 64 MiB and 100,000 together. The ' +
      'output of several is sent once all of them have been read.',
    content: { 'application/json': message, [streamTypes.lines]: message },
  };
}

function answerContent(
  { mode, output, outputSample }: DocumentedNode,
  messages: MessageComponents,
): ContentObject {
  const schema = messages.schemaOf(output, 'output');
  // A unary node can also respond with frames. If the schema said so, reference pages would request frames, so only the
  // description does.
  return mode === 'pipeline'
    ? frameContent(schema, outputSample)
    : { 'application/json': { schema, ...exampleOf(outputSample) } };
}

function nodeText({ name, mode, description, recipient }: DocumentedNode): string {
  const own = description === '' ? `Calls ${name}.` : description;
  const text = mode === 'pipeline' ? `${own}\n\n${streamText}` : own;
  if (!recipient) return text;
  const names = recipient.secrets.map((secret) => `\`${secret}\``).join(', ');
  return `${text}\n\nEach call sends these secrets of the caller to a container of the tenant \`${recipient.owner}\`: ${names}.`;
}

const streamText =
  'Streams its output messages as Server-Sent Events: each event has one `data:` line with a frame as JSON. The stream ends after the ' +
  'frame with `is_final`. If that frame lacks `success: true`, the call has failed and `error` contains the reason.';

function packageText({ owner, name, version, description, nodes, generic }: DocumentedPackage): string {
  const listed = generic.map((each) => `\`${each}\``).join(', ');
  return [
    description === '' ? `Version ${version} of ${owner}/${name}.` : description,
    ...(nodes.every(({ codeSamples }) => codeSamples.length === 0)
      ? []
      : [`The code samples use the SDK of a client named \`${name}\` with these nodes as members.`]),
    ...(listed === '' ? [] : [`Generic nodes, which are called through an Instance: ${listed}.`]),
  ].join('\n\n');
}
