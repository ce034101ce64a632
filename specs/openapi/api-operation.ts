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
} from '../operations/declared-answer.ts';
import type { Operation } from '../operations/operation.ts';
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
    required: body.isOptional !== true,
    content: {
      'application/json': {
        schema: body.shape ? components.schemaOf(body.shape, 'input') : {},
        ...example,
      },
    },
  };
}

function responsesOf(operation: Operation, components: ShapeComponents): ResponsesObject {
  return Object.fromEntries(
    declaredStatuses(operation).flatMap((status) => {
      const answer = declaredAnswer(operation, status);
      return answer ? [[String(status), responseOf(answer, components)] as const] : [];
    }),
  );
}

function responseOf(
  { description, content, headers }: DeclaredAnswer,
  components: ShapeComponents,
): ResponseObject {
  return {
    description,
    ...(Object.keys(headers).length === 0 ? {} : { headers: headersOf(headers, components) }),
    ...(content.size === 0
      ? {}
      : {
          content: Object.fromEntries(
            [...content].map(([type, declared]) => [type, mediaTypeOf(type, declared, components)]),
          ),
        }),
  };
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

/** YAML is read as what it says, so its schema is not that of a text. */
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
