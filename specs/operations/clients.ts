import { z } from 'zod';
import { addedMember, buildRow, clientBody, clientRecord, memberBody } from './client-shapes.ts';
import { managementError } from './error-shapes.ts';
import { limits } from '../limits.ts';
import { defineOperation } from './operation.ts';
import { storableText } from './storable-text.ts';

const clientExample = {
  name: 'Text tools',
  description: 'Nodes that the support desk calls.',
  default_language: 'go',
  license: 'MIT',
  homepage: 'https://example.com/text-tools',
  authors: ['Support Desk <support@example.com>'],
};

const clientId = storableText.describe('Id of the client.');
const clientParams = z.object({ id: clientId });
const versionParams = z.object({
  id: clientId,
  version: storableText.describe('Client version, starting at 1.'),
});
const languageQuery = z.object({
  language: storableText.optional().describe('SDK language. Required.'),
});
const memberExample = { type: 'node', package: 'acme/text', node_name: 'Tokenize', alias: 'tokenize' };

const common = { family: 'management', caller: 'full-key' } as const;
const refused = (description: string) => ({ description, shape: managementError });
const clientAnswer = { description: 'The client.', shape: clientRecord };
const unknownClient = refused('client not found');

export const createClient = defineOperation({
  ...common,
  id: 'createClient',
  method: 'post',
  path: '/api/v1/clients',
  summary: 'Create a client',
  description: 'Creates a client without members. Add nodes and flows to it, then build SDKs for it.',
  scope: 'write',
  body: { kind: 'json', maxBytes: limits.managementBodyBytes, shape: clientBody, example: clientExample },
  responses: {
    201: clientAnswer,
    400: refused('A field is invalid, or the language is not supported.'),
    409: refused('a client with that name already exists'),
  },
});

export const listClients = defineOperation({
  ...common,
  id: 'listClients',
  method: 'get',
  path: '/api/v1/clients',
  summary: 'List clients',
  description: 'Lists the clients of the tenant. `members` and `versions` are empty; the counts are set.',
  scope: 'read',
  queued: true,
  responses: {
    200: { description: 'The clients.', shape: z.array(clientRecord) },
  },
});

export const getClient = defineOperation({
  ...common,
  id: 'getClient',
  method: 'get',
  path: '/api/v1/clients/{id}',
  queued: true,
  summary: 'Get a client',
  description: 'Returns a client with its members and builds.',
  scope: 'read',
  params: clientParams,
  responses: { 200: clientAnswer, 404: unknownClient },
});

export const updateClient = defineOperation({
  ...common,
  id: 'updateClient',
  method: 'put',
  path: '/api/v1/clients/{id}',
  queued: true,
  summary: 'Update a client',
  description: 'Replaces the name, the description, the default language and the metadata of the packages.',
  scope: 'write',
  params: clientParams,
  body: { kind: 'json', maxBytes: limits.managementBodyBytes, shape: clientBody, example: clientExample },
  responses: {
    200: clientAnswer,
    400: refused('A field is invalid, or the language is not supported.'),
    404: unknownClient,
    409: refused('a client with that name already exists'),
  },
});

export const deleteClient = defineOperation({
  ...common,
  id: 'deleteClient',
  method: 'delete',
  path: '/api/v1/clients/{id}',
  summary: 'Delete a client',
  description: 'Deletes a client with its members and versions.',
  scope: 'write',
  params: clientParams,
  responses: { 204: { description: 'The client is deleted.' }, 404: unknownClient },
});

export const addMember = defineOperation({
  ...common,
  id: 'addMember',
  method: 'post',
  path: '/api/v1/clients/{id}/members',
  queued: true,
  summary: 'Add a member',
  description: 'Adds a node or flow to a client. A node is pinned to a package version.',
  scope: 'write',
  params: clientParams,
  body: { kind: 'json', maxBytes: limits.managementBodyBytes, shape: memberBody, example: memberExample },
  responses: {
    201: { description: 'The new member.', shape: addedMember },
    400: refused('The member is invalid.'),
    404: refused('Unknown client, package, node or flow.'),
    409: refused('a member with that alias already exists — pass a distinct alias'),
  },
});

