/**
 * Returns the member `example` of a media type. It is absent for a value with a `$ref`, be it the JSON name of a field or a key of
 * free JSON: readers of OpenAPI would look for what it points at, and refuse the whole document.
 */
export function exampleOf(value: unknown): { example?: unknown } {
  return hasReference(value) ? {} : { example: value };
}

function hasReference(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '$ref') || Object.values(value).some(hasReference);
}
