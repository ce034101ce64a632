import { z } from 'zod';
import { managementError } from './error-shapes.ts';
import { limits } from '../limits.ts';
import { defineOperation } from './operation.ts';
import { storableText } from './storable-text.ts';

/** Shapes and operations of the Client Builder (SPEC.md, Client Builder, Client, Client member, Client build row). */
export const clientMember = z
  .object({
    id: z.string(),
    client_id: z.string(),
    member_type: z.enum(['node', 'flow']),
    alias: z.string(),
    package_name: z.string().optional(),
    package_version: z.string().optional(),
    node_ulid: z.string().optional(),
    artifact_id: z.string().optional(),
    created_at: z.string(),
  })
  .meta({ id: 'ClientMember' });

export const buildRow = z
  .object({
    id: z.string(),
    client_id: z.string(),
    version: z.number().int(),
    language: z.string(),
    status: z.enum(['pending', 'succeeded', 'failed']),
    error: z.string().optional(),
    created_at: z.string(),
  })
  .meta({ id: 'Build' });

export const clientRecord = z
  .object({
    id: z.string(),
    tenant_id: z.string(),
    name: z.string(),
    slug: z.string(),
    description: z.string(),
    default_language: z.string(),
    latest_version: z.number().int(),
    created_at: z.string(),
    updated_at: z.string(),
    members: z.array(clientMember),
    versions: z.array(buildRow),
    member_count: z.number().int(),
    version_count: z.number().int(),
  })
  .meta({ id: 'Client' });

/** Languages are checked by the handler, whose text SPEC.md gives. */
const clientBody = z.object({
  name: storableText.trim().min(1, { error: 'is required' }).max(200),
  description: storableText.max(4096).default(''),
  default_language: z.string().optional(),
});

export const memberBody = z
  .object({
    type: z.enum(['node', 'flow']),
    package: storableText.optional(),
    version: storableText.optional(),
    node_name: storableText.optional(),
    node_ulid: storableText.optional(),
    artifact_id: storableText.optional(),
    alias: storableText.max(200).optional(),
  })
  .meta({ id: 'AddMember' });
export type MemberBody = z.infer<typeof memberBody>;

const clientParams = z.object({ id: storableText });
const versionParams = z.object({ id: storableText, version: storableText });
const languageQuery = z.object({ language: storableText.optional() });

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
  body: { kind: 'json', maxBytes: limits.managementBodyBytes, shape: clientBody },
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
  body: { kind: 'json', maxBytes: limits.managementBodyBytes, shape: clientBody },
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
  body: { kind: 'json', maxBytes: limits.managementBodyBytes, shape: memberBody },
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
    shape: z.object({ members: z.array(memberBody).max(limits.membersPerClient) }),
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
  params: z.object({ id: storableText, memberId: storableText }),
  responses: { 204: { description: 'Gone, whether or not it existed.' }, 404: unknownClient },
});

export const buildClient = defineOperation({
  ...common,
  id: 'buildClient',
  method: 'post',
  path: '/api/v1/clients/{id}/build',
  summary: 'Build SDK archives',
  scope: 'write',
  params: clientParams,
  body: {
    kind: 'json',
    maxBytes: limits.managementBodyBytes,
    shape: z.object({
      languages: z.array(z.string()).max(32).optional(),
      version: z.number().int().min(0).optional(),
    }),
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
