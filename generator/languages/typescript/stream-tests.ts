import { bracketed } from '../../layout/bracketed.ts';
import { callAssignment, indented, print } from './layout.ts';
import type { Operation } from './operations-view.ts';
import {
  inputStatement,
  pathStatement,
  sampleStatement,
  sentBody,
  smallestAnswer,
} from './program-statements.ts';
import { stringLiteral } from './string-literal.ts';

/** Returns the tests of a pipeline member: with one message, and for a node also with streamed input. */
export function streamTestCases(operation: Operation & { type: 'stream' }): object[] {
  const { member, view, names } = operation;
  const answer = stringLiteral(smallestAnswer(view.output.wellKnown));
  const { table } = view.input;
  const shared = {
    sample: sampleStatement(member.sample, 2),
    input: inputStatement(table),
    path: pathStatement(view.path),
  };
  const single = {
    ...shared,
    title: stringLiteral(`streams ${view.name}`),
    step: `streamed(${answer})`,
    call: iteration(view.name, 'input'),
    body: print(indented(3, [sentBody(member, table), ';'])),
  };
  if (names.node === undefined) return [single];
  const upload = {
    ...shared,
    title: stringLiteral(`streams the input of ${names.node.upload}`),
    step: `streamed(${answer}, 1)`,
    call: `      const inputs = [input];\n${iteration(names.node.upload, 'inputs')}`,
    body: print(indented(3, [uploadedBody(table), ';'])),
  };
  return [single, upload];
}

/** Returns the statements that read the only output of a stream, and its end. */
function iteration(method: string, argument: string): string {
  const call = bracketed(`client.${method}(`, [argument], ')');
  return [
    print(indented(3, [callAssignment('const outputs', call), ';'])),
    '      assert.equal((await outputs.next()).done, false);',
    '      assert.equal((await outputs.next()).done, true);',
  ].join('\n');
}

function uploadedBody(table: string): ReturnType<typeof bracketed> {
  const json = bracketed('toJson(', [table, 'input'], ')');
  return bracketed('assert.equal(', ['request.body.trimEnd()', json], ')');
}
