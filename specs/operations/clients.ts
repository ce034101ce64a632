import { z } from 'zod';
import { managementError } from './error-shapes.ts';
import { limits } from '../limits.ts';
import { defineOperation } from './operation.ts';
import { storableText } from './storable-text.ts';

/** Shapes and operations of the Client Builder (SPEC.md, Client Builder, Client, Client member, Client build row). */
export const clientMember = z
  .object({
    id: z.string().describe('Id of the member.'),
    client_id: z.string().describe('Id of its client.'),
    member_type: z.enum(['node', 'flow']).describe('What it is.'),
    alias: z.string().describe('Its name in SDKs, unique within the client.'),
    package_name: z.string().optional().describe('Of a node: its package, as <handle>/<name>.'),
    package_version: z.string().optional().describe('Of a node: the version that it is pinned to.'),
    node_ulid: z.string().optional().describe('Of a node: its 26-character registry id.'),
    artifact_id: z.string().optional().describe('Of a flow: its compiled artifact.'),
    created_at: z.string().describe('ISO 8601, UTC.'),
  })
  .meta({ id: 'ClientMember' });

export const buildRow = z
  .object({
    id: z.string().describe('Id of the build.'),
    client_id: z.string().describe('Id of its client.'),
    version: z.number().int().describe('Version of the client, from 1.'),
    language: z.string().describe('Language of the SDK.'),
    status: z.enum(['pending', 'succeeded', 'failed']).describe('Poll until it is no longer pending.'),
    error: z.string().optional().describe('Why it failed.'),
    created_at: z.string().describe('ISO 8601, UTC.'),
  })
  .meta({ id: 'Build' });

export const clientRecord = z
  .object({
    id: z.string().describe('Id of the client.'),
    tenant_id: z.string().describe('Whose it is.'),
    name: z.string().describe('Unique within the tenant.'),
    slug: z.string().describe('Made of the name: what archives and packages are called.'),
    description: z.string().describe('For people.'),
    default_language: z.string().describe('Language of builds that name none.'),
    latest_version: z.number().int().describe('0 until the first build.'),
    created_at: z.string().describe('ISO 8601, UTC.'),
    updated_at: z.string().describe('ISO 8601, UTC.'),
    members: z.array(clientMember).describe('Told of a single client only.'),
    versions: z.array(buildRow).describe('Told of a single client only.'),
    member_count: z.number().int().describe('How many members it has now.'),
    version_count: z.number().int().describe('How many versions were cut.'),
  })
  .meta({ id: 'Client' });

/** Languages are checked by the handler, whose text SPEC.md gives. */
const clientBody = z
  .object({
    name: storableText.trim().min(1, { error: 'is required' }).max(200).describe('Unique within the tenant.'),
    description: storableText.max(4096).default('').describe('For people.'),
    default_language: z.string().optional().describe('Language of builds that name none.'),
  })
  .meta({ id: 'SaveClient' });
const clientExample = { name: 'Text tools', description: 'What our desk calls.', default_language: 'go' };

export const memberBody = z
  .object({
    type: z.enum(['node', 'flow']).describe('What is added.'),
    package: storableText.optional().describe('Of a node: its package, as <handle>/<name>.'),
    version: storableText.optional().describe('Of a node: empty or latest pins the latest version now.'),
    node_name: storableText.optional().describe('Of a node: its name, unless node_ulid is given.'),
    node_ulid: storableText.optional().describe('Of a node: its 26-character registry id.'),
    artifact_id: storableText.optional().describe('Of a flow: its compiled artifact.'),
    alias: storableText.max(200).optional().describe('Name in SDKs; left out: made of the node or flow.'),
  })
  .meta({ id: 'AddMember' });
export type MemberBody = z.infer<typeof memberBody>;

const clientId = storableText.describe('Id of the client.');
const clientParams = z.object({ id: clientId });
const versionParams = z.object({
  id: clientId,
  version: storableText.describe('Version of the client, from 1.'),
});
const languageQuery = z.object({
  language: storableText.optional().describe('Required. Language of the SDK.'),
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
  scope: 'write',
  body: { kind: 'json', maxBytes: limits.managementBodyBytes, shape: clientBody, example: clientExample },
  responses: {
    201: clientAnswer,
    400: refused('Not a valid client, or an unsupported language.'),
    409: refused('a client with that name already exists'),
  },
});

export const listClients = defineOperation({
  ...common,
  id: 'listClients',
  method: 'get',
  path: '/api/v1/clients',
  summary: "List the tenant's clients",
  scope: 'read',
  responses: {
    200: { description: 'Members and versions empty, counts populated.', shape: z.array(clientRecord) },
  },
});

export const getClient = defineOperation({
  ...common,
  id: 'getClient',
  method: 'get',
  path: '/api/v1/clients/{id}',
  summary: 'A client with members and versions',
  scope: 'read',
  params: clientParams,
  responses: { 200: clientAnswer, 404: unknownClient },
});

