import type { NodeMember, SdkMember } from '../../model/sdk-model.ts';
import type { WellKnown } from '../../../specs/messages/message-model.ts';
import { commentLines, docComment } from './doc-comment.ts';
import { valueType } from './field-types.ts';
import { bracketed } from '../../layout/bracketed.ts';
import type { Layout } from '../../layout/print-layout.ts';
import { planned } from '../../names/planned.ts';
import { markdownCode } from '../../text/markdown.ts';
import { callPath } from '../../model/call-path.ts';
import { entryLayout, flatType, functionHead, indented, print, typeLayout } from './layout.ts';
import type { TypeText } from './layout.ts';
import { tableName } from './names.ts';
import type { TypeScriptNames } from './names.ts';
import { stringLiteral } from './string-literal.ts';
import { wellKnownCodec } from './type-tables.ts';

/** The view of a member that can be called. */
export interface OperationView {
  alias: string;
  /** Name of the function and of the client's method. */
  name: string;
  /** Path of the call, below the base URL. */
  path: string;
  input: RootView;
  output: RootView;
}

/** The input or output of a call. */
export interface RootView {
  type: TypeText;
  /** The table that reads and writes it. */
  table: string;
  /** Set for a well-known type, whose table is in the runtime. */
  wellKnown?: WellKnown;
}

/** Returns the operation of a member. */
export function operationView(member: SdkMember, names: TypeScriptNames): OperationView {
  return {
    alias: member.alias,
    name: planned(names.functions, member.alias),
    path: callPath(member),
    input: rootView(member.input, names),
    output: rootView(member.output, names),
  };
}

const wellKnownPrefix = 'google.protobuf.';

/** Returns the input or output of a call, by its full name. */
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

/** Returns the standalone function of a node. */
export function functionText(member: NodeMember, view: OperationView): string {
  const head = callSignature(`export function ${view.name}`, ['connection: Connection'], view);
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

/** Returns the method of the client that calls a node. */
export function methodText(member: NodeMember, view: OperationView): string {
  return delegatingMethod(
    memberLines(member),
    callSignature(view.name, [], view),
    bracketed(`operations.${view.name}(`, ['this.connection', 'input', 'options'], ')'),
  );
}

/** Returns a method of the client that delegates to the function of the same name. */
export function delegatingMethod(comment: readonly string[], signature: Layout, call: Layout): string {
  const head = print(indented(1, signature));
  const body = print(indented(2, ['return ', call, ';']));
  return `${docComment(comment, 2)}${head}\n${body}\n  }`;
}

/** Returns the head of a function from an input to a call; `given` is the result of the call, by default the output. */
export function callSignature(
  name: string,
  first: readonly string[],
  view: Pick<OperationView, 'input' | 'output'>,
  given?: TypeText,
): Layout {
  const parameters = [
    ...first,
    ['input: ', typeLayout({ generic: 'Input', of: [view.input.type] })],
    'options?: CallOptions',
  ];
  const gives =
    given === undefined
      ? `Call<${flatType(view.output.type)}>`
      : typeLayout({ generic: 'Call', of: [given] });
  return functionHead(name, parameters, gives);
}

/** Returns the comment of a member: its description and its target. */
export function memberLines(member: SdkMember): string[] {
  const own = commentLines(member.comment);
  const target = commentLines(
    member.type === 'flow'
      ? `Runs the flow ${markdownCode(member.alias)} (artifact \`${member.pin.artifact}\`) and ${member.mode === 'pipeline' ? 'streams' : 'waits for'} its output.`
      : `Calls \`${member.pin.package}@${member.pin.version}/${member.pin.node}\`.`,
  );
  return own.length === 0 ? target : [...own, '', ...target];
}
