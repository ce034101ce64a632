import type { z } from 'zod';
import type { clientBody } from '../../../specs/operations/client-shapes.ts';
import * as operations from '../../../specs/operations/clients.ts';
import type { ArchiveStore } from '../../clients/archive-store.ts';
import type { BuildRunner } from '../../builds/build-runner.ts';
import { addMember, replaceMembers, removeMember } from '../../clients/change-members.ts';
import { readArchive } from '../../builds/read-archive.ts';
import { memberWarnings } from '../../clients/member-warnings.ts';
import { nodeNamesOf, readBuild, readClient, readClientWithMembers } from '../../clients/read-client.ts';
import { type BuildRequestOptions, requestBuild } from '../../builds/request-build.ts';
import {
  type ClientFields,
  createClient,
  removeClient,
  replaceClient,
  type SaveOptions,
} from '../../clients/save-client.ts';
import { languageRequired } from '../../errors/client-errors.ts';
import { readBuilds } from '../../store/client-builds.ts';
import { readClients } from '../../store/clients.ts';
import { bind, type Route } from '../bind.ts';
import { LongObject } from '../answer/long-object.ts';
import { namesEntity } from '../answer/entity-tag.ts';
import { presentBuild } from '../present/build-row.ts';
import { presentClient, presentClientWithMembers } from '../present/client.ts';
import { presentAddedMember } from '../present/client-member.ts';
import { presentParts } from '../present/parts.ts';

interface ClientRouteOptions extends SaveOptions, BuildRequestOptions {
  archives: ArchiveStore;
  builds: Pick<BuildRunner, 'wake'>;
}

/** Clients, their members, and the builds of their SDKs. */
export function clientRoutes(options: ClientRouteOptions): Route[] {
  const { db, builds } = options;
  const { knex } = db;
  return [
    bind(operations.createClient).to(async ({ principal, body }) => {
      const client = await createClient(options, principal.tenant, fieldsOf(body));
      return { status: 201, body: presentClient({ ...client, memberCount: 0, versionCount: 0 }) };
    }),
    bind(operations.listClients).to(({ principal }) => {
      const clients = readClients(knex, principal.tenant.id);
      return { status: 200, kind: 'list', body: presentParts(clients, presentClient) };
    }),
    bind(operations.getClient).to(async ({ principal, params }) => {
      const found = await readClientWithMembers(knex, principal.tenant.id, params.id);
      const builds = presentParts(readBuilds(knex, found.client), presentBuild);
      return { status: 200, body: new LongObject(presentClientWithMembers(found), 'versions', builds) };
    }),
    bind(operations.updateClient).to(async ({ principal, params, body }) => {
      await replaceClient(options, principal.tenant, params.id, fieldsOf(body));
      const { client } = await readClientWithMembers(knex, principal.tenant.id, params.id);
      return { status: 200, body: presentClient(client) };
    }),
    bind(operations.deleteClient).to(async ({ principal, params }) => {
      await removeClient(options, principal.tenant, params.id);
      return { status: 204 };
    }),
    bind(operations.addMember).to(async ({ principal, params, body }) => {
      const key = { tenantId: principal.tenant.id, clientId: params.id };
      const member = await addMember(options, key, body);
      const [warnings = []] = await memberWarnings(knex, [member]);
      const names = await nodeNamesOf(knex, [member]);
      return { status: 201, body: presentAddedMember(member, names, warnings) };
    }),
    bind(operations.replaceMembers).to(async ({ principal, params, body }) => {
      const key = { tenantId: principal.tenant.id, clientId: params.id };
      const members = await replaceMembers(options, key, body.members);
      const warnings = await memberWarnings(knex, members);
      const names = await nodeNamesOf(knex, members);
      return {
        status: 200,
        body: members.map((member, index) => presentAddedMember(member, names, warnings[index] ?? [])),
      };
    }),
    bind(operations.removeMember).to(async ({ principal, params }) => {
      await removeMember(options, { tenantId: principal.tenant.id, clientId: params.id }, params.memberId);
      return { status: 204 };
    }),
    bind(operations.buildClient).to(async ({ principal, params, body }) => {
      const rows = await requestBuild(options, principal.tenant, { clientId: params.id, ...body });
      builds.wake();
      return { status: 202, body: rows.map(presentBuild) };
    }),
    bind(operations.listBuilds).to(async ({ principal, params }) => {
      const client = await readClient(knex, principal.tenant.id, params.id);
      return { status: 200, kind: 'list', body: presentParts(readBuilds(knex, client), presentBuild) };
    }),
    bind(operations.getBuild).to(async ({ principal, params, query }) => {
      const { id: clientId, version } = params;
      const key = { clientId, version, language: requiredLanguage(query) };
      return { status: 200, body: presentBuild(await readBuild(knex, principal.tenant.id, key)) };
    }),
    bind(operations.downloadSdk).to(async ({ principal, params, query, headers }) => {
      const { id: clientId, version } = params;
      const key = { clientId, version, language: requiredLanguage(query) };
      const archive = await readArchive(options, principal.tenant.id, key);
      const identity = {
        ETag: `"${archive.sha256}"`,
        'Cache-Control': 'private, no-cache',
        'X-Content-Type-Options': 'nosniff',
      };
      if (namesEntity(headers['if-none-match'], archive.sha256)) return { status: 304, headers: identity };
      return {
        status: 200,
        kind: 'bytes',
        body: archive.bytes,
        contentType: 'application/zip',
        headers: { ...identity, 'Content-Disposition': `attachment; filename=${archive.fileName}` },
      };
    }),
  ];
}

function fieldsOf(body: z.output<typeof clientBody>): ClientFields {
  const { name, description, default_language: defaultLanguage, ...metadata } = body;
  return { name, description, defaultLanguage, metadata };
}

function requiredLanguage(query: { language?: string | undefined }): string {
  if (!query.language) throw languageRequired();
  return query.language;
}
