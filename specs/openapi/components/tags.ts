import type { TagObject } from 'openapi3-ts/oas30';

interface Tag extends TagObject {
  name: string;
  description: string;
  /** How the paths of its operations begin. */
  paths: readonly string[];
}

/** Groups of operations in the order of documentation pages. */
const tags: readonly Tag[] = [
  { name: 'Flows', description: 'Run compiled flows.', paths: ['/invocations/v1/flows'] },
  { name: 'Nodes', description: 'Call single published nodes.', paths: ['/invocations/v1/nodes'] },
  { name: 'Streams', description: 'Stream input into pipeline nodes.', paths: ['/invocations/v1/streams'] },
  {
    name: 'Executions',
    description: 'What runs did and how far they are: records, events, checkpoints, pauses.',
    paths: ['/invocations/v1/executions', '/invocations/v1/debug'],
  },
  {
    name: 'Packages',
    description: 'Publish packages of nodes and deploy them.',
    paths: ['/api/v1/packages'],
  },
  { name: 'Instances', description: 'Bind generic nodes to messages.', paths: ['/api/v1/instances'] },
  { name: 'Graphs', description: 'Compile flows and look at them.', paths: ['/api/v1/graphs'] },
  { name: 'Adapters', description: 'Try field mappings.', paths: ['/api/adapters'] },
  { name: 'Configs', description: 'Settings that runs are given.', paths: ['/api/v1/configs'] },
  { name: 'Secrets', description: 'Names and states of secrets, never values.', paths: ['/api/v1/secrets'] },
  { name: 'Keys', description: 'App keys for browsers.', paths: ['/api/v1/api-keys', '/api/v1/app-keys'] },
  { name: 'Clients', description: 'Build SDKs of nodes and flows.', paths: ['/api/v1/clients'] },
  {
    name: 'Documents',
    description: 'OpenAPI documents, JSON Schemas and pages made of what is published.',
    paths: ['/api/graphs', '/api/packages', '/api/nodes', '/assets'],
  },
];

const service: Tag = { name: 'Service', description: 'The process, and this document.', paths: [''] };

/** The group of an operation, by its path. */
export function tagOf(path: string): Tag {
  return tags.find(({ paths }) => paths.some((start) => path.startsWith(start))) ?? service;
}

/** The groups of those paths, as a document lists them. */
export function tagsOf(paths: readonly string[]): TagObject[] {
  const used = new Set(paths.map(tagOf));
  return [...tags, service]
    .filter((tag) => used.has(tag))
    .map(({ name, description }) => ({ name, description }));
}
