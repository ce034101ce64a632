/**
 * Returns the member `example` of a media type. It is absent for a value with a `$ref`, whether as the JSON name of a field or as
 * a key of free-form JSON: OpenAPI readers would try to resolve the reference, and reject the whole document.
 */
export function exampleOf(value: unknown): { example?: unknown } {
  return hasReference(value) ? {} : { example: value };
}

function hasReference(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '$ref') || Object.values(value).some(hasReference);
}
