import { Ajv } from 'ajv';
import type { SchemaObject } from 'openapi3-ts/oas30';
import type { Accepts } from './schema-agreement.ts';

/** The part of an OpenAPI document that schemas refer to. */
interface SchemaDocument {
  components?: { schemas?: object };
}

/** One compiler per document, which translates its schemas once and compiles each one once. */
const compilers = new WeakMap<object, Ajv>();

/**
 * Returns a validator for a schema of an OpenAPI 3.0 document. `nullable` and exclusive bounds are rewritten as JSON
 * Schema; every other keyword that svc uses means the same in both.
 */
export function openApiValidator(
  { components }: SchemaDocument,
  schema: object,
): Accepts & { problems(): string } {
  const ajv = compilerOf(components?.schemas ?? {});
  const validate = ajv.compile(translated(schema) as object);
  const accepts = (json: unknown): boolean => validate(json);
  return Object.assign(accepts, { problems: () => ajv.errorsText(validate.errors) });
}

const rfc3339 =
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;

function compilerOf(schemas: object): Ajv {
  const known = compilers.get(schemas);
  if (known) return known;
  // The formats of numbers and bytes add no restrictions to the other keywords.
  const formats = { int32: true, int64: true, uint64: true, float: true, double: true, byte: true } as const;
  const ajv = new Ajv({
    strict: false,
    ownProperties: true,
    formats: { ...formats, uuid: true, uri: true, 'date-time': rfc3339 },
  });
  ajv.addSchema({ $id: 'document', components: { schemas: translated(schemas) } });
  compilers.set(schemas, ajv);
  return ajv;
}

/**
 * Translates a schema. It also treats names of properties and examples as keywords, because svc's documents have no
 * such names.
 */
function translated(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(translated);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { nullable, ...rest } = schema as SchemaObject & Record<string, unknown>;
  const entries = Object.entries(rest).map(([key, value]) => [key, translated(value)] as const);
  const plain = Object.fromEntries(entries) as Record<string, unknown>;
  if (plain.exclusiveMinimum === true) {
    plain.exclusiveMinimum = plain.minimum;
    delete plain.minimum;
  }
  if (typeof plain.$ref === 'string') plain.$ref = `document${plain.$ref}`;
  return nullable === true && typeof plain.type === 'string'
    ? { ...plain, type: [plain.type, 'null'] }
    : plain;
}
