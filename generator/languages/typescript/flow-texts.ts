import { builders } from 'prettier/doc';
import { bracketed } from '../../layout/bracketed.ts';
import type { Layout } from '../../layout/print-layout.ts';
import type { FlowMember } from '../../model/sdk-model.ts';
import { docComment } from './doc-comment.ts';
import { assignment, entryLayout, functionHead, indented, print, typeLayout } from './layout.ts';
import type { TypeText } from './layout.ts';
import type { FlowSymbols } from './names.ts';
import { callSignature, delegatingMethod, memberLines } from './operation-texts.ts';
import type { OperationView } from './operation-texts.ts';
import { stringLiteral } from './string-literal.ts';

const { hardline, indent } = builders;

/** Returns the standalone functions of a flow, preceded by the table that they share. */
export function flowFunctions(member: FlowMember, view: OperationView, names: FlowSymbols): string[] {
  const connection = ['connection: Connection'];
  const call = (runtime: string): Layout =>
    bracketed(`${runtime}(`, ['connection', names.table, 'input', 'options'], ')');
  return [
    flowTable(member, view, names.table),
    standalone(
      memberLines(member),
      callSignature(`export function ${view.name}`, connection, view),
      call('runFlow'),
    ),
    standalone(
      startLines(view),
      callSignature(`export function ${names.start}`, connection, view, executionType(view)),
      call('startFlow'),
    ),
    standalone(
      executionLines(view),
      executionSignature(`export function ${names.execution}`, connection, view),
      bracketed('new Execution(', ['connection', `${names.table}.output`, 'id'], ')'),
    ),
    standalone(
      warmLines(view),
      warmSignature(`export function ${names.warm}`, connection),
      bracketed('warmFlow(', ['connection', names.table, 'options'], ')'),
    ),
  ];
}

/** Returns the methods of the client that run a flow, start it, find its executions and warm it. */
export function flowMethods(member: FlowMember, view: OperationView, names: FlowSymbols): string[] {
  const call = (name: string, args: readonly string[]): Layout =>
    bracketed(`operations.${name}(`, ['this.connection', ...args], ')');
  return [
    delegatingMethod(
      memberLines(member),
      callSignature(view.name, [], view),
      call(view.name, ['input', 'options']),
    ),
    delegatingMethod(
      startLines(view),
      callSignature(names.start, [], view, executionType(view)),
      call(names.start, ['input', 'options']),
    ),
    delegatingMethod(
      executionLines(view),
      executionSignature(names.execution, [], view),
      call(names.execution, ['id']),
    ),
    delegatingMethod(warmLines(view), warmSignature(names.warm, []), call(names.warm, ['options'])),
  ];
}

/** Returns the table that the functions of a flow share. */
export function flowTable({ pin }: FlowMember, view: OperationView, table: string): string {
  const entries = [
    entryLayout('graphId', stringLiteral(pin.graph)),
    entryLayout('input', view.input.table),
    entryLayout('output', view.output.table),
  ].map((entry): Layout => [hardline, entry, ',']);
  return print([assignment(`const ${table}`, ['{', indent(entries), hardline, '}']), ';']);
}

/** Returns a function whose body returns `result`. */
export function standalone(comment: readonly string[], signature: Layout, result: Layout): string {
  const body = print(indented(1, ['return ', result, ';']));
  return `${docComment(comment)}${print(signature)}\n${body}\n}`;
}

function executionType(view: OperationView): TypeText {
  return { generic: 'Execution', of: [view.output.type] };
}

function executionSignature(name: string, first: readonly string[], view: OperationView): Layout {
  return functionHead(name, [...first, 'id: string'], typeLayout(executionType(view)));
}

/** Returns the head of a function that warms a flow. */
export function warmSignature(name: string, first: readonly string[]): Layout {
  return functionHead(
    name,
    [...first, 'options?: CallOptions'],
    typeLayout({ generic: 'Call', of: ['void'] }),
  );
}

function startLines({ name }: OperationView): string[] {
  return [`Starts a run of \`${name}\` and does not wait for it.`];
}

function executionLines({ name }: OperationView): string[] {
  return [`Returns a run of \`${name}\` by its id, even if another process started it.`];
}

/** Returns the comment of a function that warms a flow. */
export function warmLines({ name }: OperationView): string[] {
  return [`Prepares \`${name}\` for its next run.`];
}
