import { create, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { limits } from '../../../specs/limits.ts';
import { type DescribeResponse, DescribeResponseSchema } from '../container/protocol.ts';
import type { HostedPackage } from './load-package.ts';

/** Describes a hosted package: its nodes and its descriptors, without comments. Descriptors that are too large are omitted. */
export function describePackage({ name, version, nodes, registry }: HostedPackage): DescribeResponse {
  const file = [...registry.files]
    .map(({ proto }) => proto)
    .filter((proto) => !proto.name.startsWith('google/protobuf/'))
    .map((proto) => ({ ...proto, sourceCodeInfo: undefined }));
  const served = {
    name,
    version,
    nodes: [...nodes.values()].map(({ declaration }) => ({
      name: declaration.name,
      inputMessage: declaration.input ?? '',
      outputMessage: declaration.output ?? '',
      mode: declaration.mode,
    })),
  };
  const descriptorSet = toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file }));
  const complete = create(DescribeResponseSchema, { packages: [{ ...served, descriptorSet }] });
  return toBinary(DescribeResponseSchema, complete).length <= limits.describeBytes
    ? complete
    : create(DescribeResponseSchema, { packages: [served] });
}
