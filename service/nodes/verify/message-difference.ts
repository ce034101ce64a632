import { fromBinary } from '@bufbuild/protobuf';
import {
  type DescriptorProto,
  type FieldDescriptorProto,
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  type FileDescriptorProto,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';
import { thrownMessage } from '../../errors/thrown-message.ts';
import type { PublishedContent } from './published-content.ts';
import { shortened } from './shortened.ts';

type Messages = ReadonlyMap<string, DescriptorProto>;

/**
 * Compares the fields that the messages of the published nodes reach with the fields in a container's descriptors: names,
 * numbers, types and cardinalities. The container's descriptors are not linked, so they may lack files that no node needs, such
 * as the files of well-known types.
 *
 * @param descriptorSet serialized google.protobuf.FileDescriptorSet
 * @returns the first difference, in the order of nodes and field numbers
 */
export function messageDifference(
  { nodes, registry }: PublishedContent,
  descriptorSet: Uint8Array,
): string | undefined {
  let files: readonly FileDescriptorProto[];
  try {
    files = fromBinary(FileDescriptorSetSchema, descriptorSet).file;
  } catch (error) {
    return `its descriptor set cannot be read: ${thrownMessage(error)}`;
  }
  const published = messagesOf([...registry.files].map((file) => file.proto));
  const longest = Math.max(0, ...[...published.keys()].map((name) => name.length));
  const served = messagesOf(files, longest);
  const reached = new Set<string>();
  for (const { inputMessage, outputMessage } of nodes) {
    if (inputMessage !== null) reached.add(inputMessage);
    if (outputMessage !== null) reached.add(outputMessage);
  }
  // Iterating a Set also visits values added during the iteration.
  for (const name of reached) {
    const message = published.get(name);
    if (!message || name.startsWith('google.protobuf.')) continue;
    const found = served.get(name);
    const difference = found ? fieldDifference(name, message, found) : `it does not describe ${name}`;
    if (difference !== undefined) return difference;
    for (const { typeName } of message.field) if (typeName !== '') reached.add(typeName.slice(1));
  }
  return undefined;
}

function fieldDifference(
  name: string,
  published: DescriptorProto,
  served: DescriptorProto,
): string | undefined {
  const expected = new Map(published.field.map((field) => [field.number, fieldText(field)]));
  const found = new Map(served.field.map((field) => [field.number, fieldText(field)]));
  const numbers = [...new Set([...expected.keys(), ...found.keys()])].sort((one, other) => one - other);
  for (const number of numbers) {
    const [own, other] = [expected.get(number), found.get(number)];
    if (own === other) continue;
    if (other === undefined) return `${name} has no field "${own}"`;
    if (own === undefined) return `${name} has a field "${shortened(other)}", which was not published`;
    return `${name} has the field "${shortened(other)}", not "${own}"`;
  }
  return undefined;
}

/** Returns a field as in a .proto file: `repeated string words = 3`. */
function fieldText({ name, number, type, typeName, label }: FieldDescriptorProto): string {
  const typeText = typeName === '' ? FieldDescriptorProto_Type[type].toLowerCase() : typeName.slice(1);
  const labelText = cardinalities[label] ?? '';
  return `${labelText}${typeText} ${name} = ${number}`;
}

/** Presence is not a cardinality: fields with and without it have the same encoding. */
const cardinalities: Partial<Record<FieldDescriptorProto_Label, string>> = {
  [FieldDescriptorProto_Label.REPEATED]: 'repeated ',
  [FieldDescriptorProto_Label.REQUIRED]: 'required ',
};

/**
 * Returns the messages of the files, by full name. Omits longer names, because a container could describe thousands of messages
 * in a proto package whose name has 100,000 characters, and each full name would take that much memory.
 */
function messagesOf(files: readonly FileDescriptorProto[], longestName = Infinity): Messages {
  const messages = new Map<string, DescriptorProto>();
  const add = (message: DescriptorProto, scope: string): void => {
    const name = scope === '' ? message.name : `${scope}.${message.name}`;
    if (name.length > longestName) return;
    messages.set(name, message);
    for (const nested of message.nestedType) add(nested, name);
  };
  for (const file of files) for (const message of file.messageType) add(message, file.package);
  return messages;
}
