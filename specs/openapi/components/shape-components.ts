import type { ReferenceObject, SchemaObject } from 'openapi3-ts/oas30';
import { z } from 'zod';

type Direction = 'input' | 'output';
type Schema = SchemaObject | ReferenceObject;

/** Shapes of zod as schemas of OpenAPI 3.0; those with an `id` in their `meta` are gathered as components. */
export interface ShapeComponents {
  /**
   * What the service takes (`input`), or what it answers with (`output`). Answers may get fields with any release, so their
   * objects are open; bodies are as strict as the service is.
   */
  schemaOf(shape: z.ZodType, direction: Direction): Schema;
  /** For `components.schemas`, by name: everything that the schemas so far refer to. */
  schemas(): Record<string, SchemaObject>;
}

const prefix = '#/definitions/';

/** Starts empty; a shape that is taken in one form and given in another is a component `<id>Input` as well. */
export function shapeComponents(): ShapeComponents {
  const gathered = new Map<string, SchemaObject>();

  const nameFor = (id: string, schema: SchemaObject, direction: Direction): string => {
    const name = direction === 'input' && isOther(gathered.get(id), schema) ? `${id}Input` : id;
    if (isOther(gathered.get(name), schema)) throw new Error(`two shapes have the id ${name}`);
    return name;
  };

  const components: ShapeComponents = {
    schemaOf: (shape, direction) => {
      // Within another, a shape with an id becomes a component whether or not it is the whole.
      const whole = z.toJSONSchema(z.object({ root: shape }), {
        target: 'openapi-3.0',
        io: direction,
        unrepresentable: 'any',
        override: ({ jsonSchema }) => {
          inWordsOfOpenApi(jsonSchema, direction);
          standIn(jsonSchema, (other) => components.schemaOf(other, direction));
        },
      });
      const { definitions = {}, properties = {} } = whole as SchemaObject & Definitions;
      const names = new Map(
        Object.entries(definitions).map(([id, schema]) => [id, nameFor(id, schema, direction)]),
      );
      for (const [id, schema] of Object.entries(definitions)) {
        gathered.set(names.get(id) ?? id, renamed(schema, names) as SchemaObject);
      }
      return renamed(properties.root, names) as Schema;
    },
    schemas: () =>
      Object.fromEntries([...gathered].sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))),
  };
  return components;
}

/**
 * What an operation checks itself, by texts of its own, is any JSON to zod; `documentedAs` in its `meta` is the shape that
 * documents tell instead.
 */
function standIn(schema: z.core.JSONSchema.BaseSchema, schemaOf: (shape: z.ZodType) => Schema): void {
  const { documentedAs, description } = schema;
  if (!(documentedAs instanceof z.ZodType)) return;
  for (const key of Object.keys(schema)) Reflect.deleteProperty(schema, key);
  const told = schemaOf(documentedAs);
  if (description === undefined) Object.assign(schema, told);
  // Beside a reference nothing else counts.
  else Object.assign(schema, '$ref' in told ? { allOf: [told] } : told, { description });
}

interface Definitions {
  definitions?: Record<string, SchemaObject>;
}

function isOther(known: SchemaObject | undefined, schema: SchemaObject): boolean {
  return known !== undefined && JSON.stringify(known) !== JSON.stringify(renamed(schema, new Map()));
}

/** What zod says in words that OpenAPI 3.0 lacks, or says by patterns where OpenAPI has a format. */
function inWordsOfOpenApi(schema: z.core.JSONSchema.BaseSchema, direction: Direction): void {
  delete schema.id;
  if (schema.contentEncoding === 'base64') {
    delete schema.contentEncoding;
    delete schema.pattern;
    schema.format = 'byte';
  }
  if (schema.format === 'date-time') delete schema.pattern;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (direction === 'output' && schema.additionalProperties === false) delete schema.additionalProperties;
}

function renamed(node: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(node)) return node.map((one) => renamed(one, names));
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => {
      if (key !== '$ref' || typeof value !== 'string' || !value.startsWith(prefix)) {
        return [key, renamed(value, names)];
      }
      const id = value.slice(prefix.length);
      return [key, `#/components/schemas/${names.get(id) ?? id}`];
    }),
  );
}
