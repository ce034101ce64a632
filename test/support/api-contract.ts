import type { OpenAPIObject, ResponseObject } from 'openapi3-ts/oas30';
import { openApiValidator } from './openapi-validator.ts';

/** An HTTP response. */
export interface Exchange {
  method: string;
  /** With or without a query. */
  path: string;
  status: number;
  /** `content-type`, null if absent. */
  contentType: string | null;
  text: string;
}

/** Throws if a response violates the document. The message contains operation, status and path. */
export type CheckExchange = (exchange: Exchange) => void;

/** Statuses of the router rather than of an operation. */
const methodNotAllowed = 405;

/**
 * Returns a check of responses against an OpenAPI 3.0 document. It is stricter than a client may be: an undeclared
 * status, media type or field fails, while a client ignores unknown fields. Paths outside the document are not checked.
 */
export function apiContract(document: OpenAPIObject): CheckExchange {
  // The router prefers the path with the fewest parameters.
  const items = Object.entries(document.paths)
    .map(([path, item]) => ({ path, item: item, matches: pathPattern(path) }))
    .sort((one, other) => parameterCount(one.path) - parameterCount(other.path));
  const validators = new Map<string, ReturnType<typeof openApiValidator>>();
  const schemas = closed(document.components?.schemas ?? {}) as object;

  return ({ method, path, status, contentType, text }) => {
    const [bare = ''] = path.split('?');
    const found = items.find(({ matches }) => matches.test(bare));
    if (!found) return;
    const verb = method.toLowerCase();
    const operation = found.item[verb === 'head' ? 'get' : (verb as 'get')];
    if (!operation && status === methodNotAllowed) return;
    const place = `${operation?.operationId ?? 'no operation'} ${status} (${method} ${bare})`;
    const fail = (what: string): never => {
      throw new Error(`not as in /openapi.json: ${place}: ${what}`);
    };
    const response = operation?.responses[String(status)] as ResponseObject | undefined;
    if (!response) return fail(`undeclared status, with ${text.slice(0, 300)}`);
    if (verb === 'head') return;
    const types = Object.keys(response.content ?? {});
    if (types.length === 0) return text === '' ? undefined : fail(`undeclared body ${text.slice(0, 300)}`);
    const type = contentType?.split(';')[0] ?? '';
    // A range of media types matches every type.
    const content = response.content?.[type] ?? response.content?.['*/*'];
    if (!content) return fail(`undeclared media type "${type}"; declared: ${types.join(', ')}`);
    if (type !== 'application/json') return;
    const key = `${place.split(' (')[0]} ${type}`;
    const validator =
      validators.get(key) ??
      openApiValidator({ components: { schemas } }, closed(content.schema ?? {}) as object);
    validators.set(key, validator);
    if (!validator(JSON.parse(text))) fail(`${validator.problems()}, in ${text.slice(0, 300)}`);
  };
}

/** Forbids additional properties in objects that declare properties. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const plain = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return plain.type === 'object' && 'properties' in plain && !('additionalProperties' in plain)
    ? { ...plain, additionalProperties: false }
    : plain;
}

function pathPattern(path: string): RegExp {
  const parts = path.split(/\{\w+\}/).map((literal) => literal.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^/]+')}$`);
}

function parameterCount(path: string): number {
  return path.split('{').length;
}
