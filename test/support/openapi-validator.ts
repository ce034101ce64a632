import { Ajv } from 'ajv';
import type { SchemaObject } from 'openapi3-ts/oas30';
import type { Accepts } from './schema-agreement.ts';

/** What a validator needs of an OpenAPI document. */
export interface SchemaDocument {
  components?: { schemas?: object };
}

/**
 * Validates by a schema of an OpenAPI 3.0 document: `nullable` and exclusive bounds are said in the words of JSON Schema,
 * everything else that svc uses means the same there.
 */
export function openApiValidator(
  { components }: SchemaDocument,
  schema: object,
): Accepts & { problems(): string } {
  const ajv = new Ajv({ strict: false, ownProperties: true, validateFormats: false });
  const root = translated({ ...schema, components: { schemas: components?.schemas ?? {} } }) as object;
  const validate = ajv.compile(root);
  const accepts = (json: unknown): boolean => validate(json);
  return Object.assign(accepts, { problems: () => ajv.errorsText(validate.errors) });
}

/** Names of properties and examples are no keywords, but nothing in svc's documents is called so there. */
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
  return nullable === true && typeof plain.type === 'string'
    ? { ...plain, type: [plain.type, 'null'] }
    : plain;
}
