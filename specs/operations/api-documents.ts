import { z } from 'zod';
import { defineOperation } from './operation.ts';

const notModified = { description: 'The document matches `If-None-Match` and has not changed.' };

/** The API document of the service itself. */
export const getApiDocument = defineOperation({
  id: 'getApiDocument',
  method: 'get',
  path: '/openapi.json',
  family: 'management',
  summary: 'Get the API document',
  description: 'Returns the OpenAPI 3.0 document of the service itself as JSON.',
  caller: 'public',
  anyOrigin: true,
  responses: {
    200: {
      description: 'The document as JSON.',
      shape: z.looseObject({
        openapi: z
          .string()
          .regex(/^3\.0\.\d+$/)
          .describe('OpenAPI version of the document.'),
      }),
    },
    304: notModified,
  },
});

export const getApiDocumentYaml = defineOperation({
  id: 'getApiDocumentYaml',
  method: 'get',
  path: '/openapi.yaml',
  family: 'management',
  summary: 'Get the API document as YAML',
  description: 'Returns the OpenAPI 3.0 document of the service itself as YAML.',
  caller: 'public',
  anyOrigin: true,
  responses: {
    200: { description: 'The document as YAML.', contentType: 'application/yaml; charset=utf-8' },
    304: notModified,
  },
});
