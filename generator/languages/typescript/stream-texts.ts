import { builders } from 'prettier/doc';
import { bracketed } from '../../layout/bracketed.ts';
import type { Layout } from '../../layout/print-layout.ts';
import type { SdkMember } from '../../model/sdk-model.ts';
import { flowTable, standalone, warmLines, warmSignature } from './flow-texts.ts';
import { assignment, entryLayout, functionHead, print, typeLayout } from './layout.ts';
import type { StreamSymbols } from './names.ts';
import { nodeStreamFunctions, nodeStreamMethods } from './node-stream-texts.ts';
import { delegatingMethod, memberLines } from './operation-texts.ts';
import type { OperationView } from './operation-texts.ts';
import { stringLiteral } from './string-literal.ts';

const { hardline, indent } = builders;

/** Returns the standalone functions of a pipeline member, preceded by the table that they share. */
export function streamFunctions(member: SdkMember, view: OperationView, names: StreamSymbols): string[] {
  const connection = ['connection: Connection'];
  const call = (runtime: string, input: string): Layout =>
    bracketed(`${runtime}(`, ['connection', names.table, input, 'options'], ')');
  const { node, warm } = names;
  return [
    member.type === 'flow' ? flowTable(member, view, names.table) : nodeTable(view, names.table),
    standalone(
      memberLines(member),
      streamSignature(`export function ${view.name}`, connection, view),
      call(member.type === 'flow' ? 'streamFlow' : 'streamNode', 'input'),
    ),
    ...(node === undefined
      ? []
      : [
          standalone(
            uploadLines(view),
            uploadSignature(`export function ${node.upload}`, connection, view),
            call('uploadToNode', 'inputs'),
          ),
          ...nodeStreamFunctions(view, node, names.table),
        ]),
    ...(warm === undefined
      ? []
      : [
          standalone(
            warmLines(view),
            warmSignature(`export function ${warm}`, connection),
            bracketed('warmFlow(', ['connection', names.table, 'options'], ')'),
          ),
        ]),
  ];
}

/** Returns the methods of the client that call a pipeline member. */
export function streamMethods(member: SdkMember, view: OperationView, names: StreamSymbols): string[] {
  const call = (name: string, args: readonly string[]): Layout =>
    bracketed(`operations.${name}(`, ['this.connection', ...args], ')');
  const { node, warm } = names;
  return [
    delegatingMethod(
      memberLines(member),
      streamSignature(view.name, [], view),
      call(view.name, ['input', 'options']),
    ),
    ...(node === undefined
      ? []
      : [
          delegatingMethod(
            uploadLines(view),
            uploadSignature(node.upload, [], view),
            call(node.upload, ['inputs', 'options']),
          ),
          ...nodeStreamMethods(view, node),
        ]),
    ...(warm === undefined
      ? []
      : [delegatingMethod(warmLines(view), warmSignature(warm, []), call(warm, ['options']))]),
  ];
}

function nodeTable(view: OperationView, table: string): string {
  const entries = [
    entryLayout('path', stringLiteral(view.path)),
    entryLayout('input', view.input.table),
    entryLayout('output', view.output.table),
  ].map((entry): Layout => [hardline, entry, ',']);
  return print([assignment(`const ${table}`, ['{', indent(entries), hardline, '}']), ';']);
}

function streamSignature(name: string, first: readonly string[], view: OperationView): Layout {
  const input = ['input: ', typeLayout({ generic: 'Input', of: [view.input.type] })];
  return functionHead(name, [...first, input, 'options?: CallOptions'], streamType(view));
}

function uploadSignature(name: string, first: readonly string[], view: OperationView): Layout {
  const inputs = ['inputs: ', typeLayout({ generic: 'StreamedInput', of: [view.input.type] })];
  return functionHead(name, [...first, inputs, 'options?: CallOptions'], streamType(view));
}

function streamType(view: OperationView): Layout {
  return typeLayout({ generic: 'FrameStream', of: [view.output.type] });
}

function uploadLines({ name }: OperationView): string[] {
  return [
    `Calls \`${name}\` with many messages, which are sent as they are read. The`,
    'output begins when all of them have been sent.',
  ];
}
