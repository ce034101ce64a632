import type { NodeMember } from '../model/sdk-model.ts';
import type { WellKnown } from '../../specs/messages/message-model.ts';
import { commentLines, docComment } from './doc-comment.ts';
import { valueType } from './field-types.ts';
import { bracketed } from '../layout/bracketed.ts';
import type { Layout } from '../layout/print-layout.ts';
import { entryLayout, flatType, indented, print, typeLayout } from './layout.ts';
import type { TypeText } from './layout.ts';
import { finalName, tableName } from './names.ts';
import type { TypeScriptNames } from './names.ts';
import { stringLiteral } from './string-literal.ts';
import { wellKnownCodec } from './type-tables.ts';

/** What is printed of a member that can be called. */
export interface OperationView {
  alias: string;
  /** Name of the function and of the client's method. */
  name: string;
  /** Path of the node below the base URL. */
  path: string;
  input: RootView;
  output: RootView;
}

/** What a call takes or gives. */
export interface RootView {
  type: TypeText;
  /** The table that reads and writes it. */
  table: string;
  /** Set when the table is the runtime's: a well-known type. */
  wellKnown?: WellKnown;
}

/** The operation of a member. */
export function operationView(member: NodeMember, names: TypeScriptNames): OperationView {
  const { pin } = member;
  const segments = [...pin.package.split('/'), pin.version, pin.node].map(encodeURIComponent);
  return {
    alias: member.alias,
    name: finalName(names.functions, member.alias),
    path: `/invocations/v1/nodes/${segments.join('/')}`,
    input: rootView(member.input, names),
    output: rootView(member.output, names),
  };
}

const wellKnownPrefix = 'google.protobuf.';

/** What a call takes or gives, by its full name. */
export function rootView(fullName: string, names: TypeScriptNames): RootView {
  const name = names.types.get(fullName);
  if (name !== undefined) return { type: name, table: tableName(name) };
  const wellKnown = fullName.slice(wellKnownPrefix.length) as WellKnown;
  return {
    type: valueType({ kind: 'wellKnown', wellKnown }, names.types),
    table: `${wellKnownCodec(wellKnown)}Type`,
    wellKnown,
  };
}

/** The standalone function of a member. */
export function functionText(member: NodeMember, view: OperationView): string {
  const head = signature(`export function ${view.name}`, ['connection: Connection'], view);
  const entries = [
    entryLayout('path', stringLiteral(view.path)),
    entryLayout('input', view.input.table),
    entryLayout('output', view.output.table),
  ].map((entry) => `${print(indented(3, [entry, ',']))}\n`);
  return `${docComment(memberLines(member))}${print(head)}
  return invokeNode(
    connection,
    {
${entries.join('')}    },
    input,
    options,
  );
}`;
}

/** The method of the client that calls a member. */
export function methodText(member: NodeMember, view: OperationView): string {
  const head = print(indented(1, signature(view.name, [], view)));
  const args = bracketed(`operations.${view.name}(`, ['this.connection', 'input', 'options'], ')');
  const call = print(indented(2, ['return ', args, ';']));
  return `${docComment(memberLines(member), 2)}${head}\n${call}\n  }`;
}

function signature(name: string, first: readonly string[], view: OperationView): Layout {
  const parameters = [
    ...first,
    ['input: ', typeLayout({ generic: 'Input', of: [view.input.type] })],
    'options?: CallOptions',
  ];
  return [bracketed(`${name}(`, parameters, ')'), `: Call<${flatType(view.output.type)}> {`];
}

/** Comment of a member: the node's own, or what it calls. */
function memberLines(member: NodeMember): string[] {
  const own = commentLines(member.comment);
  const target = commentLines(`Calls \`${member.pin.package}@${member.pin.version}/${member.pin.node}\`.`);
  return own.length === 0 ? target : [...own, '', ...target];
}
