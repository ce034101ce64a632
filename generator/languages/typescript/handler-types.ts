import { linkDescriptors } from '../../../specs/messages/link-descriptors.ts';
import { firstSeenIn } from '../../changes/first-seen.ts';
import type { SdkFile } from '../../language.ts';
import type { NodePorts, PackageTypes } from '../../model/package-types.ts';
import { planScope } from '../../names/plan-scope.ts';
import { planned } from '../../names/planned.ts';
import { typeNameRequests } from '../../names/type-names.ts';
import { commentLines, docComment } from './doc-comment.ts';
import type { TypeNames } from './field-types.ts';
import { handlerForms, libraryNames, rootType } from './handler-forms.ts';
import { importLines, importNames } from './imports.ts';
import { interfaceTexts } from './interface-texts.ts';
import { indented, print, typeLayout, type TypeText } from './layout.ts';
import { tableName } from './names.ts';
import { propertyKey } from './property-key.ts';
import { reservedNames } from './reserved-names.ts';
import { enumDeclaration } from './type-tables.ts';

/** What the file may import from `svc/node/values`. */
const valueNames = [
  ...['Any', 'Case', 'Duration', 'EnumValue', 'FieldMask', 'JsonObject', 'ListValue', 'NoCase'],
  ...['Struct', 'Timestamp', 'Value', 'Wrapped'],
];
const handlerNames = ['PipelineHandler', 'UnaryHandler'];
const reserved = new Set([...reservedNames, ...valueNames, ...handlerNames, 'Handlers']);

/**
 * Returns `messages.ts` of a package: the types of its messages as `svc node serve` passes them to handlers, and of the
 * handlers.
 */
export async function handlerTypes({
  name,
  version,
  nodes,
  types,
  descriptorSet,
}: PackageTypes): Promise<SdkFile> {
  const registry = linkDescriptors(descriptorSet);
  const names = planScope(typeNameRequests(types, firstSeenIn({ firstSeen: [] })), {
    reserved,
    derived: (type) => [tableName(type)],
  });
  const sources = types.messages.map((message) => ({
    name: planned(names, message.fullName),
    message,
    propertyNames: libraryNames(registry, message.fullName),
  }));
  const declarations = [
    ...types.enums.map((type) => enumDeclaration(type, planned(names, type.fullName))),
    // The properties are finished text, so json-schema-to-typescript is not needed: loading it takes a fifth of the
    // processor time of `svc node types`.
    ...(await interfaceTexts(sources, names, {
      forms: handlerForms(registry),
      declare: (properties) => Promise.resolve([...properties]),
    })),
    handlersText(name, nodes, names),
  ];
  const text = declarations.join('\n\n');
  // Ignores comments and keys.
  const used = (name: string): boolean =>
    new RegExp(`^(?! *(?:/?\\*|//)).*[ <(]${name}\\b(?!\\??:)`, 'm').test(text);
  const head = [
    `// Written by \`svc node types\` for ${name} ${version}. Do not edit: run it again`,
    '// when package.yaml or a proto file changes.',
    ...importLines(
      importNames(handlerNames.filter(used), 'svc/node', 'import type'),
      importNames(valueNames.filter(used), 'svc/node/values', 'import type'),
    ),
  ];
  return { path: 'messages.ts', content: `${head.join('\n')}\n\n${text}\n` };
}

/** Returns the type of the default export of the package's module. */
function handlersText(name: string, nodes: readonly NodePorts[], names: TypeNames): string {
  const entries = nodes.map((node) => {
    const handler: TypeText = {
      generic: node.mode === 'unary' ? 'UnaryHandler' : 'PipelineHandler',
      of: [portType(node.input, names), portType(node.output, names)],
    };
    const text = print(indented(1, [`${propertyKey(node.name)}: `, typeLayout(handler), ';']));
    return `${docComment(commentLines(node.description), 2)}${text}\n`;
  });
  const comment = docComment([`Handlers of ${name}: \`export default {...} satisfies Handlers\`.`]);
  return `${comment}export interface Handlers {\n${entries.join('')}}`;
}

const wellKnownPackage = 'google.protobuf.';

/** Returns the type of a port. An open port of a generic node accepts any message. */
function portType(fullName: string | undefined, names: TypeNames): TypeText {
  if (fullName === undefined) return 'object';
  return names.get(fullName) ?? rootType(fullName.slice(wellKnownPackage.length) as never);
}
