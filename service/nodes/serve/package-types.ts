import type { PackageTypes } from '../../../generator/model/package-types.ts';
import { describeTypes } from '../../../specs/messages/describe-types.ts';
import { linkDescriptors } from '../../../specs/messages/link-descriptors.ts';
import type { CompiledPackage } from './compile-package.ts';

/** Describes a package for the authors of its handlers: the messages of the files that declare its nodes' messages. */
export function packageTypes({ body, registry: { descriptorSet } }: CompiledPackage): PackageTypes {
  // The registry of a hosted package has no comments.
  const registry = linkDescriptors(descriptorSet);
  const ports = body.nodes.flatMap(({ input, output }) => [input, output]);
  const files = new Set(
    ports.map((name) => (name === undefined ? undefined : registry.getMessage(name)?.file)),
  );
  const roots: string[] = [];
  for (const type of registry) {
    if (type.kind === 'message' && files.has(type.file)) roots.push(type.typeName);
  }
  return {
    name: body.name,
    version: body.version,
    nodes: body.nodes.map(({ name, mode, input, output, description }) => ({
      name,
      mode,
      input,
      output,
      description,
    })),
    types: describeTypes(registry, roots),
    descriptorSet,
  };
}
