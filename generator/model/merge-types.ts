import compareBuild from 'semver/functions/compare-build.js';
import type { EnumModel, FieldType, MessageModel, TypeModel } from '../../specs/messages/message-model.ts';

/** The types of a package version. */
export interface TypeSource {
  /** `<handle>/<name>` */
  packageName: string;
  version: string;
  types: TypeModel;
}

interface MergedTypes {
  /** Sorted by full name in code unit order. */
  types: TypeModel;
  /**
   * Full name, in the merged types, of the type that is named `fullName` in a package version.
   * @param source `<package name>@<version>`
   */
  nameOf: (source: string, fullName: string) => string;
}

/**
 * Merges the types of several package versions into one model. Definitions that are equal apart from comments become one type. If
 * definitions differ, or reach types that differ, the definition of the first package (by name, then by version) keeps its full
 * name, and the others move into a package made of their package's name and version: `acme_text_2_0_0.acme.text.v1.Word`. Adding
 * a member of a newer version to a client therefore renames nothing.
 */
export function mergeTypes(sources: readonly TypeSource[]): MergedTypes {
  const ordered = [...sources].sort(
    (a, b) => compareText(a.packageName, b.packageName) || compareBuild(a.version, b.version),
  );
  const [only] = ordered;
  if (only && ordered.length === 1) return { types: only.types, nameOf: (_, fullName) => fullName };
  const messages = new Map<string, MessageModel>();
  const enums = new Map<string, EnumModel>();
  const renames = new Map<string, ReadonlyMap<string, string>>();
  const definitions = new Map<string, string>();
  for (const source of ordered) {
    const renamed = namesApart(source, definitions);
    renames.set(`${source.packageName}@${source.version}`, renamed);
    for (const message of source.types.messages) {
      const named = renameMessage(message, renamed);
      if (messages.has(named.fullName)) continue;
      messages.set(named.fullName, named);
      definitions.set(named.fullName, definitionOf(named));
    }
    for (const each of source.types.enums) {
      const fullName = renamed.get(each.fullName) ?? each.fullName;
      if (enums.has(fullName)) continue;
      enums.set(fullName, { ...each, fullName });
      definitions.set(fullName, definitionOf(each));
    }
  }
  return {
    types: { messages: [...messages.values()].sort(byFullName), enums: [...enums.values()].sort(byFullName) },
    nameOf: (source, fullName) => renames.get(source)?.get(fullName) ?? fullName,
  };
}

/**
 * Returns new full names for the types of a source whose definitions differ from the merged types with the same names.
 */
function namesApart(
  { packageName, version, types }: TypeSource,
  definitions: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const differs = new Set<string>();
  for (const each of [...types.messages, ...types.enums]) {
    const standing = definitions.get(each.fullName);
    if (standing !== undefined && standing !== definitionOf(each)) differs.add(each.fullName);
  }
  spreadToUsers(differs, types, definitions);
  const prefix = `${packageName}_${version}`.replace(/[^A-Za-z0-9]+/g, '_');
  return new Map([...differs].map((fullName) => [fullName, `${prefix}.${fullName}`]));
}

/** Returns a type as text for comparison, without its documentation. */
function definitionOf(type: MessageModel | EnumModel): string {
  return JSON.stringify(type, (key, value: unknown) =>
    key === 'comment' || key === 'deprecated' ? undefined : value,
  );
}

/** Adds to `differs` the merged types that use one of its types, directly or through others. */
function spreadToUsers(
  differs: Set<string>,
  { messages }: TypeModel,
  definitions: ReadonlyMap<string, string>,
): void {
  if (differs.size === 0) return;
  const users = new Map<string, string[]>();
  for (const { fullName, fields } of messages) {
    for (const { type } of fields) {
      if (!('fullName' in type) || !definitions.has(fullName)) continue;
      users.set(type.fullName, [...(users.get(type.fullName) ?? []), fullName]);
    }
  }
  // Iterating a Set also visits elements added during the iteration.
  for (const fullName of differs) for (const user of users.get(fullName) ?? []) differs.add(user);
}

function renameMessage(message: MessageModel, renamed: ReadonlyMap<string, string>): MessageModel {
  if (renamed.size === 0) return message;
  const rename = (type: FieldType): FieldType =>
    'fullName' in type ? { ...type, fullName: renamed.get(type.fullName) ?? type.fullName } : type;
  return {
    ...message,
    fullName: renamed.get(message.fullName) ?? message.fullName,
    fields: message.fields.map((field) => ({ ...field, type: rename(field.type) })),
  };
}

function byFullName(a: { fullName: string }, b: { fullName: string }): number {
  return compareText(a.fullName, b.fullName);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
