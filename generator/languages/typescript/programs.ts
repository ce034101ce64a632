import { builders } from 'prettier/doc';
import { bracketed } from '../../layout/bracketed.ts';
import type { Layout } from '../../layout/print-layout.ts';
import type { SdkMember } from '../../model/sdk-model.ts';
import { commentLines } from './doc-comment.ts';
import { importNames } from './imports.ts';
import { assignment, callAssignment, indented, print } from './layout.ts';
import type { TypeScriptNames } from './names.ts';
import type { Operation } from './operations-view.ts';
import { newClient } from './program-opening.ts';
import { stringLiteral } from './string-literal.ts';
import {
  inputStatement,
  pathStatement,
  sampleStatement,
  sentBody,
  smallestAnswer,
} from './program-statements.ts';
import { streamTestCases } from './stream-tests.ts';
import type { TypeScriptSdk } from './typescript-sdk.ts';

const { group, hardline, indent, line } = builders;

/** Returns the view of `src/connect.ts`, which identifies the package to the service. */
export function connectView(header: string): object {
  return { sdk: print([assignment('const sdk', stringLiteral(header)), ';']) };
}

/** Returns the view of an example: a program that calls one member with the ProtoJSON of its first argument. */
export function exampleView(
  operation: Operation,
  names: TypeScriptNames,
  packageName: string,
  path: string,
): object {
  const { member, view } = operation;
  return {
    imports: importNames(
      [names.client, view.input.table, view.output.table, 'fromJson', 'toJson'],
      packageName,
    ),
    client: print(indented(1, newClient(names, []))),
    heading: [
      ...commentLines(
        `Calls the member ${JSON.stringify(member.alias)}. Needs SVC_API_KEY and SVC_BASE_URL.`,
      ),
      `Usage: node ${path} ['<input as JSON>']`,
    ]
      .map((line) => `// ${line}`)
      .join('\n'),
    sample: sampleStatement(member.sample, 0),
    input: strictInput(view.input.table),
    output: print(indented(1, outputStatement(operation))),
    result: print(indented(1, resultStatement(operation))),
  };
}

/** `const output = await client.tokenize(input);`; the outputs of a stream are not awaited. */
export function outputStatement({ type, view }: Operation): Layout {
  const call = bracketed(`client.${view.name}(`, ['input'], ')');
  return type === 'stream'
    ? [callAssignment('const outputs', call), ';']
    : [callAssignment('const output', ['await ', call]), ';'];
}

/** Prints the output, or each output of a stream. */
function resultStatement({ type, view }: Operation): Layout {
  const json = bracketed('toJson(', [view.output.table, 'output'], ')');
  const log = [bracketed('console.log(', [json], ')'), ';'];
  return type === 'stream' ? group([eachOutput, indent([line, ...log])]) : log;
}

/** Head of the loop over the outputs of a stream. */
export const eachOutput = 'for await (const output of outputs)';

/** Returns the view of the package's own test, which calls each method once. */
export function clientTestView(operations: readonly Operation[], names: TypeScriptNames): object {
  const isUsed = operations.length > 0;
  return {
    title: stringLiteral(names.client),
    make: print(
      indented(2, [
        'const make = () =>',
        group(indent([line, bracketed(`new ${names.client}(`, ['options'], ')')])),
        ';',
      ]),
    ),
    imports: importNames(
      [
        names.client,
        ...(isUsed ? ['fromJson', 'toJson'] : []),
        ...operations.map(({ view }) => view.input.table),
      ],
      '../src/index.ts',
    ),
    isUsed,
    hasFlows: operations.some(({ type }) => type === 'flow'),
    hasStreams: operations.some(({ type }) => type === 'stream'),
    client: print(indented(3, newClient(names, ['options']))),
    cases: operations.flatMap((operation) =>
      operation.type === 'stream' ? streamTestCases(operation) : [testCase(operation)],
    ),
  };
}

/** Returns the test of one member. */
function testCase({ member, view }: Operation): object {
  return {
    title: stringLiteral(`calls ${view.name}`),
    sample: sampleStatement(member.sample, 2),
    step: answeringStep(member, stringLiteral(smallestAnswer(view.output.wellKnown))),
    input: inputStatement(view.input.table),
    call: print(indented(3, ['await ', bracketed(`client.${view.name}(`, ['input'], ')'), ';'])),
    path: pathStatement(view.path),
    body: print(indented(3, [sentBody(member, view.input.table), ';'])),
  };
}

/** Returns the scripted server's response: the output of a node, or the end of a run. */
function answeringStep({ type }: SdkMember, output: string): string {
  return type === 'flow' ? `endedRun(${output})` : `{ body: ${output} }`;
}

/** Returns the smallest complete program that calls a member; empty if the package cannot call it. */
export function memberSnippet(sdk: TypeScriptSdk, { alias }: SdkMember): string {
  const operation = sdk.operations.find(({ member }) => member.alias === alias);
  return operation === undefined ? '' : snippetText(sdk, operation);
}

/** Returns the smallest complete program that calls one member. */
export function snippetText({ literals, opening }: TypeScriptSdk, operation: Operation): string {
  const { member, view } = operation;
  const argument = literals.root(member.input, member.sample);
  const lines =
    operation.type === 'stream'
      ? [
          ...callLines('const outputs', `client.${view.name}(`, argument),
          `${eachOutput} console.log(output);`,
        ]
      : [...callLines('const output', `await client.${view.name}(`, argument), 'console.log(output);'];
  return [opening, ...lines, ''].join('\n');
}

/** Reads the example's input; a field that the message does not have is a mistake by the user. */
export function strictInput(table: string): string {
  const head = `  const input = fromJson(${table}, json, {`;
  if (head.length <= 80) return `${head}\n    unknownFields: "reject",\n  });`;
  return `  const input = fromJson(\n    ${table},\n    json,\n    { unknownFields: "reject" },\n  );`;
}

/** Returns a call whose argument is usually an object: on the line of the brackets if it fits, otherwise below them. */
function callLines(left: string, call: string, argument: Layout): string[] {
  // A value that is not an open object breaks like any other argument.
  if (typeof argument === 'string') {
    const assign = argument === '{}' ? assignment : callAssignment;
    return [print([assign(left, bracketed(call, [argument], ')')), ';'])];
  }
  const isBeside = `${left} = ${call}`.length <= 80;
  const head = isBeside ? `${left} = ${call}` : `  ${call}`;
  const body =
    head.length < 80 ? [head, argument, ');'] : [head, indent([hardline, argument, ',']), hardline, ');'];
  const text = print(isBeside ? body : indent(body));
  return isBeside ? [text] : [`${left} =`, text];
}