export const replaceMembers = defineOperation({
  ...common,
  id: 'replaceMembers',
  method: 'put',
  path: '/api/v1/clients/{id}/members',
  queued: true,
  summary: 'Replace all members',
  description: 'Replaces the members of a client in one transaction.',
  scope: 'write',
  params: clientParams,
  body: {
    kind: 'json',
    maxBytes: limits.managementBodyBytes,
    shape: z
      .object({
        members: z.array(memberBody).max(limits.membersPerClient).describe('The complete list of members.'),
      })
      .meta({ id: 'ReplaceMembers' }),
    example: { members: [memberExample] },
  },
  responses: {
    200: { description: 'The new members.', shape: z.array(addedMember) },
    400: refused('A member is invalid.'),
    404: refused('Unknown client, package, node or flow.'),
    409: refused('a member with that alias already exists — pass a distinct alias'),
  },
});

export const removeMember = defineOperation({
  ...common,
  id: 'removeMember',
  method: 'delete',
  path: '/api/v1/clients/{id}/members/{memberId}',
  queued: true,
  summary: 'Remove a member',
  description: 'Removes a member. Succeeds if the client exists and has no such member.',
  scope: 'write',
  params: z.object({ id: clientId, memberId: storableText.describe('Id of the member.') }),
  responses: { 204: { description: 'The member does not exist anymore.' }, 404: unknownClient },
});

export const buildClient = defineOperation({
  ...common,
  id: 'buildClient',
  method: 'post',
  path: '/api/v1/clients/{id}/build',
  summary: 'Build SDK archives',
  description:
    'Freezes the current members into a new version, or adds languages to an existing one. Archives are built in the ' +
    'background, one per language. Poll the builds until they are no longer `pending`.',
  scope: 'write',
  queued: true,
  params: clientParams,
  body: {
    kind: 'json',
    maxBytes: limits.managementBodyBytes,
    shape: z
      .object({
        languages: z
          .array(z.string())
          .max(32)
          .optional()
          .describe('SDK languages. Default: the default language of the client.'),
        version: z
          .number()
          .int()
          .min(0)
          .optional()
          .describe('An existing version to add the languages to. Default, or 0: a new version.'),
      })
      .meta({ id: 'BuildClient' }),
    example: { languages: ['go', 'typescript'] },
  },
  responses: {
    202: { description: 'The pending builds, one per language.', shape: z.array(buildRow) },
    400: refused('A language is not supported, or the client has no members.'),
    404: refused('Unknown client or version.'),
  },
});

export const listBuilds = defineOperation({
  ...common,
  id: 'listBuilds',
  method: 'get',
  path: '/api/v1/clients/{id}/versions',
  summary: 'List builds',
  description: 'Lists the builds of all versions and languages of a client.',
  scope: 'read',
  queued: true,
  params: clientParams,
  responses: {
    200: { description: 'The builds, newest version first.', shape: z.array(buildRow) },
    404: unknownClient,
  },
});

export const getBuild = defineOperation({
  ...common,
  id: 'getBuild',
  method: 'get',
  path: '/api/v1/clients/{id}/versions/{version}',
  summary: 'Get a build',
  description: 'Returns the build of a version in a language.',
  scope: 'read',
  params: versionParams,
  query: languageQuery,
  responses: {
    200: { description: 'The build.', shape: buildRow },
    400: refused('language query param is required'),
    404: refused('client not found, or version not found'),
  },
});

export const downloadSdk = defineOperation({
  ...common,
  id: 'downloadSdk',
  method: 'get',
  path: '/api/v1/clients/{id}/versions/{version}/download',
  summary: 'Download an SDK',
  description: 'Returns the archive of a build. Its `ETag` is the SHA-256 of the archive.',
  scope: 'read',
  params: versionParams,
  query: languageQuery,
  responses: {
    200: {
      description: 'The archive.',
      contentType: 'application/zip',
      headers: {
        'Content-Disposition': z.string().describe('`attachment` with the file name of the archive.'),
      },
    },
    304: { description: 'The archive matches `If-None-Match` and has not changed.' },
    400: refused('language query param is required'),
    404: refused('client not found, or version not found'),
    409: refused('build is not ready (status: <status>)'),
  },
});
