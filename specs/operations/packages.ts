import { z } from 'zod';
import { limits } from '../limits.ts';
import { managementError, publishError } from './error-shapes.ts';
import { defineOperation } from './operation.ts';
import { storableText } from './storable-text.ts';
import {
  packageDetail,
  packageSummary,
  packageVersionDetail,
  publishBody,
  publishedPackage,
} from './package-shapes.ts';

const packageParams = z.object({
  owner: storableText.describe("The publisher's handle."),
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

/** Packages: publish, read, deploy (DESIGN.md 4). */
export const publishPackage = defineOperation({
  id: 'publishPackage',
  method: 'post',
  path: '/api/v1/packages',
  family: 'management',
  summary: 'Publish a version of a package',
  caller: 'full-key',
  scope: 'write',
  body: { kind: 'json', maxBytes: limits.packageBodyBytes, shape: publishBody, example: packageExample },
  responses: {
    200: { description: 'The same content was published before; nothing changed.', shape: publishedPackage },
    201: { description: 'Published.', shape: publishedPackage },
    400: {
      description: 'The package is not valid; protos are reported with file, line and column.',
      shape: publishError,
    },
    403: { description: 'The name belongs to another handle.', shape: managementError },
    409: { description: 'This version exists with other content.', shape: managementError },
  },
});

export const listPackages = defineOperation({
  id: 'listPackages',
  method: 'get',
  path: '/api/v1/packages',
  family: 'management',
  summary: 'List the packages that the tenant can use',
  caller: 'full-key',
  scope: 'read',
  responses: {
    200: { description: 'Own packages and public ones, by name.', shape: z.array(packageSummary) },
  },
});

export const getPackage = defineOperation({
  id: 'getPackage',
  method: 'get',
  path: '/api/v1/packages/{owner}/{name}',
  family: 'management',
  summary: 'A package with its versions',
  caller: 'full-key',
  scope: 'read',
  params: packageParams,
  responses: {
    200: { description: 'The package; versions newest first.', shape: packageDetail },
    404: { description: 'Unknown, or private to another tenant.', shape: managementError },
  },
});

export const getPackageVersion = defineOperation({
  id: 'getPackageVersion',
  method: 'get',
  path: '/api/v1/packages/{owner}/{name}/{version}',
  family: 'management',
  summary: 'A version of a package with its nodes and protos',
  caller: 'full-key',
  scope: 'read',
  params: versionParams,
  responses: {
    200: { description: 'The version.', shape: packageVersionDetail },
    404: { description: 'Unknown, or private to another tenant.', shape: managementError },
  },
});

const deployment = z.object({
  name: z.string().describe('<handle>/<name>'),
  version: z.string().describe('Semantic version.'),
  endpoint: z.string().describe('grpc://host:port'),
});

export const deployPackage = defineOperation({
  id: 'deployPackage',
  method: 'put',
  path: '/api/v1/packages/{owner}/{name}/{version}/deployment',
  family: 'management',
  summary: 'Say where the containers of a version answer',
  caller: 'full-key',
  scope: 'write',
  params: versionParams,
  body: {
    kind: 'json',
    maxBytes: limits.managementBodyBytes,
    shape: z
      .strictObject({ endpoint: z.string().max(512).describe('grpc://host:port') })
      .meta({ id: 'DeployPackage' }),
    example: { endpoint: 'grpc://127.0.0.1:9100' },
  },
  responses: {
    200: { description: 'Deployed; the next call goes there.', shape: deployment },
    400: { description: 'Not an endpoint that the operator allows.', shape: managementError },
    403: { description: 'The package belongs to another handle.', shape: managementError },
    404: { description: 'Unknown package or version.', shape: managementError },
    409: { description: 'The package holds Instances, which have no containers.', shape: managementError },
  },
});

export const undeployPackage = defineOperation({
  id: 'undeployPackage',
  method: 'delete',
  path: '/api/v1/packages/{owner}/{name}/{version}/deployment',
  family: 'management',
  summary: 'Take a version out of service',
  caller: 'full-key',
  scope: 'write',
  params: versionParams,
  responses: {
    204: { description: 'Undeployed, whether or not it was deployed.' },
    403: { description: 'The package belongs to another handle.', shape: managementError },
    404: { description: 'Unknown package or version.', shape: managementError },
  },
});
