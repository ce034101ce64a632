import * as operations from '../../../specs/operations/specs.ts';
import type { DocumentFormat, GeneratedDocuments } from '../../documents/generated-documents.ts';
import { bind, type Route } from '../bind.ts';
import { type DocumentText, presentDocument } from '../present/document.ts';

/** Documents made of what is published (SPEC.md, Generated specs). */
export function specRoutes(documents: GeneratedDocuments): Route[] {
  return [
    bind(operations.getPackageSpec, async ({ principal, params, headers }) => {
      const text = await documents.ofPackage(principal?.tenant, params, 'json');
      return presentDocument(document(text, 'json', principal), headers);
    }),
    bind(operations.getPackageSpecYaml, async ({ principal, params, headers }) => {
      const text = await documents.ofPackage(principal?.tenant, params, 'yaml');
      return presentDocument(document(text, 'yaml', principal), headers);
    }),
    bind(operations.getGraphSpec, async ({ principal, params, headers }) => {
      const text = await documents.ofFlow(principal.tenant, params.artifact_id, 'json');
      return presentDocument(document(text, 'json', principal), headers);
    }),
    bind(operations.getGraphSpecYaml, async ({ principal, params, headers }) => {
      const text = await documents.ofFlow(principal.tenant, params.artifact_id, 'yaml');
      return presentDocument(document(text, 'yaml', principal), headers);
    }),
    bind(operations.getNodeSchema, async ({ principal, params, headers }) => {
      const text = await documents.ofNode(principal?.tenant, params.node_ulid);
      return presentDocument(document(text, 'json', principal), headers);
    }),
  ];
}

/** What came with a key may be what only that key sees. */
function document(text: string, format: DocumentFormat, principal: object | undefined): DocumentText {
  return {
    text,
    contentType: `application/${format}; charset=utf-8`,
    audience: principal === undefined ? 'public' : 'private',
  };
}
