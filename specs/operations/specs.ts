import { z } from 'zod';
import { managementError } from './error-shapes.ts';
import { defineOperation } from './operation.ts';
import { storableText } from './storable-text.ts';

const graphParams = z.object({ artifact_id: storableText.describe('The `graph_id` of a compiled flow.') });
const packageParams = z.object({
  owner: storableText.describe("The publisher's handle."),
  package: storableText.describe('Name of the package, without the handle.'),
  version: storableText.describe('A version, or `latest`: the highest release.'),
});
const openApi = z.looseObject({
  openapi: z
    .string()
    .regex(/^3\.0\.\d+$/)
    .describe('Version of OpenAPI.'),
});
const yaml = 'application/yaml; charset=utf-8';

const notModified = { description: 'The document that `If-None-Match` names is the current one.' };
const unknownGraph = { description: 'Unknown, or of another tenant.', shape: managementError };
const unknownPackage = {
  description: "Unknown; a private package is unknown to all but its owner's keys.",
  shape: managementError,
};

/** Documents made of what is published (SPEC.md, Generated specs). */
export const getGraphSpec = defineOperation({
  id: 'getGraphSpec',
  method: 'get',
  path: '/api/graphs/{artifact_id}/openapi.json',
  family: 'management',
  summary: 'OpenAPI 3.0 of a flow',
  caller: 'full-key',
  scope: 'read',
  params: graphParams,
  responses: {
    200: { description: 'The document, as JSON.', shape: openApi },
    304: notModified,
    404: unknownGraph,
  },
});

export const getGraphSpecYaml = defineOperation({
  id: 'getGraphSpecYaml',
  method: 'get',
  path: '/api/graphs/{artifact_id}/openapi.yaml',
  family: 'management',
  summary: 'OpenAPI 3.0 of a flow, as YAML',
  caller: 'full-key',
  scope: 'read',
  params: graphParams,
  responses: {
    200: { description: 'The document, as YAML.', contentType: yaml },
    304: notModified,
    404: unknownGraph,
  },
});

export const getPackageSpec = defineOperation({
  id: 'getPackageSpec',
  method: 'get',
  path: '/api/packages/{owner}/{package}@{version}/openapi.json',
  family: 'management',
  summary: 'OpenAPI 3.0 of a package',
  caller: 'optional-key',
  anyOrigin: true,
  params: packageParams,
  responses: {
    200: { description: 'The document, as JSON.', shape: openApi },
    304: notModified,
    404: unknownPackage,
  },
});

export const getPackageSpecYaml = defineOperation({
  id: 'getPackageSpecYaml',
  method: 'get',
  path: '/api/packages/{owner}/{package}@{version}/openapi.yaml',
  family: 'management',
  summary: 'OpenAPI 3.0 of a package, as YAML',
  caller: 'optional-key',
  anyOrigin: true,
  params: packageParams,
  responses: {
    200: { description: 'The document, as YAML.', contentType: yaml },
    304: notModified,
    404: unknownPackage,
  },
});

const jsonSchema = z
  .looseObject({ $schema: z.string().describe('Dialect of the schema.') })
  .nullable()
  .describe('JSON Schema 2020-12; `null` where a generic node leaves the port open.');

export const getNodeSchema = defineOperation({
  id: 'getNodeSchema',
  method: 'get',
  path: '/api/nodes/{node_ulid}/schema.json',
  family: 'management',
  summary: 'JSON Schema of what a node takes and gives',
  caller: 'optional-key',
  anyOrigin: true,
  params: z.object({ node_ulid: storableText.describe("The node's 26-character registry id.") }),
  responses: {
    200: {
      description: 'Schemas of the input and the output message.',
      shape: z.object({
        input: jsonSchema.describe('Of what it takes; `null` where the port is open.'),
        output: jsonSchema.describe('Of what it gives; `null` where the port is open.'),
      }),
    },
    304: notModified,
    404: {
      description: "Unknown; a node of a private package is unknown to all but its owner's keys.",
      shape: managementError,
    },
  },
});
