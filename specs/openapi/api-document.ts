import type { OpenAPIObject, PathsObject } from 'openapi3-ts/oas30';
import type { Operation } from '../operations/operation.ts';
import { apiOperation } from './api-operation.ts';
import { shapeComponents } from './components/shape-components.ts';
import { tagsOf } from './components/tags.ts';
import { keySecurity, requestIdHeader } from './invocation-parts.ts';

interface DocumentedApi {
  /** In the order of the document. Each has a unique method and path. */
  operations: readonly Operation[];
  /** Public address of the service, without a trailing slash. */
  baseUrl: string;
  /** Version of the service. */
  version: string;
}

/**
 * Returns the OpenAPI 3.0 document of the service, made from the operations that it enforces.
 *
 * @throws Error if two shapes have the same component name
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
        'Publishes typed nodes and flows over HTTP and builds SDKs for them. Any release may add fields to responses: ignore ' +
        'unknown fields.',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0.html' },
      contact: { name: 'The operator of this service', url: baseUrl },
    },
    servers: [{ url: baseUrl }],
    tags: tagsOf(operations.map(({ path }) => path)),
    security: keySecurity.requirement,
    paths,
    components: {
      headers: requestIdHeader,
      schemas: components.schemas(),
      securitySchemes: keySecurity.schemes,
    },
  };
}
