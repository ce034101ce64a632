import type { OpenAPIObject, OperationObject, PathsObject } from 'openapi3-ts/oas30';
import type { TypeModel } from '../messages/message-model.ts';
import { invokeNodeByPath } from '../operations/nodes.ts';
import { type OperationRefusals, operationRefusals } from './call-refusals.ts';
import { type CodeSample, codeSampleField } from './code-sample.ts';
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
  /** Nodes that cannot be called: generic nodes and pipeline nodes. */
  others: readonly { name: string; why: 'generic' | 'pipeline' }[];
}

/** A node that can be called. */
export interface DocumentedNode {
  name: string;
  description: string;
  /** The tenant whose container receives secrets of the caller. */
  recipient?: { owner: string; secrets: readonly string[] } | undefined;
  /** Full message names. */
  input: string;
  output: string;
  /** Valid ProtoJSON. */
  inputSample: unknown;
  outputSample: unknown;
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
  { owner, name, version }: DocumentedPackage,
  node: DocumentedNode,
  { messages, refusals }: NodeComponents,
): [string, PathsObject] {
  const segments = [owner, name, version, node.name].map(encodeURIComponent);
  const operation: OperationObject = {
    operationId: node.name,
    summary: node.name,
    description: nodeText(node),
    tags: ['Nodes'],
    requestBody: {
      required: true,
      description: 'The input message, at most 16 MiB.',
      content: {
        'application/json': {
          schema: messages.schemaOf(node.input, 'input'),
          example: node.inputSample,
        },
      },
    },
    responses: {
      '200': {
        description: 'The output message.',
        headers: { 'X-Execution-Id': executionHeader },
        content: {
          'application/json': {
            schema: messages.schemaOf(node.output, 'output'),
            example: node.outputSample,
          },
        },
      },
      ...refusals.references,
    },
    ...codeSampleField(node.codeSamples),
  };
  return [`/invocations/v1/nodes/${segments.join('/')}`, { post: operation }];
}

function nodeText({ name, description, recipient }: DocumentedNode): string {
  const text = description === '' ? `Calls ${name}.` : description;
  if (!recipient) return text;
  const names = recipient.secrets.map((secret) => `\`${secret}\``).join(', ');
  return `${text}\n\nEach call sends these secrets of the caller to a container of the tenant \`${recipient.owner}\`: ${names}.`;
}

function packageText({ owner, name, version, description, nodes, others }: DocumentedPackage): string {
  const listed = (why: 'generic' | 'pipeline'): string =>
    others
      .filter((other) => other.why === why)
      .map((other) => `\`${other.name}\``)
      .join(', ');
  const [generic, pipeline] = [listed('generic'), listed('pipeline')];
  return [
    description === '' ? `Version ${version} of ${owner}/${name}.` : description,
    ...(nodes.every(({ codeSamples }) => codeSamples.length === 0)
      ? []
      : [`The code samples use an SDK of a client named \`${name}\` with these nodes as members.`]),
    ...(pipeline === '' ? [] : [`Pipeline nodes, which cannot be called yet: ${pipeline}.`]),
    ...(generic === '' ? [] : [`Generic nodes, which are called through an Instance: ${generic}.`]),
  ].join('\n\n');
}
