import project from '../../../package.json' with { type: 'json' };
import { apiDocument } from '../../../specs/openapi/api-document.ts';
import { getApiDocument, getApiDocumentYaml } from '../../../specs/operations/api-documents.ts';
import { toYaml } from '../../documents/to-yaml.ts';
import { bind, type Route } from '../bind.ts';
import { presentDocument, presentJsonDocument } from '../present/document.ts';

interface OpenApiRouteOptions {
  /** All other routes. The document also describes its own route. */
  routes: readonly Route[];
  /** Returns the public address of the service, without a trailing slash. Called when a document is first read. */
  baseUrl: () => string;
}

/** The API document of the service, generated once. */
export function openApiRoutes({ routes, baseUrl }: OpenApiRouteOptions): Route[] {
  let json: string | undefined;
  let yaml: Promise<string> | undefined;
  const own: Route[] = [
    bind(getApiDocument).to(({ headers }) =>
      presentJsonDocument({ content: jsonText(), audience: 'public' }, headers),
    ),
    bind(getApiDocumentYaml).to(async ({ headers }) =>
      presentDocument(
        { content: await yamlText(), contentType: 'application/yaml; charset=utf-8', audience: 'public' },
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
  const yamlText = (): Promise<string> => (yaml ??= toYaml(document()));
  return own;
}
