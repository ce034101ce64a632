import type { OpenAPIObject, PathsObject } from 'openapi3-ts/oas30';
import type { Operation } from '../operations/operation.ts';
import { apiOperation } from './api-operation.ts';
import { shapeComponents } from './components/shape-components.ts';
import { tagsOf } from './components/tags.ts';
import { keySecurity } from './invocation-parts.ts';

export interface DocumentedApi {
  /** Each with a method and path of its own, in the order of the document. */
  operations: readonly Operation[];
  /** `{base_url}`, without a slash at its end. */
  baseUrl: string;
  /** Of the service. */
  version: string;
}

/**
 * The OpenAPI 3.0 document of the service itself, from the same operations that it enforces: what is not in here is not
 * answered, and what is in here is checked (DESIGN.md 3).
 *
 * @throws Error when two shapes claim one component name
 */
export function apiDocument({ operations, baseUrl, version }: DocumentedApi): OpenAPIObject {
  const components = shapeComponents();
  const paths: PathsObject = {};
  for (const operation of operations) {
    const path = (paths[operation.path] ??= {});
    path[operation.method] = apiOperation(operation, components);
  }
  return {
    openapi: '3.0.3',
    info: {
      title: 'svc',
      version,
      description:
        'Publishes typed nodes and flows over HTTP and builds their SDKs. Answers may get further fields with any ' +
        'release; ignore those that you do not know.',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0.html' },
      contact: { name: 'The operator of this service', url: baseUrl },
    },
    servers: [{ url: baseUrl }],
    tags: tagsOf(operations.map(({ path }) => path)),
    security: keySecurity.requirement,
    paths,
    components: { schemas: components.schemas(), securitySchemes: keySecurity.schemes },
  };
}
