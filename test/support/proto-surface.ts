import { buildSurface, type MemberSource } from '../../generator/model/build-surface.ts';
import type { NamedSurface } from '../../generator/model/sdk-model.ts';
import { compiledOnce } from './compiled-protos.ts';

/** A member of the package `acme/orders`, by default of version 1.0.0, unary, with `Receipt` as input and output. */
interface ProtoMember {
  alias: string;
  /** Message names within the proto package. */
  input?: string;
  output?: string;
  mode?: 'unary' | 'pipeline';
  version?: string;
  comment?: string;
}

/**
 * Returns the surface of members with the given messages.
 * @param messages proto source without its header, in the proto package `acme.v1`
 */
export async function surfaceOfProto(
  messages: string,
  members: readonly ProtoMember[],
): Promise<NamedSurface> {
  return { slug: 'orders', ...buildSurface(await memberSources(messages, members)) };
}

/** Like `surfaceOfProto`, but returns the sources of the surface. */
export async function memberSources(
  messages: string,
  members: readonly ProtoMember[],
): Promise<MemberSource[]> {
  const source = `syntax = "proto3";\npackage acme.v1;\n${messages}`;
  const descriptorSet = await compiledOnce({ 'orders.proto': source });
  return members.map(
    ({ alias, input = 'Receipt', output = 'Receipt', mode = 'unary', version = '1.0.0', comment = '' }) => ({
      type: 'node',
      alias,
      mode,
      pin: { package: 'acme/orders', version, node: 'Node', ulid: '01K00000000000000000000001' },
      comment,
      input: `acme.v1.${input}`,
      output: `acme.v1.${output}`,
      descriptorSet,
    }),
  );
}
