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
  .refine((text) => valid(text) === text, { error: 'must be a semantic version, for example "1.0.0"' });

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
    name: z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, {
      error: 'must start with a letter and hold at most 64 letters, digits, "_" and "-"',
    }),
    input: messageName
      .optional()
      .describe('Full name of the input message; left out where the port is generic.'),
    output: messageName
      .optional()
      .describe('Full name of the output message; left out where the port is generic.'),
    mode: z.enum(['unary', 'pipeline']).default('unary'),
    kind: z.enum(['standard', 'generic']).default('standard'),
    generic: z
      .array(z.enum(['input', 'output']))
      .default([])
      .describe('Ports that an Instance binds.'),
    description: storableText.max(4096).default(''),
    required_secrets: z.array(secretName).default([]),
  })
  .meta({ id: 'NodeDeclaration' });

/** Body of `POST /api/v1/packages`, and `package.yaml` with its protos beside it (DESIGN.md 4). */
export const publishBody = z
  .strictObject({
    name: packageName,
    version: semanticVersion,
    description: storableText.max(4096).default(''),
    visibility: z.enum(['public', 'private']).default('public'),
    protos: z
      .record(z.string(), z.string())
      .refine((protos) => Object.keys(protos).length > 0, { error: 'needs at least one .proto source' })
      .describe('Sources by their import path.'),
    endpoint: storableText.max(512).optional().describe('Where the containers answer: grpc://host:port.'),
    nodes: z.array(nodeDeclaration).min(1, { error: 'needs at least one node' }).max(500),
  })
  .meta({ id: 'PublishPackage' });

export type PublishBody = z.infer<typeof publishBody>;
export type NodeDeclaration = z.infer<typeof nodeDeclaration>;

export const publishedNode = z
  .object({
    node_ulid: z.string(),
    name: z.string(),
    mode: z.enum(['unary', 'pipeline']),
    kind: z.enum(['standard', 'generic']),
    input_message: z.string().optional(),
    output_message: z.string().optional(),
  })
  .meta({ id: 'PublishedNode' });

export const publishedPackage = z
  .object({
    package_id: z.string(),
    name: z.string(),
    version: z.string(),
    nodes: z.array(publishedNode),
  })
  .meta({ id: 'PublishedPackage' });

export const packageSummary = z
  .object({
    package_id: z.string(),
    name: z.string(),
    description: z.string(),
    visibility: z.enum(['public', 'private']),
    latest_version: z.string(),
    created_at: z.string(),
  })
  .meta({ id: 'Package' });

export const packageDetail = packageSummary
  .extend({
    versions: z.array(
      z.object({
        version: z.string(),
        description: z.string(),
        deployed: z.boolean(),
        created_at: z.string(),
      }),
    ),
  })
  .meta({ id: 'PackageDetail' });

export const packageVersionDetail = z
  .object({
    package_id: z.string(),
    name: z.string(),
    version: z.string(),
    description: z.string(),
    visibility: z.enum(['public', 'private']),
    deployed: z.boolean(),
    created_at: z.string(),
    nodes: z.array(
      publishedNode.extend({
        generic: z.array(z.enum(['input', 'output'])),
        description: z.string(),
        required_secrets: z.array(z.string()),
      }),
    ),
    protos: z.record(z.string(), z.string()),
  })
  .meta({ id: 'PackageVersion' });
