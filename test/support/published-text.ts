import { randomBytes } from 'node:crypto';
import { createDeploymentTokens } from '../../service/access/secrets/deployment-tokens.ts';
import { systemClock } from '../../service/clock.ts';
import { createIds } from '../../service/ids.ts';
import { createContainerPool } from '../../service/nodes/container/container-pool.ts';
import { publishPackage, type Publication } from '../../service/nodes/publish-package.ts';
import type { Database } from '../../service/store/database.ts';
import type { Tenant } from '../../service/store/tenants.ts';
import type { PublishBody } from '../../specs/operations/package-shapes.ts';
import { compileHere } from './compile-here.ts';

const ids = createIds(systemClock);

const source = (wordFields: string) => `
syntax = "proto3";
package acme.text.v1;

// What to take apart.
message TokenizeRequest {
  // Any text.
  string text = 1;
  bool keep_case = 2;
}
message TokenizeReply { repeated Word words = 1; }
// A word of the text.
message Word {
  string text = 1;
  int64 count = 2;
  ${wordFields}
}
`;

/**
 * Returns a package as its publisher would send it: `Tokenize` and `CountWords` are unary, `Split` is a pipeline node,
 * and `Pick` is generic. `wordFields` are additional fields of its message `Word`.
 */
export function textPackage(
  handle: string,
  { wordFields = '', ...fields }: Partial<PublishBody> & { wordFields?: string } = {},
): PublishBody {
  const ports = { input: 'acme.text.v1.TokenizeRequest', output: 'acme.text.v1.TokenizeReply' };
  const node = {
    mode: 'unary',
    kind: 'standard',
    generic: [],
    description: '',
    required_secrets: [],
  } as const;
  return {
    name: `${handle}/text`,
    version: '1.0.0',
    description: '',
    visibility: 'public',
    protos: { 'acme/text/v1/text.proto': source(wordFields) },
    nodes: [
      {
        ...node,
        generic: [],
        required_secrets: [],
        ...ports,
        name: 'Tokenize',
        description: 'Takes text apart.',
      },
      { ...node, generic: [], required_secrets: [], ...ports, name: 'CountWords' },
      { ...node, generic: [], required_secrets: [], ...ports, name: 'Split', mode: 'pipeline' },
      {
        ...node,
        required_secrets: [],
        name: 'Pick',
        kind: 'generic',
        generic: ['output'],
        input: 'acme.text.v1.TokenizeRequest',
      },
    ],
    ...fields,
  };
}

/** Publishes the package like the API: compiles its protos and stores its nodes. */
export async function publishText(
  db: Database,
  tenant: Tenant,
  fields: Parameters<typeof textPackage>[1] = {},
): Promise<Publication> {
  const containers = createContainerPool({ allowedHosts: [] });
  const tokens = createDeploymentTokens(randomBytes(32), systemClock);
  const options = { db, clock: systemClock, ids, protos: compileHere, nodeHosts: [], containers, tokens };
  return publishPackage(options, tenant, textPackage(tenant.handle, fields));
}
