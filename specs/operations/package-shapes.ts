import valid from 'semver/functions/valid.js';
import { z } from 'zod';
import { limits } from '../limits.ts';
import { jsonValue } from './json-value.ts';
import { storableText } from './storable-text.ts';

export const packageName = z
  .string()
  .max(128)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*\/[a-z0-9]+([._-][a-z0-9]+)*$/, {
    error:
      'must be <handle>/<name> in lower case, for example "acme/text": letters and digits with single "-" between them, and in the name also "." or "_"',
  });

export const semanticVersion = z
  .string({
    // YAML reads 1.0 as a number. Quotes alone would not make it a semantic version.
    error: ({ input }) =>
      typeof input === 'number' ? 'must be a string with a semantic version, for example "1.0.0"' : undefined,
  })
  .max(64)
  // Versions that differ only in build metadata have the same precedence.
  .refine((text) => valid(text) === text, {
    error: 'must be a semantic version without build metadata ("+..."), for example "1.0.0"',
  });

const messageName = z
  .string()
  .max(512)
  .regex(/^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$/, {
    error: 'must be the full name of a message, for example "acme.text.v1.TokenizeRequest"',
  });

/** Name of a secret. */
export const secretName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, {
  error: 'must be a letter or "_", then letters, digits and "_", at most 128 in all',
});

const { min, max } = limits.deploymentTokenCharacters;

/** Token of a deployment, in the characters of a bearer token (RFC 6750). */
export const deploymentToken = z
  .string()
  .min(min, { error: `must have at least ${min} characters` })
  .max(max, { error: `must have at most ${max} characters` })
  .regex(/^[A-Za-z0-9._~+/-]+=*$/, {
    error: 'must have only letters, digits, "-", ".", "_", "~", "+" and "/", and "=" at the end',
  })
  .describe(
    'Token that the service sends to the containers with every call, so that they refuse other callers. It is stored encrypted and ' +
      'never returned. Without it, the deployment has no token.',
  );

/** Address of containers. */
export const endpointText = '`grpc://host:port`, or `grpcs://host:port` with TLS';

/** A node as its publisher declares it. */
const nodeDeclaration = z
  .strictObject({
    name: z
      .string()
      .regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, {
        error: 'must start with a letter and hold at most 64 letters, digits, "_" and "-"',
      })
      .describe('Name of the node, unique within the package.'),
    input: messageName
      .optional()
      .describe('Full name of the input message. Left out if the port is generic.'),
    output: messageName
      .optional()
      .describe('Full name of the output message. Left out if the port is generic.'),
    mode: z
      .enum(['unary', 'pipeline'])
      .default('unary')
      .describe('`unary`: one input, one output. `pipeline`: streams of frames.'),
    kind: z.enum(['standard', 'generic']).default('standard').describe('`generic`: a node with open ports.'),
    generic: z
      .array(z.enum(['input', 'output']))
      .default([])
      .describe('Open ports, which an Instance binds.'),
    description: storableText.max(4096).default('').describe('Description of the node.'),
    required_secrets: z
      .array(secretName)
      .default([])
      .describe('Names of the secrets that the node requires.'),
    sample: jsonValue
      .refine((sample) => JSON.stringify(sample).length <= limits.sampleCharacters, {
        error: `must have at most ${limits.sampleCharacters} characters as JSON`,
      })
      .optional()
      .describe(
        'An input of the node as ProtoJSON, for which a call succeeds. Documents, examples and READMEs show it.',
      ),
  })
  .meta({ id: 'NodeDeclaration' });

/** The body of `POST /api/v1/packages`. `package.yaml` has the same fields, except `protos`. */
export const publishBody = z
  .strictObject({
    name: packageName.describe('Name of the package, as `<handle>/<name>` with your own handle.'),
    version: semanticVersion.describe('Semantic version. A published version cannot change.'),
    description: storableText.max(4096).default('').describe('Description of the package.'),
    visibility: z
      .enum(['public', 'private'])
      .default('private')
      .describe('`private` packages are visible only to their tenant. Default: `private`.'),
    protos: z
      .record(z.string(), z.string())
      .refine((protos) => Object.keys(protos).length > 0, { error: 'needs at least one .proto source' })
      .describe('Proto sources by import path.'),
    endpoint: storableText.max(512).optional().describe(`Address of the containers, as ${endpointText}.`),
    token: deploymentToken.optional(),
    nodes: z
      .array(nodeDeclaration)
      .min(1, { error: 'needs at least one node' })
      .max(500)
      .describe('Nodes of the package.'),
  })
  .meta({ id: 'PublishPackage' });

/** A parsed publication: fields with a default are set. */
export type PublishBody = z.infer<typeof publishBody>;
/** A parsed node of a publication or of `package.yaml`. */
export type NodeDeclaration = z.infer<typeof nodeDeclaration>;

const verification = z.enum(['verified', 'unverified', 'mismatch', 'pending']);
const verificationText =
  '`verified`: the container serves what was published. `unverified`: the container does not describe what it serves. ' +
  '`mismatch`: it serves something else, and calls fail. `pending`: it has not answered yet.';

