import { valid } from 'semver';
import { z } from 'zod';
import { storableText } from './storable-text.ts';

export const packageName = z
  .string()
  .max(128)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*\/[a-z0-9]+([._-][a-z0-9]+)*$/, {
    error: 'must be <handle>/<name> in lower case, for example "acme/text"',
  });

export const semanticVersion = z
  .string()
  .max(64)
  // Versions that differ in their build metadata alone would be one and the same.
  .refine((text) => valid(text) === text, {
    error: 'must be a semantic version without build metadata ("+..."), for example "1.0.0"',
  });

export const messageName = z
  .string()
  .max(512)
  .regex(/^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$/, {
    error: 'must be the full name of a message, for example "acme.text.v1.TokenizeRequest"',
  });

/** Name of a secret that a node needs, never its value. */
export const secretName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, {
  error: 'must be a letter or "_", then letters, digits and "_", at most 128 in all',
});

/** A node as its publisher declares it (DESIGN.md 4). */
export const nodeDeclaration = z
  .strictObject({
    name: z
      .string()
      .regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, {
        error: 'must start with a letter and hold at most 64 letters, digits, "_" and "-"',
      })
      .describe('Unique within the package.'),
    input: messageName
      .optional()
      .describe('Full name of the input message; left out where the port is generic.'),
    output: messageName
      .optional()
      .describe('Full name of the output message; left out where the port is generic.'),
    mode: z
      .enum(['unary', 'pipeline'])
      .default('unary')
      .describe('unary: one input, one output. pipeline: frames, which cannot be called yet.'),
    kind: z.enum(['standard', 'generic']).default('standard').describe('generic: with open ports.'),
    generic: z
      .array(z.enum(['input', 'output']))
      .default([])
      .describe('Ports that an Instance binds.'),
    description: storableText.max(4096).default('').describe('For people.'),
    required_secrets: z.array(secretName).default([]).describe('Names of secrets, never values.'),
  })
  .meta({ id: 'NodeDeclaration' });

/** Body of `POST /api/v1/packages`, and `package.yaml` with its protos beside it (DESIGN.md 4). */
export const publishBody = z
  .strictObject({
    name: packageName.describe('<handle>/<name>, the handle your own.'),
    version: semanticVersion.describe('Published once: other content needs another version.'),
    description: storableText.max(4096).default('').describe('For people.'),
    visibility: z.enum(['public', 'private']).default('public').describe('private: your tenant alone.'),
    protos: z
      .record(z.string(), z.string())
      .refine((protos) => Object.keys(protos).length > 0, { error: 'needs at least one .proto source' })
      .describe('Sources by their import path.'),
    endpoint: storableText.max(512).optional().describe('Where the containers answer: grpc://host:port.'),
    nodes: z
      .array(nodeDeclaration)
      .min(1, { error: 'needs at least one node' })
      .max(500)
      .describe('What can be called.'),
  })
  .meta({ id: 'PublishPackage' });

export type PublishBody = z.infer<typeof publishBody>;
export type NodeDeclaration = z.infer<typeof nodeDeclaration>;

export const publishedNode = z
  .object({
    node_ulid: z.string().describe('26-character registry id.'),
    name: z.string().describe('Unique within the package.'),
    mode: z.enum(['unary', 'pipeline']).describe('How it is called.'),
    kind: z.enum(['standard', 'generic']).describe('generic: with open ports.'),
    input_message: z.string().optional().describe('Full name; absent where the port is open.'),
    output_message: z.string().optional().describe('Full name; absent where the port is open.'),
  })
  .meta({ id: 'PublishedNode' });

export const publishedPackage = z
  .object({
    package_id: z.string().describe('Id of the package.'),
    name: z.string().describe('<handle>/<name>'),
    version: z.string().describe('The version that was published.'),
    nodes: z.array(publishedNode).describe('In the order of publishing.'),
  })
  .meta({ id: 'PublishedPackage' });

export const packageSummary = z
  .object({
    package_id: z.string().describe('Id of the package.'),
    name: z.string().describe('<handle>/<name>'),
    description: z.string().describe('For people.'),
    visibility: z.enum(['public', 'private']).describe('private: the tenant of its owner alone.'),
    latest_version: z.string().describe('The highest release.'),
    created_at: z.string().describe('ISO 8601, UTC.'),
  })
  .meta({ id: 'Package' });

export const packageDetail = packageSummary
  .extend({
    versions: z
      .array(
        z.object({
          version: z.string().describe('Semantic version.'),
          description: z.string().describe('For people.'),
          deployed: z.boolean().describe('Whether it is said where its containers answer.'),
          created_at: z.string().describe('ISO 8601, UTC.'),
        }),
      )
      .describe('Newest first.'),
  })
  .meta({ id: 'PackageDetail' });

export const packageVersionDetail = z
  .object({
    package_id: z.string().describe('Id of the package.'),
    name: z.string().describe('<handle>/<name>'),
    version: z.string().describe('Semantic version.'),
    description: z.string().describe('For people.'),
    visibility: z.enum(['public', 'private']).describe('private: the tenant of its owner alone.'),
    deployed: z.boolean().describe('Whether it is said where its containers answer.'),
    created_at: z.string().describe('ISO 8601, UTC.'),
    nodes: z
      .array(
        publishedNode.extend({
          generic: z.array(z.enum(['input', 'output'])).describe('Ports that an Instance binds.'),
          description: z.string().describe('For people.'),
          required_secrets: z.array(z.string()).describe('Names of secrets, never values.'),
        }),
      )
      .describe('In the order of publishing.'),
    protos: z.record(z.string(), z.string()).describe('Sources by their import path.'),
  })
  .meta({ id: 'PackageVersion' });
