import type { ReferenceObject, SchemaObject } from 'openapi3-ts/oas30';
import { z } from 'zod';
import { described } from '../described.ts';

type Direction = 'input' | 'output';
type Schema = SchemaObject | ReferenceObject;

/** Converts zod shapes to OpenAPI 3.0 schemas. Shapes with an `id` in their `meta` become components. */
export interface ShapeComponents {
  /**
   * Returns the schema of a request (`input`) or a response (`output`). Response objects are open, because any release may add
   * fields; request objects are as strict as the service.
   */
  schemaOf(shape: z.ZodType, direction: Direction): Schema;
  /** Returns the components that the schemas so far refer to, by name. */
  schemas(): Record<string, SchemaObject>;
}

const prefix = '#/definitions/';

/**
 * Returns an empty set of components. A shape whose input and output schemas differ has two components, `<id>` and
 * `<id>Input`.
 */
export function shapeComponents(): ShapeComponents {
  const gathered = new Map<string, SchemaObject>();

  const nameFor = (id: string, schema: SchemaObject, direction: Direction): string => {
    const name = direction === 'input' && isOther(gathered.get(id), schema) ? `${id}Input` : id;
    if (isOther(gathered.get(name), schema)) throw new Error(`two shapes have the id ${name}`);
    return name;
  };

  const components: ShapeComponents = {
    schemaOf: (shape, direction) => {
      // Wrapped in an object, the shape becomes a component even if it is the outermost one.
      const whole = z.toJSONSchema(z.object({ root: shape }), {
        target: 'openapi-3.0',
        io: direction,
        unrepresentable: 'any',
        override: ({ jsonSchema }) => {
          adaptToOpenApi(jsonSchema, direction);
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
 * Replaces a shape that the handler checks itself, and that zod treats as any JSON, with the shape in `documentedAs` of
 * its `meta`.
 */
function standIn(schema: z.core.JSONSchema.BaseSchema, schemaOf: (shape: z.ZodType) => Schema): void {
  const { documentedAs, description } = schema;
  if (!(documentedAs instanceof z.ZodType)) return;
  for (const key of Object.keys(schema)) Reflect.deleteProperty(schema, key);
  const documented = schemaOf(documentedAs);
  Object.assign(schema, description === undefined ? documented : described(documented, description));
}

interface Definitions {
  definitions?: Record<string, SchemaObject>;
}

function isOther(known: SchemaObject | undefined, schema: SchemaObject): boolean {
  return known !== undefined && JSON.stringify(known) !== JSON.stringify(renamed(schema, new Map()));
}

/** Replaces keywords that OpenAPI 3.0 lacks, and patterns for which it has a format. */
function adaptToOpenApi(schema: z.core.JSONSchema.BaseSchema, direction: Direction): void {
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
