import * as operations from '../../../specs/operations/specs.ts';
import type { GeneratedDocuments } from '../../documents/generated-documents.ts';
import type { MadeDocument } from '../../documents/document-worker.ts';
import { bind, type Route } from '../bind.ts';
import { presentDocument, presentJsonDocument } from '../present/document.ts';

/** OpenAPI documents and JSON Schemas of packages, flows and nodes. */
export function specRoutes(documents: GeneratedDocuments): Route[] {
  return [
    bind(operations.getPackageSpec).to(async ({ principal, params, headers }) => {
      const made = await documents.ofPackage(principal?.tenant, params, 'json');
      return presentJson(made, { principal, headers });
    }),
    bind(operations.getPackageSpecYaml).to(async ({ principal, params, headers }) => {
      const made = await documents.ofPackage(principal?.tenant, params, 'yaml');
      return presentYaml(made, { principal, headers });
    }),
    bind(operations.getGraphSpec).to(async ({ principal, params, headers }) => {
      const made = await documents.ofFlow(principal.tenant, params.artifact_id, 'json');
      return presentJson(made, { principal, headers });
    }),
    bind(operations.getGraphSpecYaml).to(async ({ principal, params, headers }) => {
      const made = await documents.ofFlow(principal.tenant, params.artifact_id, 'yaml');
      return presentYaml(made, { principal, headers });
    }),
    bind(operations.getNodeSchema).to(async ({ principal, params, headers }) => {
      const made = await documents.ofNode(principal?.tenant, params.node_ulid);
      return presentJson(made, { principal, headers });
    }),
  ];
}

interface Caller {
  principal: object | undefined;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** The answer to a request with a key may be private; without a key there may be none. */
const varies = { Vary: 'Authorization' };

function presentJson({ bytes, sha256 }: MadeDocument, { principal, headers }: Caller) {
  const audience = principal === undefined ? 'public' : 'private';
  const answer = presentJsonDocument({ content: bytes, sha256, audience }, headers);
  return { ...answer, headers: { ...answer.headers, ...varies } };
}

function presentYaml({ bytes, sha256 }: MadeDocument, { principal, headers }: Caller) {
  const audience = principal === undefined ? 'public' : 'private';
  const contentType = 'application/yaml; charset=utf-8';
  const answer = presentDocument({ content: bytes, sha256, contentType, audience }, headers);
  return { ...answer, headers: { ...answer.headers, ...varies } };
}
