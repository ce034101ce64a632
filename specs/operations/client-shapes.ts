import parseLicense from 'spdx-expression-parse';
import { z } from 'zod';
import { storableText } from './storable-text.ts';

export const clientMember = z
  .object({
    id: z.string().describe('Id of the member.'),
    client_id: z.string().describe('Id of the client.'),
    member_type: z.enum(['node', 'flow']).describe('Kind of member.'),
    alias: z.string().describe('Name in SDKs, unique within the client.'),
    package_name: z.string().optional().describe('Node members: the package, as `<handle>/<name>`.'),
    package_version: z.string().optional().describe('Node members: the pinned package version.'),
    node_ulid: z.string().optional().describe('Node members: the 26-character registry id of the node.'),
    node_name: z.string().optional().describe('Node members: the name of the node in its package.'),
    artifact_id: z.string().optional().describe('Flow members: the id of the compiled artifact.'),
    created_at: z.string().describe('Time of creation, ISO 8601 in UTC.'),
  })
  .meta({ id: 'ClientMember' });

/** The response to adding a member. */
export const addedMember = clientMember
  .extend({
    warnings: z
      .array(z.string())
      .describe(
        'Secrets of the tenant that calls send to a container of another tenant, aliases that are easily confused, and ' +
          'packages that other members use in another version.',
      ),
  })
  .meta({ id: 'AddedMember' });

export const buildRow = z
  .object({
    id: z.string().describe('Id of the build.'),
    client_id: z.string().describe('Id of the client.'),
    version: z.number().int().describe('Client version, starting at 1.'),
    language: z.string().describe('SDK language.'),
    status: z
      .enum(['pending', 'succeeded', 'failed'])
      .describe('Status of the build. Poll until it is no longer `pending`.'),
    error: z.string().optional().describe('Reason of a failed build.'),
    created_at: z.string().describe('Time of creation, ISO 8601 in UTC.'),
  })
  .meta({ id: 'Build' });

/** A URL that package managers and their sites link to. */
const webUrl = storableText
  .trim()
  .max(2048)
  .transform((text, context) => {
    const url = URL.parse(text);
    if (url && /^https?:$/.test(url.protocol)) return url.href;
    context.addIssue('must be an absolute http or https URL');
    return z.NEVER;
  });

const licenseExpression = storableText
  .trim()
  .max(200)
  .refine(isLicense, { error: 'must be an SPDX license expression, such as Apache-2.0 or LicenseRef-Acme' });

/** `<name>` or `<name> <<address>>`, as package managers write authors. */
const authorForm = /^[^<>\p{Cc}]*[^<>\p{Cc}\s](?: <[^<>\s@]+@[^<>\s@]+>)?$/u;

const author = storableText
  .trim()
  .max(200)
  .refine((text) => authorForm.test(text), {
    error: 'must be a name, or a name and an address: Ada Lovelace <ada@example.com>',
  });

const packageMetadata = {
  license: licenseExpression.optional().describe('License of the packages, an SPDX expression.'),
  homepage: webUrl.optional().describe('Home page of the packages.'),
  repository: webUrl.optional().describe('Source repository of the packages.'),
  authors: z
    .array(author)
    .max(20)
    .optional()
    .describe('Authors of the packages: names, with or without an address.'),
  private: z
    .boolean({ error: 'must be true or false' })
    .optional()
    .describe('Marks the packages as not to be published, where a package manager supports it.'),
};

function isLicense(text: string): boolean {
  try {
    parseLicense(text);
    return true;
  } catch {
    return false;
  }
}

export const clientRecord = z
  .object({
    id: z.string().describe('Id of the client.'),
    tenant_id: z.string().describe('Id of the owning tenant.'),
    name: z.string().describe('Unique within the tenant.'),
    slug: z.string().describe('Derived from the name. Names the archives and the packages in them.'),
    description: z.string().describe('Description of the client.'),
    default_language: z.string().describe('Language of builds that do not specify one.'),
    license: z.string().optional().describe('License of the packages, an SPDX expression.'),
    homepage: z.string().optional().describe('Home page of the packages.'),
    repository: z.string().optional().describe('Source repository of the packages.'),
    authors: z.array(z.string()).optional().describe('Authors of the packages.'),
    private: z.boolean().optional().describe('Whether the packages are marked as not to be published.'),
    latest_version: z.number().int().describe('Latest version, 0 before the first build.'),
    created_at: z.string().describe('Time of creation, ISO 8601 in UTC.'),
    updated_at: z.string().describe('Time of the last change, ISO 8601 in UTC.'),
    members: z.array(clientMember).describe('Members. Empty in lists.'),
    versions: z.array(buildRow).describe('Builds of all versions. Empty in lists.'),
    member_count: z.number().int().describe('Number of members.'),
    version_count: z.number().int().describe('Number of versions.'),
  })
  .meta({ id: 'Client' });

/** The handler checks the language, because unsupported languages have their own error text. */
export const clientBody = z
  .object({
    name: storableText.trim().min(1, { error: 'is required' }).max(200).describe('Unique within the tenant.'),
    description: storableText.max(4096).default('').describe('Description of the client.'),
    default_language: z.string().optional().describe('Language of builds that do not specify one.'),
    ...packageMetadata,
  })
  .meta({ id: 'SaveClient' });

export const memberBody = z
  .object({
    type: z.enum(['node', 'flow']).describe('Kind of member.'),
    package: storableText.optional().describe('Node members: the package, as `<handle>/<name>`.'),
    version: storableText
      .optional()
      .describe('Node members: the version. Empty or `latest` pins the current latest version.'),
    node_name: storableText
      .optional()
      .describe('Node members: the name of the node, unless `node_ulid` is given.'),
    node_ulid: storableText.optional().describe('Node members: the 26-character registry id of the node.'),
    artifact_id: storableText.optional().describe('Flow members: the id of the compiled artifact.'),
    alias: storableText
      .max(200)
      .optional()
      .describe(
        'Name in SDKs: letters and digits, beginning with a letter, with single spaces, `_`, `-` or `.` between them. ' +
          'Default: the name of the node or flow.',
      ),
  })
  .meta({ id: 'AddMember' });

/** A request for a member. The handler checks which fields its type needs. */
export type MemberBody = z.infer<typeof memberBody>;
