import { fromBinary } from '@bufbuild/protobuf';
import type { DescFile, DescMessage, FileRegistry } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { linkDescriptors } from '../../../specs/messages/link-descriptors.ts';
import { limits } from '../../../specs/limits.ts';
import { sourceLocations } from '../../../specs/messages/source-locations.ts';
import type { SourceElement, SourceLocations } from '../../../specs/messages/source-locations.ts';
import type { ProtoDiagnostic } from '../../errors/proto-compile-error.ts';
import { thrownMessage } from '../../errors/thrown-message.ts';
import { longestChain } from './longest-chain.ts';

/** The result of a check. The sources are accepted if there are no diagnostics. */
export interface CheckedDescriptors {
  diagnostics: ProtoDiagnostic[];
  /** Full names of all messages, including imported ones. */
  messages: string[];
}

/**
 * Reports valid proto that the service does not support:
 * - messages with too many fields, and chains of too many message types;
 * - extensions of messages other than options: in JSON they are `[full.name]` keys, which SDKs have no types for;
 * - message sets, which have no JSON form;
 * - fields with the same JSON name, which JSON parsers resolve in different ways;
 * - types in `google.protobuf`, which would shadow the well-known types.
 *
 * Groups, `required` and editions are supported.
 */
export function checkDescriptors(descriptorSet: Uint8Array): CheckedDescriptors {
  let registry: FileRegistry;
  try {
    registry = linkDescriptors(descriptorSet);
  } catch (error) {
    const diagnostic = { file: '', line: 0, column: 0, message: unreadable(descriptorSet, error) };
    return { diagnostics: [diagnostic], messages: [] };
  }
  const messages = [...registry].filter((type) => type.kind === 'message');
  const diagnostics = [...registry.files].flatMap(checkFile);
  return {
    diagnostics: [...diagnostics, ...checkChain(messages)],
    messages: messages.map(({ typeName }) => typeName),
  };
}

function checkChain(messages: readonly DescMessage[]): ProtoDiagnostic[] {
  const chain = longestChain(messages);
  if (chain === undefined || chain.length <= limits.messageChain) return [];
  const { type, length } = chain;
  const message = `message ${type.typeName} starts a chain of ${length} message types, each the type of a field of the one before: at most ${limits.messageChain} are allowed`;
  return [{ file: `${type.file.name}.proto`, ...position(sourceLocations(type.file), type), message }];
}

function checkFile(file: DescFile): ProtoDiagnostic[] {
  const path = `${file.name}.proto`;
  if (path.startsWith('google/protobuf/')) return [];
  const locations = sourceLocations(file);
  const diagnostics: ProtoDiagnostic[] = [];
  const report = (element: SourceElement | undefined, message: string): void => {
    diagnostics.push({ file: path, ...position(locations, element), message });
  };
  const packageName = file.proto.package;
  if (packageName === 'google.protobuf' || packageName.startsWith('google.protobuf.')) {
    report(undefined, 'the package google.protobuf is reserved: use another package name');
  }
  const messages = file.messages.flatMap(withNested);
  for (const message of messages) checkMessage(message, report);
  const extensions = [...file.extensions, ...messages.flatMap((message) => message.nestedExtensions)];
  for (const extension of extensions) {
    if (extension.extendee.file.proto.package === 'google.protobuf') continue;
    const text = `extension ${extension.typeName} of ${extension.extendee.typeName} is not supported: declare a field instead`;
    report(extension, text);
  }
  return diagnostics;
}

function checkMessage(message: DescMessage, report: (element: SourceElement, message: string) => void): void {
  const count = message.fields.length;
  if (count > limits.fieldsPerMessage) {
    report(
      message,
      `message ${message.typeName} has ${count} fields: at most ${limits.fieldsPerMessage} are allowed`,
    );
  }
  if (message.proto.options?.messageSetWireFormat === true) {
    report(
      message,
      `message ${message.typeName} is a message set, which has no JSON form: declare fields instead`,
    );
  }
  checkJsonNames(message, report);
}

/**
 * The compiler rejects two fields with the same JSON name in proto3 only. It accepts a JSON name that is the proto name of another
 * field. For such a key C++ uses the proto name, Go and Python the JSON name, Java and JavaScript the last declaration.
 */
function checkJsonNames(
  { typeName, fields }: DescMessage,
  report: (element: SourceElement, message: string) => void,
): void {
  const byProtoName = new Map(fields.map((field) => [field.name, field]));
  for (const [jsonName, [first, ...others]] of Map.groupBy(fields, (field) => field.jsonName)) {
    if (first === undefined) continue;
    const named = byProtoName.get(jsonName) ?? first;
    const candidates = [...new Set([first, named, ...others])].map(({ name }) => name);
    if (candidates.length === 1) continue;
    const text = `the JSON name ${JSON.stringify(jsonName)} of ${typeName} is ambiguous: it matches ${candidates.join(' and ')}: set a unique json_name`;
    report(first, text);
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

/** The compiler accepts some descriptors that the registry cannot link: messages nested too deeply, or a newer edition. */
function unreadable(descriptorSet: Uint8Array, error: unknown): string {
  const reason = thrownMessage(error);
  try {
    fromBinary(FileDescriptorSetSchema, descriptorSet);
  } catch {
    return 'message declarations nest too deeply: declare the messages at the top level';
  }
  return `these sources are not supported: ${reason}`;
}
