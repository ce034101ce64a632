import type { ReferenceObject, SchemaObject } from 'openapi3-ts/oas30';

/** Returns a schema with another description. OpenAPI 3.0 ignores the siblings of a reference, so one is wrapped. */
export function described(schema: SchemaObject | ReferenceObject, description: string): SchemaObject {
  return '$ref' in schema ? { allOf: [schema], description } : { ...schema, description };
}