/** Fields about the container at an endpoint, as found when a version is deployed there. */
export const checkedContainer = {
  verification: verification.describe(verificationText),
  warnings: z.array(z.string()).describe('Why the container could not be asked what it serves.'),
};

export const publishedNode = z
  .object({
    node_ulid: z.string().describe('26-character registry id of the node.'),
    name: z.string().describe('Name of the node, unique within the package.'),
    mode: z.enum(['unary', 'pipeline']).describe('Mode of the node.'),
    kind: z.enum(['standard', 'generic']).describe('`generic`: a node with open ports.'),
    input_message: z
      .string()
      .optional()
      .describe('Full name of the input message. Absent if the port is open.'),
    output_message: z
      .string()
      .optional()
      .describe('Full name of the output message. Absent if the port is open.'),
  })
  .meta({ id: 'PublishedNode' });

export const publishedPackage = z
  .object({
    package_id: z.string().describe('Id of the package.'),
    name: z.string().describe('Name of the package, as `<handle>/<name>`.'),
    version: z.string().describe('The published version.'),
    visibility: z
      .enum(['public', 'private'])
      .describe('`private` packages are visible only to their tenant.'),
    nodes: z.array(publishedNode).describe('Nodes in the order of their publication.'),
    verification: checkedContainer.verification
      .optional()
      .describe(`Present if the publication names an endpoint. ${verificationText}`),
    warnings: checkedContainer.warnings,
  })
  .meta({ id: 'PublishedPackage' });

export const packageSummary = z
  .object({
    package_id: z.string().describe('Id of the package.'),
    name: z.string().describe('Name of the package, as `<handle>/<name>`.'),
    description: z.string().describe('Description of the package.'),
    visibility: z
      .enum(['public', 'private'])
      .describe('`private` packages are visible only to their tenant.'),
    latest_version: z.string().describe('The highest release, or an empty string.'),
    created_at: z.string().describe('Time of publication, ISO 8601 in UTC.'),
  })
  .meta({ id: 'Package' });

const endpointOfOwn = z
  .string()
  .optional()
  .describe('Endpoint of the containers. Present for packages of your own, if the version has one.');

export const packageDetail = packageSummary
  .extend({
    versions: z
      .array(
        z.object({
          version: z.string().describe('Semantic version.'),
          description: z.string().describe('Description of the version.'),
          deployed: z.boolean().describe('Whether the version has an endpoint.'),
          endpoint: endpointOfOwn,
          verification: verification
            .optional()
            .describe(`Present if the version has an endpoint. ${verificationText}`),
          created_at: z.string().describe('Time of publication, ISO 8601 in UTC.'),
        }),
      )
      .describe('Versions, newest first.'),
  })
  .meta({ id: 'PackageDetail' });

const versionUse = z
  .object({
    kind: z
      .enum(['flow', 'client_member', 'instance', 'unfinished_run'])
      .describe('`unfinished_run`: a run that has added a node of the version to its graph.'),
    own: z.int().nonnegative().describe('Number of references by your tenant.'),
    names: z
      .array(z.string())
      .describe(
        `Up to ${limits.namedUsesOfVersion} of them by name: ` +
          '`<name> (<graph_id>)`, `<client>/<alias>`, `<package>@<version>` or an execution id.',
      ),
    others: z.int().nonnegative().describe('Number of references by other tenants.'),
  })
  .meta({ id: 'PackageVersionUse' });

export const packageVersionDetail = z
  .object({
    package_id: z.string().describe('Id of the package.'),
    name: z.string().describe('Name of the package, as `<handle>/<name>`.'),
    version: z.string().describe('Semantic version.'),
    description: z.string().describe('Description of the package.'),
    visibility: z
      .enum(['public', 'private'])
      .describe('`private` packages are visible only to their tenant.'),
    deployed: z.boolean().describe('Whether the version has an endpoint.'),
    endpoint: endpointOfOwn,
    token_set: z
      .boolean()
      .optional()
      .describe('Whether calls of the containers carry a token. Present for packages of your own.'),
    verification: verification
      .optional()
      .describe(`Present if the version has an endpoint. ${verificationText}`),
    created_at: z.string().describe('Time of publication, ISO 8601 in UTC.'),
    nodes: z
      .array(
        publishedNode.extend({
          generic: z.array(z.enum(['input', 'output'])).describe('Open ports, which an Instance binds.'),
          description: z.string().describe('Description of the node.'),
          required_secrets: z.array(z.string()).describe('Names of the secrets that the node requires.'),
        }),
      )
      .describe('Nodes in the order of their publication.'),
    protos: z.record(z.string(), z.string()).describe('Proto sources by import path.'),
    uses: z
      .array(versionUse)
      .optional()
      .describe('What refers to the version, by kind. Present with `uses=true`, for packages of your own.'),
  })
  .meta({ id: 'PackageVersion' });
