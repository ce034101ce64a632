import type { DescEnum, DescField, DescFile, DescMessage, FileRegistry } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt';
import { commentText } from './comment-text.ts';
import { describeFieldType, mapKeyScalar } from './describe-field-type.ts';
import { linkDescriptors } from './link-descriptors.ts';
import { wellKnownOf } from './well-known.ts';
import type { Cardinality, EnumModel, FieldModel, MessageModel, TypeModel } from './message-model.ts';
import { sourceLocations } from './source-locations.ts';
import type { SourceElement, SourceLocations } from './source-locations.ts';

/**
 * Returns everything that the root messages reach, as plain data. Well-known types with a special ProtoJSON form are leaves: they
 * have no entry, not even as a root.
 *
 * @param types a registry, or a binary `google.protobuf.FileDescriptorSet` with source info.
 * @param roots full names of messages; order and repetition do not matter.
 * @throws Error that names a root that is not a message of `types`.
 */
export function describeTypes(types: Uint8Array | FileRegistry, roots: readonly string[]): TypeModel {
  const registry = types instanceof Uint8Array ? linkDescriptors(types) : types;
  const messages = new Set<DescMessage>();
  const enums = new Set<DescEnum>();
  for (const root of roots) {
    const message = registry.getMessage(root);
    if (message === undefined) throw new Error(`there is no message ${root}`);
    collect(message, messages, enums);
  }
  const commentOf = commentReader();
  return {
    messages: [...messages].sort(byTypeName).map((message) => describeMessage(message, commentOf)),
    enums: [...enums].sort(byTypeName).map((each) => describeEnum(each, commentOf)),
  };
}

type CommentReader = (file: DescFile, element: SourceElement) => string;

function commentReader(): CommentReader {
  const byFile = new Map<DescFile, SourceLocations>();
  return (file, element) => {
    const locations = byFile.get(file) ?? sourceLocations(file);
    byFile.set(file, locations);
    return commentText(locations.find(element));
  };
}

/**
 * Collects the types that a message reaches. It does not recurse, because a chain of messages may be longer than the
 * stack is deep.
 */
function collect(root: DescMessage, messages: Set<DescMessage>, enums: Set<DescEnum>): void {
  const open = [root];
  for (let message = open.pop(); message !== undefined; message = open.pop()) {
    if (messages.has(message) || wellKnownOf(message) !== undefined) continue;
    messages.add(message);
    for (const field of message.fields) {
      if (field.message) open.push(field.message);
      if (field.enum && wellKnownOf(field.enum) === undefined) enums.add(field.enum);
    }
  }
}

function describeMessage(message: DescMessage, commentOf: CommentReader): MessageModel {
  const comment = (element: SourceElement): string => commentOf(message.file, element);
  return {
    fullName: message.typeName,
    name: nameInPackage(message),
    comment: comment(message),
    deprecated: message.deprecated,
    fields: message.fields.map((field) => describeField(field, comment(field))),
    oneofs: message.oneofs.map((oneof) => ({
      name: oneof.name,
      comment: comment(oneof),
      fields: oneof.fields.map((field) => field.name),
    })),
  };
}

function describeField(field: DescField, comment: string): FieldModel {
  return {
    name: field.name,
    jsonName: field.jsonName,
    number: field.number,
    comment,
    deprecated: field.deprecated,
    cardinality: cardinalityOf(field),
    type: describeFieldType(field),
    ...(field.fieldKind === 'map' ? { mapKey: mapKeyScalar(field.mapKey) } : {}),
    ...(field.oneof === undefined ? {} : { oneof: field.oneof.name }),
  };
}

/**
 * Returns the cardinality of a field. Messages always have presence, so they are `single`. `required` of proto2 becomes
 * `optional`: a writer must be able to distinguish a default value from absence, or the service rejects the message.
 */
function cardinalityOf(field: DescField): Cardinality {
  if (field.fieldKind === 'map') return 'map';
  if (field.fieldKind === 'list') return 'repeated';
  if (field.fieldKind === 'message' || field.oneof !== undefined) return 'single';
  return field.presence === FeatureSet_FieldPresence.IMPLICIT ? 'single' : 'optional';
}

function describeEnum(each: DescEnum, commentOf: CommentReader): EnumModel {
  return {
    fullName: each.typeName,
    name: nameInPackage(each),
    comment: commentOf(each.file, each),
    deprecated: each.deprecated,
    values: each.values.map((value) => ({
      name: value.name,
      number: value.number,
      comment: commentOf(each.file, value),
      deprecated: value.deprecated,
    })),
  };
}

function nameInPackage({ typeName, file }: DescMessage | DescEnum): string {
  const packageName = file.proto.package;
  return packageName === '' ? typeName : typeName.slice(packageName.length + 1);
}

/** Compares by code units: the order is the same on every machine and in every locale. */
function byTypeName(a: { typeName: string }, b: { typeName: string }): number {
  return a.typeName < b.typeName ? -1 : a.typeName > b.typeName ? 1 : 0;
}
