import type {
  EnumModel,
  FieldModel,
  MessageModel,
  TypeModel,
} from '../../../specs/messages/message-model.ts';
import { planned } from '../../names/planned.ts';
import { showInvisible } from '../../text/show-invisible.ts';
import { docstring } from './docstrings.ts';
import { hiddenTypes, visibleType } from './hidden-types.ts';
import { isKeyword } from './reserved-names.ts';
import { libraryModules, readType, type StubNames, writeType } from './stub-texts.ts';
import { lineWidth } from './line-width.ts';

/** Returns `messages.pyi`: the types of what `messages.py` creates. */
export function handlerStubs(types: TypeModel, names: StubNames): string {
  const aliases = hiddenTypes(types.messages, names);
  const classes = [
    ...types.enums.map((type) => enumStub(type, planned(names, type.fullName))),
    ...types.messages.map((message) => messageStub(message, names, aliases)),
  ];
  const aliased = [...aliases].map(([name, alias]) => `${alias} = ${name}`);
  const body = [['PACKAGE: Package', ...aliased].join('\n'), ...classes].join('\n\n');
  return `${importsOf(types, body)}\n\n${body}\n`;
}

function importsOf({ messages }: TypeModel, body: string): string {
  const used = (name: string): boolean => new RegExp(`[ [(|:]${name}\\b`).test(body);
  const from = (module: string, names: readonly string[]): string[] => {
    const found = names.filter(used);
    if (found.length === 0) return [];
    const line = `from ${module} import ${found.join(', ')}`;
    return line.length <= lineWidth
      ? [line]
      : [`from ${module} import (`, ...found.map((name) => `    ${name},`), ')'];
  };
  const library = libraryModules(messages.flatMap(({ fields }) => fields));
  const groups = [
    [
      ...from('collections.abc', ['Iterable', 'Mapping', 'MutableMapping', 'MutableSequence']),
      ...from('typing', ['Any']),
    ],
    library.map((module) => `from google.protobuf import ${module}`),
    [
      'from svc_node.package import Package',
      ...from('svc_node.values', ['EnumType', 'Message', 'MessageMap', 'RepeatedMessage']),
    ],
  ];
  return groups
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

function enumStub(type: EnumModel, name: string): string {
  const values = [...new Set(type.values.map((value) => value.name))].filter((value) => !isKeyword(value));
  const comment = type.comment === '' ? [] : [docstring([type.comment], 4), ''];
  const lines = [`class _${name}(EnumType):`, ...comment, ...values.map((value) => `    ${value}: int`)];
  // A class needs a body, even if all names are keywords.
  if (lines.length === 1) lines.push('    ...');
  return `${lines.join('\n')}\n\n${name}: _${name}`;
}

type Aliases = ReadonlyMap<string, string>;

function messageStub(message: MessageModel, names: StubNames, aliases: Aliases): string {
  const fields = message.fields.filter((field) => !isKeyword(field.name));
  const comment = message.comment === '' ? [] : [docstring([message.comment], 4)];
  const properties = fields.map((field) => [
    ...commentOf(field),
    `    ${field.name}: ${visibleType(readType(field, names), fields, aliases)}`,
  ]);
  const name = planned(names, message.fullName);
  const lines = [
    ...comment,
    ...(comment.length > 0 && properties.length > 0 ? [''] : []),
    ...properties.flat(),
  ];
  return [`class ${name}(Message):`, ...lines, ...initOf(fields, names, aliases)].join('\n');
}

/** Returns the keyword arguments of the constructor. */
function initOf(fields: readonly FieldModel[], names: StubNames, aliases: Aliases): string[] {
  if (fields.length === 0) return ['    def __init__(self) -> None: ...'];
  const self = selfName(fields);
  const typeOf = (field: FieldModel): string => visibleType(writeType(field, names), fields, aliases);
  const parts = fields.map((field) => `${field.name}: ${typeOf(field)} | None = None`);
  const line = `    def __init__(${self}, *, ${parts.join(', ')}) -> None: ...`;
  if (line.length <= lineWidth) return [line];
  return [
    '    def __init__(',
    `        ${self},`,
    '        *,',
    ...parts.map((part) => `        ${part},`),
    '    ) -> None: ...',
  ];
}

/**
 * Returns a name for the parameter `self` that no field has. Type checkers accept another name that begins with an
 * underscore.
 */
function selfName(fields: readonly FieldModel[]): string {
  let name = 'self';
  while (fields.some((field) => field.name === name)) name = `_${name}`;
  return name;
}

function commentOf({ comment }: FieldModel): string[] {
  return showInvisible(comment)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => `    # ${line}`);
}
