import type { TagObject } from 'openapi3-ts/oas30';

interface Tag extends TagObject {
  name: string;
  description: string;
  /** Prefixes of the paths of its operations. */
  paths: readonly string[];
}

/** Groups of operations, in the order of the document. */
const tags: readonly Tag[] = [
  {
    name: 'Flows',
    description: 'Run compiled flows.',
    paths: ['/invocations/v1/flows', '/invocations/v1/hooks'],
  },
  { name: 'Nodes', description: 'Call single published nodes.', paths: ['/invocations/v1/nodes'] },
  {
    name: 'Executions',
    description: 'Read, follow, cancel and fork runs, and list the pauses that wait for a decision.',
    paths: ['/invocations/v1/executions', '/invocations/v1/debug', '/invocations/v1/pauses'],
  },
  {
    name: 'Packages',
    description: 'Publish and deploy packages of nodes.',
    paths: ['/api/v1/packages'],
  },
  { name: 'Instances', description: 'Bind generic nodes to message types.', paths: ['/api/v1/instances'] },
  { name: 'Graphs', description: 'Compile and read flows.', paths: ['/api/v1/graphs'] },
  { name: 'Adapters', description: 'Preview field mappings.', paths: ['/api/adapters'] },
  { name: 'Configs', description: 'Manage settings of runs.', paths: ['/api/v1/configs'] },
  { name: 'Secrets', description: 'Read names and states of secrets.', paths: ['/api/v1/secrets'] },
  {
    name: 'Keys',
    description: 'Manage app keys for browsers, and get a key by a login.',
    paths: ['/api/v1/api-keys', '/api/v1/logins'],
  },
  { name: 'Clients', description: 'Build SDKs for nodes and flows.', paths: ['/api/v1/clients'] },
  {
    name: 'Documents',
    description: 'Read OpenAPI documents, JSON Schemas and try-it pages of packages and flows.',
    paths: ['/api/graphs', '/api/packages', '/api/nodes'],
  },
];

const service: Tag = {
  name: 'Service',
  description: 'Probes, pages and the API document.',
  paths: [''],
};

/** Returns the group of an operation. */
export function tagOf(path: string): Tag {
  return tags.find(({ paths }) => paths.some((start) => path.startsWith(start))) ?? service;
}

/** Returns the groups of the paths, in the order of the document. */
export function tagsOf(paths: readonly string[]): TagObject[] {
  const used = new Set(paths.map(tagOf));
  return [...tags, service]
    .filter((tag) => used.has(tag))
    .map(({ name, description }) => ({ name, description }));
}
