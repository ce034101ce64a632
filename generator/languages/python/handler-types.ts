import { create, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { linkDescriptors } from '../../../specs/messages/link-descriptors.ts';
import { firstSeenIn } from '../../changes/first-seen.ts';
import type { SdkFile } from '../../language.ts';
import type { PackageTypes } from '../../model/package-types.ts';
import { planScope } from '../../names/plan-scope.ts';
import { planned } from '../../names/planned.ts';
import { typeNameRequests } from '../../names/type-names.ts';
import { handlerStubs } from './handler-stubs.ts';
import { stringLiteral } from './literals.ts';
import { reservedForTypes } from './reserved-names.ts';
import { stubNames } from './stub-texts.ts';
import { lineWidth } from './line-width.ts';

/** Base64 characters on a line. */
const chunkLength = 72;

/**
 * Returns `messages.py` of a package, which creates the classes of its messages with the protobuf library, and
 * `messages.pyi` with their types.
 */
export function handlerTypes(types: PackageTypes): SdkFile[] {
  const names = planScope(typeNameRequests(types.types, firstSeenIn({ firstSeen: [] })), {
    reserved: new Set([...reservedForTypes, ...stubNames]),
  });
  const head = [
    `"""Messages of ${types.name} ${types.version}. Written by \`svc node types\`: do not edit.`,
    '',
    'Run the command again when package.yaml or a proto file changes.',
    '"""',
  ].join('\n');
  return [
    { path: 'messages.py', content: `${head}\n\n${moduleText(types, names)}` },
    { path: 'messages.pyi', content: handlerStubs(types.types, names) },
  ];
}

function moduleText(
  { name, version, nodes, types, descriptorSet }: PackageTypes,
  names: ReadonlyMap<string, string>,
): string {
  const ports = nodes.map(({ name: node, mode, input = '', output = '' }) =>
    [
      '        (',
      ...[node, mode, input, output].map((part) => `            ${stringLiteral(part)},`),
      '        ),',
    ].join('\n'),
  );
  const classes = [
    ...types.enums.map((type) => assignment(planned(names, type.fullName), 'enum', type.fullName)),
    ...types.messages.map((type) => assignment(planned(names, type.fullName), 'message', type.fullName)),
  ];
  return [
    'from svc_node.package import Package',
    '',
    'PACKAGE = Package(',
    `    name=${stringLiteral(name)},`,
    `    version=${stringLiteral(version)},`,
    ...(ports.length === 0 ? ['    nodes=[],'] : ['    nodes=[', ...ports, '    ],']),
    '    descriptors=(',
    ...chunksOf(descriptorSet).map((chunk) => `        "${chunk}"`),
    '    ),',
    ')',
    '',
    ...classes,
    '',
  ].join('\n');
}

function assignment(name: string, kind: 'enum' | 'message', fullName: string): string {
  const line = `${name} = PACKAGE.${kind}("${fullName}")`;
  return line.length <= lineWidth ? line : `${name} = PACKAGE.${kind}(\n    "${fullName}"\n)`;
}

/** Returns the descriptors as base64, without comments and without those that the library includes. */
function chunksOf(descriptorSet: Uint8Array): string[] {
  const file = [...linkDescriptors(descriptorSet).files]
    .map(({ proto }) => proto)
    .filter(({ name }) => !name.startsWith('google/protobuf/'))
    .map((proto) => ({ ...proto, sourceCodeInfo: undefined }));
  const bytes = toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file }));
  const text = Buffer.from(bytes).toString('base64');
  return text.match(new RegExp(`.{1,${chunkLength}}`, 'g')) ?? [];
}
