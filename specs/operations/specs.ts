import { z } from 'zod';
import { managementError } from './error-shapes.ts';
import { defineOperation } from './operation.ts';
import { storableText } from './storable-text.ts';

const graphParams = z.object({ artifact_id: storableText.describe('Id of the compiled flow.') });
const packageParams = z.object({
  owner: storableText.describe('Handle of the publisher.'),
  package: storableText.describe('Name of the package, without the handle.'),
  version: storableText.describe('A version, or `latest` for the highest release.'),
});
const openApi = z.looseObject({
  openapi: z
    .string()
    .regex(/^3\.0\.\d+$/)
    .describe('OpenAPI version of the document.'),
});
const yaml = 'application/yaml; charset=utf-8';

const notModified = { description: 'The document matches `If-None-Match` and has not changed.' };
const unknownGraph = {
  description: 'The flow is unknown or belongs to another tenant.',
  shape: managementError,
};
const unknownPackage = {
  description: 'The package is unknown, or private and the request has no key of its owner.',
  shape: managementError,
};

export const getGraphSpec = defineOperation({
  id: 'getGraphSpec',
  method: 'get',
  path: '/api/graphs/{artifact_id}/openapi.json',
  family: 'management',
  summary: 'Get the OpenAPI document of a flow',
  description: 'Returns the OpenAPI 3.0 document of a compiled flow as JSON.',
  caller: 'full-key',
  scope: 'read',
  params: graphParams,
  responses: {
    200: { description: 'The document as JSON.', shape: openApi },
    304: notModified,
    404: unknownGraph,
  },
});

export const getGraphSpecYaml = defineOperation({
  id: 'getGraphSpecYaml',
  method: 'get',
  path: '/api/graphs/{artifact_id}/openapi.yaml',
  family: 'management',
  summary: 'Get the OpenAPI document of a flow as YAML',
  description: 'Returns the OpenAPI 3.0 document of a compiled flow as YAML.',
  caller: 'full-key',
  scope: 'read',
  params: graphParams,
  responses: {
    200: { description: 'The document as YAML.', contentType: yaml },
    304: notModified,
    404: unknownGraph,
  },
});

export const getPackageSpec = defineOperation({
  id: 'getPackageSpec',
  method: 'get',
  path: '/api/packages/{owner}/{package}@{version}/openapi.json',
  family: 'management',
  summary: 'Get the OpenAPI document of a package',
  description: 'Returns the OpenAPI 3.0 document of a package version as JSON, with one operation per node.',
  caller: 'optional-key',
  anyOrigin: true,
  params: packageParams,
  responses: {
    200: { description: 'The document as JSON.', shape: openApi },
    304: notModified,
    404: unknownPackage,
  },
});

export const getPackageSpecYaml = defineOperation({
  id: 'getPackageSpecYaml',
  method: 'get',
  path: '/api/packages/{owner}/{package}@{version}/openapi.yaml',
  family: 'management',
  summary: 'Get the OpenAPI document of a package as YAML',
  description: 'Returns the OpenAPI 3.0 document of a package version as YAML, with one operation per node.',
  caller: 'optional-key',
  anyOrigin: true,
  params: packageParams,
  responses: {
    200: { description: 'The document as YAML.', contentType: yaml },
    304: notModified,
    404: unknownPackage,
  },
});

const jsonSchema = z
  .looseObject({ $schema: z.string().describe('Dialect of the schema.') })
  .nullable()
  .describe('JSON Schema 2020-12, or `null` if the port is open.');

export const getNodeSchema = defineOperation({
  id: 'getNodeSchema',
  method: 'get',
  path: '/api/nodes/{node_ulid}/schema.json',
  family: 'management',
  summary: 'Get the JSON Schema of a node',
  description: 'Returns the JSON Schemas of the input and output messages of a node.',
  caller: 'optional-key',
  anyOrigin: true,
  params: z.object({ node_ulid: storableText.describe('26-character registry id of the node.') }),
  responses: {
    200: {
      description: 'The schemas.',
      shape: z.object({
        input: jsonSchema.describe('Schema of the input message, or `null` if the port is open.'),
        output: jsonSchema.describe('Schema of the output message, or `null` if the port is open.'),
      }),
    },
    304: notModified,
    404: {
      description: 'The node is unknown, or private and the request has no key of its owner.',
      shape: managementError,
    },
  },
});
