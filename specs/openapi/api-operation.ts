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
import type { z } from 'zod';
import {
  type DeclaredAnswer,
  type DeclaredContent,
  declaredAnswer,
  declaredStatuses,
  formType,
  socketContent,
  streamTypes,
} from '../operations/declared-answer.ts';
import type { Operation } from '../operations/operation.ts';
import type { ShapeComponents } from './components/shape-components.ts';
import { tagOf } from './components/tags.ts';
import { keySecurity } from './invocation-parts.ts';

/** Returns an operation as an OpenAPI 3.0 object, with everything that the service enforces and all of its responses. */
export function apiOperation(operation: Operation, components: ShapeComponents): OperationObject {
  const { id, summary, description, caller, scope, path } = operation;
  const parameters = [
    ...parametersOf(operation.params, 'path', components),
    ...parametersOf(operation.query, 'query', components),
    ...parametersOf(operation.headers, 'header', components),
  ];
  const requirement = scope === undefined ? [] : [`Requires the scope \`${scope}\`.`];
  const body = requestBody(operation, components);
  return {
    operationId: id,
    summary,
    description: [description ?? `${summary}.`, ...requirement].join('\n\n'),
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

/** Returns the schema of a parameter with its description, which OpenAPI puts next to the schema. */
function withDescription(components: ShapeComponents, shape: z.ZodType): BaseParameterObject {
  const schema = components.schemaOf(shape, 'input');
  if ('$ref' in schema) return { schema };
  const { description, ...rest } = schema;
  return { ...(description === undefined ? {} : { description }), schema: rest };
}

function requestBody({ body }: Operation, components: ShapeComponents): RequestBodyObject | undefined {
  if (!body) return undefined;
  const schemaOf = (shape: z.ZodType | undefined) => (shape ? components.schemaOf(shape, 'input') : {});
  const media = {
    schema: schemaOf(body.shape),
    ...(body.example === undefined ? {} : { example: body.example }),
  };
  const lines = body.kind === 'lines' ? body : body.kind === 'bytes' ? body.orLines : undefined;
  const form = body.kind === 'bytes' ? body.orForm : undefined;
  const sizes = [
    ...(body.kind === 'lines' ? [] : [`At most ${body.maxBytes} bytes.`]),
    ...(lines
      ? [`NDJSON: at most ${lines.maxLineBytes} bytes per line and ${lines.maxBytes} bytes in total.`]
      : []),
    ...(form ? [`As a form: at most ${form.maxBytes} bytes.`] : []),
  ];
  return {
    description: body.description ?? sizes.join(' '),
    required: body.isOptional !== true,
    content: {
      ...(body.kind === 'lines' ? {} : { 'application/json': media }),
      // OpenAPI 3.0 has no schema for a sequence, so the schema describes one line.
      ...(lines && {
        [streamTypes.lines]: body.kind === 'lines' ? media : { ...media, schema: schemaOf(lines.shape) },
      }),
      ...(form && { [formType]: { schema: schemaOf(form.shape), example: form.example } }),
    },
  };
}

function responsesOf(operation: Operation, components: ShapeComponents): ResponsesObject {
  return Object.fromEntries(
    declaredStatuses(operation).flatMap((status) => {
      const answer = declaredAnswer(operation, status);
      return answer ? [[String(status), responseOf(status, answer, components)] as const] : [];
    }),
  );
}

/** Status of an upgraded connection, whose response has no headers other than the handshake's. */
const upgraded = 101;

function responseOf(
  status: number,
  { description, content, headers }: DeclaredAnswer,
  components: ShapeComponents,
): ResponseObject {
  const all = { ...(status === upgraded ? {} : requestIdReference), ...headersOf(headers, components) };
  return {
    description,
    ...(Object.keys(all).length === 0 ? {} : { headers: all }),
    ...(content.size === 0
      ? {}
      : {
          content: Object.fromEntries(
            [...content].map(([type, declared]) => [
              documentedType(type),
              mediaTypeOf(type, declared, components),
            ]),
          ),
        }),
  };
}

const requestIdReference = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } };

/** Returns the media type to document. OpenAPI has no WebSockets, so the schema describes one message. */
function documentedType(type: string): string {
  return type === socketContent ? 'application/json' : type;
}

function mediaTypeOf(
  type: string,
  { shapes, example }: DeclaredContent,
  components: ShapeComponents,
): MediaTypeObject {
  const schemas = shapes.map((shape) => components.schemaOf(shape, 'output'));
  const [first] = schemas;
  return {
    schema: first === undefined ? textSchema(type) : schemas.length === 1 ? first : { anyOf: schemas },
    ...(example === undefined ? {} : { example }),
  };
}

/** Returns the schema of a body of text or bytes. A YAML document is described by its value, not as a string. */
function textSchema(type: string): SchemaObject {
  if (type.endsWith('yaml')) return {};
  return /^text\/|\+xml$/.test(type) ? { type: 'string' } : { type: 'string', format: 'binary' };
}

function headersOf(
  headers: DeclaredAnswer['headers'],
  components: ShapeComponents,
): Record<string, HeaderObject> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, shape]) => [
      name,
      {
        ...(shape.safeParse(undefined).success ? {} : { required: true }),
        ...withDescription(components, shape),
      },
    ]),
  );
}
