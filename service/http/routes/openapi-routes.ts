import { stringify } from 'yaml';
import project from '../../../package.json' with { type: 'json' };
import { apiDocument } from '../../../specs/openapi/api-document.ts';
import { getApiDocument, getApiDocumentYaml } from '../../../specs/operations/api-documents.ts';
import { bind, type Route } from '../bind.ts';
import { presentDocument } from '../present/document.ts';

export interface OpenApiRouteOptions {
  /** Everything else that is served; the document tells of its own routes too. */
  routes: readonly Route[];
  /** `{base_url}`, without a slash at its end; asked for when a document is first read. */
  baseUrl: () => string;
}

/** The document of the service itself (DESIGN.md 3), made once. */
export function openApiRoutes({ routes, baseUrl }: OpenApiRouteOptions): Route[] {
  let json: string | undefined;
  let yaml: string | undefined;
  const own: Route[] = [
    bind(getApiDocument, ({ headers }) =>
      presentDocument(
        { content: jsonText(), contentType: 'application/json; charset=utf-8', audience: 'public' },
        headers,
      ),
    ),
    bind(getApiDocumentYaml, ({ headers }) =>
      presentDocument(
        { content: yamlText(), contentType: 'application/yaml; charset=utf-8', audience: 'public' },
        headers,
      ),
    ),
  ];
  const document = () =>
    apiDocument({
      operations: [...routes, ...own].map(({ operation }) => operation),
      baseUrl: baseUrl(),
      version: project.version,
    });
  const jsonText = (): string => (json ??= JSON.stringify(document()));
  const yamlText = (): string =>
    (yaml ??= stringify(document(), { lineWidth: 0, aliasDuplicateObjects: false }));
  return own;
}
