import type {
  BaseParameterObject,
  HeaderObject,
  MediaTypeObject,
  OperationObject,
  ParameterObject,
  RequestBodyObject,
  ResponseObject,
  ResponsesObject,
  SchemaObject,
} from 'openapi3-ts/oas30';
import { z } from 'zod';
import { gateStatuses, type Operation, type OperationResponse } from '../operations/operation.ts';
import { gateRefusal } from './components/gate-refusals.ts';
import type { ShapeComponents } from './components/shape-components.ts';
import { tagOf } from './components/tags.ts';
import { keySecurity } from './invocation-parts.ts';

/** An operation as OpenAPI 3.0 has it: everything that the service enforces, and everything that it may answer. */
export function apiOperation(operation: Operation, components: ShapeComponents): OperationObject {
  const { id, summary, description, caller, scope, path } = operation;
  const parameters = [
    ...parametersOf(operation.params, 'path', components),
    ...parametersOf(operation.query, 'query', components),
    ...parametersOf(operation.headers, 'header', components),
  ];
  const needs = scope === undefined ? [] : [`Needs a key with the scope \`${scope}\`.`];
  const body = requestBody(operation, components);
  return {
    operationId: id,
    summary,
    description: [description ?? `${summary}.`, ...needs].join('\n\n'),
    tags: [tagOf(path).name],
    security:
      caller === 'public' ? [] : [...(caller === 'optional-key' ? [{}] : []), ...keySecurity.requirement],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: responsesOf(operation, components),
  };
}

function parametersOf(
  shape: z.ZodObject | undefined,
  place: 'path' | 'query' | 'header',
  components: ShapeComponents,
): ParameterObject[] {
  return Object.entries(shape?.shape ?? {}).map(([name, one]) => {
    const schema = one as z.ZodType;
    return {
      name,
      in: place,
      ...(place === 'path' || !schema.safeParse(undefined).success ? { required: true } : {}),
      ...withDescription(components, schema),
    };
  });
}

/** The description of a parameter stands beside its schema, not in it. */
function withDescription(components: ShapeComponents, shape: z.ZodType): BaseParameterObject {
  const schema = components.schemaOf(shape, 'input');
  if ('$ref' in schema) return { schema };
  const { description, ...rest } = schema;
  return { ...(description === undefined ? {} : { description }), schema: rest };
}

function requestBody({ body }: Operation, components: ShapeComponents): RequestBodyObject | undefined {
  if (!body) return undefined;
  const example = body.example === undefined ? {} : { example: body.example };
  return {
    description: body.description ?? `At most ${body.maxBytes} bytes.`,
    required: true,
    content: {
      'application/json': {
        schema: body.shape ? components.schemaOf(body.shape, 'input') : {},
        ...example,
      },
    },
  };
}

function responsesOf(operation: Operation, components: ShapeComponents): ResponsesObject {
  const gate = gateStatuses(operation);
  const statuses = [...new Set([...Object.keys(operation.responses).map(Number), ...gate])];
  return Object.fromEntries(
    statuses
      .sort((one, other) => one - other)
      .map((status) => [
        String(status),
        responseOf(operation, status, { byGate: gate.includes(status), components }),
      ]),
  );
}

interface ResponseContext {
  /** Whether the gate may answer with this status too. */
  byGate: boolean;
  components: ShapeComponents;
}

function responseOf(
  operation: Operation,
  status: number,
  { byGate, components }: ResponseContext,
): ResponseObject {
  const declared = operation.responses[status];
  const refusal = byGate ? gateRefusal(operation.family, status) : undefined;
  const content: Record<string, MediaTypeObject> = {};
  const shapes = new Set([declared?.shape, refusal?.shape].filter((shape) => shape !== undefined));
  if (shapes.size > 0) {
    const schemas = [...shapes].map((shape) => components.schemaOf(shape, 'output'));
    const example = declared?.example ?? refusal?.example;
    const [first] = schemas;
    content[declared?.shape ? mediaType(declared) : 'application/json'] = {
      schema: first !== undefined && schemas.length === 1 ? first : { anyOf: schemas },
      ...(example === undefined ? {} : { example }),
    };
  }
  for (const type of textTypes(declared, refusal)) {
    content[type] = { schema: textSchema(type) };
  }
  const headers = headersOf(operation, status, components);
  return {
    description: declared?.description ?? refusal?.description ?? '',
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(Object.keys(content).length === 0 ? {} : { content }),
  };
}

function textTypes(
  declared: OperationResponse | undefined,
  refusal: { shape: z.ZodType | undefined } | undefined,
): string[] {
  const own = declared && !declared.shape && declared.contentType !== undefined ? [mediaType(declared)] : [];
  const others = declared?.otherContentTypes ?? [];
  const gate = refusal && !refusal.shape ? ['text/plain'] : [];
  return [...new Set([...own, ...others, ...gate])];
}

/** Without parameters: responses differ in them, and whoever reads asks for the type. */
function mediaType({ contentType = 'application/json' }: OperationResponse): string {
  return contentType.split(';')[0] ?? contentType;
}

/** YAML is read as what it says, so its schema is not that of a text. */
function textSchema(type: string): SchemaObject {
  if (type.endsWith('yaml')) return {};
  return /^text\/|\+xml$/.test(type) ? { type: 'string' } : { type: 'string', format: 'binary' };
}

const retryAfter: HeaderObject = { description: 'Seconds to wait.', schema: { type: 'integer' } };
const entityHeaders: Record<string, HeaderObject> = {
  ETag: { description: 'SHA-256 of the content, quoted.', schema: { type: 'string' } },
};

function headersOf(
  { responses, family }: Operation,
  status: number,
  components: ShapeComponents,
): Record<string, HeaderObject> {
  const declared = Object.entries(responses[status]?.headers ?? {}).map(
    ([name, shape]) => [name, withDescription(components, shape)] as const,
  );
  return {
    ...(304 in responses && (status === 200 || status === 304) ? entityHeaders : {}),
    ...(status === 429 || (status === 503 && family !== 'system') ? { 'Retry-After': retryAfter } : {}),
    ...Object.fromEntries(declared),
  };
}
