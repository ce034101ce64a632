import * as operations from '../../../specs/operations/specs.ts';
import type { DocumentFormat, GeneratedDocuments } from '../../documents/generated-documents.ts';
import type { MadeDocument } from '../../documents/document-worker.ts';
import { bind, type Route } from '../bind.ts';
import { presentDocument } from '../present/document.ts';
import type { Reply } from '../request-context.ts';

/** Documents made of what is published (SPEC.md, Generated specs). */
export function specRoutes(documents: GeneratedDocuments): Route[] {
  return [
    bind(operations.getPackageSpec, async ({ principal, params, headers }) => {
      const made = await documents.ofPackage(principal?.tenant, params, 'json');
      return present(made, 'json', { principal, headers });
    }),
    bind(operations.getPackageSpecYaml, async ({ principal, params, headers }) => {
      const made = await documents.ofPackage(principal?.tenant, params, 'yaml');
      return present(made, 'yaml', { principal, headers });
    }),
    bind(operations.getGraphSpec, async ({ principal, params, headers }) => {
      const made = await documents.ofFlow(principal.tenant, params.artifact_id, 'json');
      return present(made, 'json', { principal, headers });
    }),
    bind(operations.getGraphSpecYaml, async ({ principal, params, headers }) => {
      const made = await documents.ofFlow(principal.tenant, params.artifact_id, 'yaml');
      return present(made, 'yaml', { principal, headers });
    }),
    bind(operations.getNodeSchema, async ({ principal, params, headers }) => {
      const made = await documents.ofNode(principal?.tenant, params.node_ulid);
      return present(made, 'json', { principal, headers });
    }),
  ];
}

interface Asking {
  principal: object | undefined;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** What came with a key may be what only that key sees, and without one there may be nothing. */
function present(
  { bytes, sha256 }: MadeDocument,
  format: DocumentFormat,
  { principal, headers }: Asking,
): Reply {
  const contentType = `application/${format}; charset=utf-8`;
  const audience = principal === undefined ? 'public' : 'private';
  const reply = presentDocument({ content: bytes, sha256, contentType, audience }, headers);
  return { ...reply, headers: { ...reply.headers, Vary: 'Authorization' } };
}
