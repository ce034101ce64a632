import * as operations from '../../../specs/operations/specs.ts';
import type { Principal } from '../../access/principal.ts';
import type { GeneratedDocuments } from '../../documents/generated-documents.ts';
import type { MadeDocument } from '../../documents/document-worker.ts';
import { appKeyRefused } from '../../errors/access-errors.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Tenant } from '../../store/tenants.ts';
import { bind, type Route } from '../bind.ts';
import { presentDocument, presentJsonDocument } from '../present/document.ts';
import type { RequestHeaders } from '../request-headers.ts';

/** OpenAPI documents and JSON Schemas of packages, flows and nodes. */
export function specRoutes(documents: GeneratedDocuments): Route[] {
  return [
    bind(operations.getPackageSpec).to(async ({ principal, params, headers }) => {
      const made = await forReader(principal, (tenant) => documents.ofPackage(tenant, params, 'json'));
      return presentJson(made, { principal, headers });
    }),
    bind(operations.getPackageSpecYaml).to(async ({ principal, params, headers }) => {
      const made = await forReader(principal, (tenant) => documents.ofPackage(tenant, params, 'yaml'));
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
      const made = await forReader(principal, (tenant) => documents.ofNode(tenant, params.node_ulid));
      return presentJson(made, { principal, headers });
    }),
  ];
}

/** Returns a document, which needs no key if it is public. An app key may read only public documents. */
async function forReader(
  principal: Principal | undefined,
  make: (tenant: Tenant | undefined) => Promise<MadeDocument>,
): Promise<MadeDocument> {
  if (principal?.key.kind !== 'app') return make(principal?.tenant);
  try {
    return await make(undefined);
  } catch (error) {
    throw error instanceof ApiError && error.status === 404 ? appKeyRefused() : error;
  }
}

interface Caller {
  principal: object | undefined;
  headers: RequestHeaders;
}

/** The response to a request with a key may be private; without a key the document may be refused. */
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
