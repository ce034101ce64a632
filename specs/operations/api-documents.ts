import { z } from 'zod';
import { defineOperation } from './operation.ts';

const notModified = { description: 'The document that `If-None-Match` names is the current one.' };

/** The document of the service itself (DESIGN.md 3). */
export const getApiDocument = defineOperation({
  id: 'getApiDocument',
  method: 'get',
  path: '/openapi.json',
  family: 'system',
  summary: 'OpenAPI 3.0 of the service itself',
  caller: 'public',
  anyOrigin: true,
  responses: {
    200: {
      description: 'The document, as JSON.',
      shape: z.looseObject({
        openapi: z
          .string()
          .regex(/^3\.0\.\d+$/)
          .describe('Version of OpenAPI.'),
      }),
    },
    304: notModified,
  },
});

export const getApiDocumentYaml = defineOperation({
  id: 'getApiDocumentYaml',
  method: 'get',
  path: '/openapi.yaml',
  family: 'system',
  summary: 'OpenAPI 3.0 of the service itself, as YAML',
  caller: 'public',
  anyOrigin: true,
  responses: {
    200: { description: 'The document, as YAML.', contentType: 'application/yaml; charset=utf-8' },
    304: notModified,
  },
});
