import { fromBinary } from '@bufbuild/protobuf';
import type { DescFile, DescMessage, FileRegistry } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { limits } from '../../specs/limits.ts';
import { sourceLocations } from '../../specs/messages/source-locations.ts';
import type { SourceElement, SourceLocations } from '../../specs/messages/source-locations.ts';
import type { ProtoDiagnostic } from '../errors/proto-compile-error.ts';
import { createRegistry } from './registry.ts';

/**
 * What the service cannot serve although it is valid proto; empty when there is nothing. Groups, `required` and editions are
 * served. Refused are:
 * - messages with too many fields;
 * - extensions of ordinary messages: in JSON they are `[full.name]` keys, for which no SDK has a type (options are fine);
 * - message sets, which have no JSON form;
 * - fields that share a name in JSON, which readers of JSON tell apart in different ways or not at all;
 * - types in `google.protobuf`: they would stand in for the well-known types.
 */
export function checkDescriptors(descriptorSet: Uint8Array): ProtoDiagnostic[] {
  let registry: FileRegistry;
  try {
    registry = createRegistry(descriptorSet);
  } catch (error) {
    return [{ file: '', line: 0, column: 0, message: unreadable(descriptorSet, error) }];
  }
  return [...registry.files].flatMap(checkFile);
}

function checkFile(file: DescFile): ProtoDiagnostic[] {
  const path = `${file.name}.proto`;
  if (path.startsWith('google/protobuf/')) return [];
  const locations = sourceLocations(file);
  const diagnostics: ProtoDiagnostic[] = [];
  const complain = (element: SourceElement | undefined, message: string): void => {
    diagnostics.push({ file: path, ...position(locations, element), message });
  };
  const packageName = file.proto.package;
  if (packageName === 'google.protobuf' || packageName.startsWith('google.protobuf.')) {
    complain(undefined, 'the package google.protobuf is built in: declare another one');
  }
  const messages = file.messages.flatMap(withNested);
  for (const message of messages) checkMessage(message, complain);
  const extensions = [...file.extensions, ...messages.flatMap((message) => message.nestedExtensions)];
  for (const extension of extensions) {
    if (extension.extendee.file.proto.package === 'google.protobuf') continue;
    const text = `extension ${extension.typeName} of ${extension.extendee.typeName} is not supported: declare a field`;
    complain(extension, text);
  }
  return diagnostics;
}

function checkMessage(
  message: DescMessage,
  complain: (element: SourceElement, message: string) => void,
): void {
  const count = message.fields.length;
  if (count > limits.fieldsPerMessage) {
    complain(
      message,
      `message ${message.typeName} has ${count} fields, at most ${limits.fieldsPerMessage} are allowed`,
    );
  }
  if (message.proto.options?.messageSetWireFormat === true) {
    complain(message, `message ${message.typeName} is a message set, which has no JSON form: declare fields`);
  }
  checkJsonNames(message, complain);
}

/**
 * The compiler refuses two fields of one JSON name in proto3 only, and never a JSON name that is the proto name of another field:
 * there C++ takes the proto name, Go and Python the JSON name, Java and JavaScript what was declared last.
 */
function checkJsonNames(
  { typeName, fields }: DescMessage,
  complain: (element: SourceElement, message: string) => void,
): void {
  const byProtoName = new Map(fields.map((field) => [field.name, field]));
  for (const [jsonName, [first, ...others]] of Map.groupBy(fields, (field) => field.jsonName)) {
    if (first === undefined) continue;
    const named = byProtoName.get(jsonName) ?? first;
    const meant = [...new Set([first, named, ...others])].map(({ name }) => name);
    if (meant.length === 1) continue;
    const text = `${JSON.stringify(jsonName)} in JSON of ${typeName} is ${meant.join(' or ')}: fields need JSON names of their own`;
    complain(first, text);
  }
}

function withNested(message: DescMessage): DescMessage[] {
  return [message, ...message.nestedMessages.flatMap(withNested)];
}

function position(
  locations: SourceLocations,
  element: SourceElement | undefined,
): { line: number; column: number } {
  const span = element === undefined ? undefined : locations.find(element)?.span;
  return { line: (span?.[0] ?? -1) + 1, column: (span?.[1] ?? -1) + 1 };
}

/** The compiler accepts what the registry does not: messages nested too deep, an edition that is too new. */
function unreadable(descriptorSet: Uint8Array, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  try {
    fromBinary(FileDescriptorSetSchema, descriptorSet);
  } catch {
    return 'messages are declared inside each other too deeply: declare them at the top';
  }
  return `these sources are not supported: ${reason}`;
}