export const updateClient = defineOperation({
  ...common,
  id: 'updateClient',
  method: 'put',
  path: '/api/v1/clients/{id}',
  summary: 'Replace name, description and default language',
  scope: 'write',
  params: clientParams,
  body: { kind: 'json', maxBytes: limits.managementBodyBytes, shape: clientBody, example: clientExample },
  responses: {
    200: clientAnswer,
    400: refused('Not a valid client, or an unsupported language.'),
    404: unknownClient,
    409: refused('a client with that name already exists'),
  },
});

export const deleteClient = defineOperation({
  ...common,
  id: 'deleteClient',
  method: 'delete',
  path: '/api/v1/clients/{id}',
  summary: 'Delete a client with its members and versions',
  scope: 'write',
  params: clientParams,
  responses: { 204: { description: 'Deleted.' }, 404: unknownClient },
});

export const addMember = defineOperation({
  ...common,
  id: 'addMember',
  method: 'post',
  path: '/api/v1/clients/{id}/members',
  summary: 'Add a node or flow',
  scope: 'write',
  params: clientParams,
  body: { kind: 'json', maxBytes: limits.managementBodyBytes, shape: memberBody, example: memberExample },
  responses: {
    201: { description: 'The member, pinned.', shape: clientMember },
    400: refused('Not a valid member.'),
    404: refused('Unknown client, package, node or flow.'),
    409: refused('a member with that alias already exists — pass a distinct alias'),
  },
});

export const replaceMembers = defineOperation({
  ...common,
  id: 'replaceMembers',
  method: 'put',
  path: '/api/v1/clients/{id}/members',
  summary: 'Replace all members in one transaction',
  scope: 'write',
  params: clientParams,
  body: {
    kind: 'json',
    maxBytes: limits.managementBodyBytes,
    shape: z
      .object({ members: z.array(memberBody).max(limits.membersPerClient).describe('All of them.') })
      .meta({ id: 'ReplaceMembers' }),
    example: { members: [memberExample] },
  },
  responses: {
    200: { description: 'The new members.', shape: z.array(clientMember) },
    400: refused('Not valid members.'),
    404: refused('Unknown client, package, node or flow.'),
    409: refused('a member with that alias already exists — pass a distinct alias'),
  },
});

export const removeMember = defineOperation({
  ...common,
  id: 'removeMember',
  method: 'delete',
  path: '/api/v1/clients/{id}/members/{memberId}',
  summary: 'Remove a member',
  scope: 'write',
  params: z.object({ id: clientId, memberId: storableText.describe('Id of the member.') }),
  responses: { 204: { description: 'Gone, whether or not it existed.' }, 404: unknownClient },
});

export const buildClient = defineOperation({
  ...common,
  id: 'buildClient',
  method: 'post',
  path: '/api/v1/clients/{id}/build',
  summary: 'Build SDK archives',
  description:
    'Freezes the members into a version, or takes those of an existing one. Poll the rows until they are no longer pending.',
  scope: 'write',
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
          .describe('Left out: the default language of the client.'),
        version: z
          .number()
          .int()
          .min(0)
          .optional()
          .describe('An existing version gets the languages; 0 or left out: a new version is cut.'),
      })
      .meta({ id: 'BuildClient' }),
    example: { languages: ['go', 'typescript'] },
  },
  responses: {
    202: { description: 'One pending row for each language.', shape: z.array(buildRow) },
    400: refused('Unsupported language, or nothing to build.'),
    404: refused('Unknown client or version.'),
  },
});

export const listBuilds = defineOperation({
  ...common,
  id: 'listBuilds',
  method: 'get',
  path: '/api/v1/clients/{id}/versions',
  summary: 'All build rows of a client',
  scope: 'read',
  params: clientParams,
  responses: { 200: { description: 'Newest version first.', shape: z.array(buildRow) }, 404: unknownClient },
});

export const getBuild = defineOperation({
  ...common,
  id: 'getBuild',
  method: 'get',
  path: '/api/v1/clients/{id}/versions/{version}',
  summary: 'The build row of a version and language',
  scope: 'read',
  params: versionParams,
  query: languageQuery,
  responses: {
    200: { description: 'The row.', shape: buildRow },
    400: refused('language query param is required'),
    404: refused('client not found, or version not found'),
  },
});

export const downloadSdk = defineOperation({
  ...common,
  id: 'downloadSdk',
  method: 'get',
  path: '/api/v1/clients/{id}/versions/{version}/download',
  summary: 'Download an SDK archive',
  scope: 'read',
  params: versionParams,
  query: languageQuery,
  responses: {
    200: {
      description: 'The archive; its ETag is its SHA-256.',
      contentType: 'application/zip',
      headers: { 'Content-Disposition': z.string().describe('`attachment`, with the name of the archive.') },
    },
    304: { description: 'The archive that `If-None-Match` names is current.' },
    400: refused('language query param is required'),
    404: refused('client not found, or version not found'),
    409: refused('build is not ready (status: <status>)'),
  },
});
