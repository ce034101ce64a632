import { createFileRegistry, fromBinary } from '@bufbuild/protobuf';
import type { DescField, DescMessage, DescOneof, FileRegistry } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import type { DescriptorProto, EnumDescriptorProto, FileDescriptorSet } from '@bufbuild/protobuf/wkt';

/**
 * Links a binary `google.protobuf.FileDescriptorSet` and removes two ambiguities of the library: each member of a message is
 * a separate property, and the JSON name of each enum value is its proto name.
 *
 * @throws Error when the descriptors cannot be linked.
 */
export function linkDescriptors(descriptorSet: Uint8Array): FileRegistry {
  const registry = createFileRegistry(withPlainEnums(fromBinary(FileDescriptorSetSchema, descriptorSet)));
  for (const type of registry) if (type.kind === 'message') separateMembers(type);
  return registry;
}

/**
 * Extension of `EnumValueOptions` in which the library looks for another JSON name of a value. No schema or SDK supports such
 * names, and the number may belong to another extension.
 */
const jsonNameOption = 998;

function withPlainEnums(set: FileDescriptorSet): FileDescriptorSet {
  for (const { enumType, messageType } of set.file) {
    enumType.forEach(forgetJsonNames);
    messageType.forEach(forgetJsonNamesWithin);
  }
  return set;
}

function forgetJsonNamesWithin({ enumType, nestedType }: DescriptorProto): void {
  enumType.forEach(forgetJsonNames);
  nestedType.forEach(forgetJsonNamesWithin);
}

function forgetJsonNames({ value }: EnumDescriptorProto): void {
  for (const { options } of value) {
    if (options?.$unknown) options.$unknown = options.$unknown.filter(({ no }) => no !== jsonNameOption);
  }
}

/**
 * Gives each member of a message its own property. The library names properties of fields and oneofs in lowerCamelCase,
 * so `oneof foo_bar` would overwrite the field `fooBar`. Fields keep their property; later members get a `$` suffix,
 * which no proto name has.
 */
function separateMembers({ members, oneofs }: DescMessage): void {
  const isField = (member: DescField | DescOneof): boolean => member.kind === 'field';
  giveOwnNames([...members.filter(isField), ...members.filter((member) => !isField(member))]);
  for (const { fields } of oneofs) giveOwnNames(fields);
}

function giveOwnNames(members: readonly { localName: string }[]): void {
  const taken = new Set<string>();
  for (const member of members) {
    while (taken.has(member.localName)) member.localName += '$';
    taken.add(member.localName);
  }
}
