import { z } from 'zod';
import { limits } from '../limits.ts';
import { managementError, publishError } from './error-shapes.ts';
import { defineOperation } from './operation.ts';
import { flag } from './query-flag.ts';
import { storableText } from './storable-text.ts';
import {
  checkedContainer,
  deploymentToken,
  endpointText,
  packageDetail,
  packageSummary,
  packageVersionDetail,
  publishBody,
  publishedPackage,
} from './package-shapes.ts';

const packageParams = z.object({
  owner: storableText.describe('Handle of the publisher.'),
  name: storableText.describe('Name of the package, without the handle.'),
});
const versionParams = packageParams.extend({ version: storableText.describe('Semantic version.') });

const packageExample = {
  name: 'acme/greeter',
  version: '1.0.0',
  description: 'Says hello.',
  protos: {
    'acme/greeter/v1/greeter.proto': [
      'syntax = "proto3";',
      'package acme.greeter.v1;',
      'message GreetRequest { string name = 1; }',
      'message GreetResponse { string text = 1; }',
    ].join('\n'),
  },
  nodes: [{ name: 'Greet', input: 'acme.greeter.v1.GreetRequest', output: 'acme.greeter.v1.GreetResponse' }],
};

export const publishPackage = defineOperation({
  id: 'publishPackage',
  method: 'post',
  path: '/api/v1/packages',
  family: 'management',
  summary: 'Publish a package version',
  description:
    'Publishes proto sources and nodes. A version cannot change: publishing the same content again succeeds, other content needs ' +
    'another version. The container at the endpoint is asked what it serves, and refused if that is something else.',
  caller: 'full-key',
  scope: 'write',
  body: { kind: 'json', maxBytes: limits.packageBodyBytes, shape: publishBody, example: packageExample },
  responses: {
    200: { description: 'The existing version, which has the same content.', shape: publishedPackage },
    201: { description: 'The published version.', shape: publishedPackage },
    400: {
      description: 'The package is invalid. Problems of protos have a file, a line and a column.',
      shape: publishError,
    },
    403: { description: 'The name has the handle of another tenant.', shape: managementError },
    409: {
      description:
        'The version exists with other content, or the container at the endpoint serves something else.',
      shape: managementError,
    },
  },
});

export const listPackages = defineOperation({
  id: 'listPackages',
  method: 'get',
  path: '/api/v1/packages',
  family: 'management',
  summary: 'List packages',
  description: 'Lists the packages of the tenant and the public packages of others.',
  caller: 'full-key',
  scope: 'read',
  queued: true,
  responses: {
    200: { description: 'The packages, ordered by name.', shape: z.array(packageSummary) },
  },
});

export const getPackage = defineOperation({
  id: 'getPackage',
  method: 'get',
  path: '/api/v1/packages/{owner}/{name}',
  queued: true,
  family: 'management',
  summary: 'Get a package',
  description: 'Returns a package with its versions.',
  caller: 'full-key',
  scope: 'read',
  params: packageParams,
  responses: {
    200: { description: 'The package.', shape: packageDetail },
    404: { description: 'Unknown, or private to another tenant.', shape: managementError },
  },
});

export const getPackageVersion = defineOperation({
  id: 'getPackageVersion',
  method: 'get',
  path: '/api/v1/packages/{owner}/{name}/{version}',
  queued: true,
  family: 'management',
  summary: 'Get a package version',
  description: 'Returns a package version with its nodes and protos.',
  caller: 'full-key',
  scope: 'read',
  params: versionParams,
  query: z.object({ uses: flag.describe('Lists what refers to a version of your own, too.') }),
  responses: {
    200: { description: 'The version.', shape: packageVersionDetail },
    404: { description: 'Unknown, or private to another tenant.', shape: managementError },
  },
});

const deployment = z.object({
  name: z.string().describe('Name of the package, as `<handle>/<name>`.'),
  version: z.string().describe('Semantic version.'),
  endpoint: z.string().describe(`Address of the containers, as ${endpointText}.`),
  token_set: z.boolean().describe('Whether calls of the containers carry a token.'),
  ...checkedContainer,
});

export const deployPackage = defineOperation({
  id: 'deployPackage',
  method: 'put',
  path: '/api/v1/packages/{owner}/{name}/{version}/deployment',
  family: 'management',
  summary: 'Deploy a package version',
  description:
    'Sets the address and the token of the node containers of a version. The container is asked what it serves, and refused if that ' +
    'is something else. The next call uses them.',
  caller: 'full-key',
  scope: 'write',
  params: versionParams,
  body: {
    kind: 'json',
    maxBytes: limits.managementBodyBytes,
    shape: z
      .strictObject({
        endpoint: z.string().max(512).describe(`Address of the containers, as ${endpointText}.`),
        token: deploymentToken.optional(),
      })
      .meta({ id: 'DeployPackage' }),
    example: { endpoint: 'grpc://127.0.0.1:9100' },
  },
  responses: {
    200: { description: 'The version is deployed.', shape: deployment },
    400: {
      description: 'The endpoint is invalid, or the operator does not allow its host or port.',
      shape: managementError,
    },
    403: { description: 'The package belongs to another tenant.', shape: managementError },
    404: { description: 'The package or version is unknown.', shape: managementError },
    409: {
      description:
        'The container at the endpoint serves something else, or the package contains Instances, which have no containers of their own.',
      shape: managementError,
    },
  },
});

export const undeployPackage = defineOperation({
  id: 'undeployPackage',
  method: 'delete',
  path: '/api/v1/packages/{owner}/{name}/{version}/deployment',
  family: 'management',
  summary: 'Undeploy a package version',
  description: 'Removes the address of the node containers of a version. Its nodes can no longer be called.',
  caller: 'full-key',
  scope: 'write',
  params: versionParams,
  responses: {
    204: { description: 'The version is not deployed anymore.' },
    403: { description: 'The package belongs to another tenant.', shape: managementError },
    404: { description: 'The package or version is unknown.', shape: managementError },
  },
});

export const deletePackageVersion = defineOperation({
  id: 'deletePackageVersion',
  method: 'delete',
  path: '/api/v1/packages/{owner}/{name}/{version}',
  family: 'management',
  summary: 'Delete a package version',
  description:
    'Deletes a version that is not deployed and that no flow, client, Instance or unfinished run refers to. Its number cannot be used ' +
    'again. Recorded runs stay readable.',
  caller: 'full-key',
  scope: 'write',
  params: versionParams,
  responses: {
    204: { description: 'The version is deleted.' },
    403: { description: 'The package belongs to another tenant.', shape: managementError },
    404: { description: 'The package or version is unknown, or is deleted.', shape: managementError },
    409: {
      description: 'The version is deployed or in use. The error says by what.',
      shape: managementError,
    },
  },
});
