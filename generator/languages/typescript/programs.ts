import { builders } from 'prettier/doc';
import { bracketed } from '../../layout/bracketed.ts';
import type { Layout } from '../../layout/print-layout.ts';
import type { JsonValue, SdkMember } from '../../model/sdk-model.ts';
import type { WellKnown } from '../../../specs/messages/message-model.ts';
import { commentLines } from './doc-comment.ts';
import { importNames } from './imports.ts';
import { assignment, callAssignment, indented, print } from './layout.ts';
import type { TypeScriptNames } from './names.ts';
import type { Operation } from './operations-view.ts';
import { newClient } from './program-opening.ts';
import { stringLiteral } from './string-literal.ts';
import type { TypeScriptSdk } from './typescript-sdk.ts';

const { group, hardline, indent, line } = builders;

/** View of `src/connect.ts`, which names the package to the service. */
export function connectView(header: string): object {
  return { sdk: print([assignment('const sdk', stringLiteral(header)), ';']) };
}

/** View of an example: a program that calls one member with the ProtoJSON of its first argument. */
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
    output: print(
      indented(1, [
        callAssignment('const output', ['await ', bracketed(`client.${view.name}(`, ['input'], ')')]),
        ';',
      ]),
    ),
    result: print(
      indented(1, [
        bracketed('console.log(', [bracketed('toJson(', [view.output.table, 'output'], ')')], ')'),
        ';',
      ]),
    ),
  };
}

/** View of the package's own test, which calls each method once. */
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
    client: print(indented(3, newClient(names, ['options']))),
    cases: operations.map(testCase),
  };
}

/** The test of one member. */
function testCase({ member, view }: Operation): object {
  return {
    title: stringLiteral(`calls ${view.name}`),
    sample: sampleStatement(member.sample, 2),
    step: answeringStep(member, stringLiteral(smallestAnswer(view.output.wellKnown))),
    input: print(
      indented(3, ['const input = ', bracketed('fromJson(', [view.input.table, 'sample'], ')'), ';']),
    ),
    call: print(indented(3, ['await ', bracketed(`client.${view.name}(`, ['input'], ')'), ';'])),
    path: print(
      indented(3, [bracketed('assert.equal(', ['request.path', stringLiteral(view.path)], ')'), ';']),
    ),
    body: print(indented(3, [sentBody(member, view.input.table), ';'])),
  };
}

/** `const sample = '{"text":"example"}';` in a block so many levels deep. */
export function sampleStatement(sample: JsonValue, levels: number): string {
  return print(indented(levels, [assignment('const sample', stringLiteral(JSON.stringify(sample))), ';']));
}

/** The body of a node call is the input; that of a flow call contains it. */
function sentBody(member: SdkMember, table: string): Layout {
  const json = bracketed('toJson(', [table, 'input'], ')');
  return member.type === 'flow'
    ? bracketed('assert.ok(', [bracketed('request.body.includes(', [json], ')')], ')')
    : bracketed('assert.equal(', ['request.body', json], ')');
}

/** The answer of the scripted server: the output of a node, or the end of a run. */
function answeringStep({ type }: SdkMember, output: string): string {
  return type === 'flow' ? `endedRun(${output})` : `{ body: ${output} }`;
}

/** ProtoJSON that is a value of the type. */
function smallestAnswer(type: WellKnown | undefined): string {
  switch (type) {
    case 'BoolValue':
      return 'false';
    case 'BytesValue':
    case 'FieldMask':
    case 'StringValue':
      return '""';
    case 'DoubleValue':
    case 'FloatValue':
    case 'Int32Value':
    case 'Int64Value':
    case 'UInt32Value':
    case 'UInt64Value':
      return '0';
    case 'Duration':
      return '"0s"';
    case 'ListValue':
      return '[]';
    case 'Timestamp':
      return '"1970-01-01T00:00:00Z"';
    default:
      return '{}';
  }
}

/** A complete, smallest program that calls a member; empty when the package cannot call it. */
export function memberSnippet(sdk: TypeScriptSdk, { alias }: SdkMember): string {
  const operation = sdk.operations.find(({ member }) => member.alias === alias);
  return operation === undefined ? '' : snippetText(sdk, operation);
}

/** A complete, smallest program that calls one member. */
export function snippetText({ literals, opening }: TypeScriptSdk, operation: Operation): string {
  const { member, view } = operation;
  const call = callLines(view.name, literals.root(member.input, member.sample));
  return [opening, ...call, 'console.log(output);', ''].join('\n');
}

/** Reads the example's input; a field that the message does not have is a mistake of its user. */
export function strictInput(table: string): string {
  const head = `  const input = fromJson(${table}, json, {`;
  if (head.length <= 80) return `${head}\n    unknownFields: "reject",\n  });`;
  return `  const input = fromJson(\n    ${table},\n    json,\n    { unknownFields: "reject" },\n  );`;
}

/** A call whose argument is usually an object: on the line of the brackets if it fits, otherwise below them. */
function callLines(name: string, argument: Layout): string[] {
  const call = `await client.${name}(`;
  // A value that is no open object breaks as any other argument does.
  if (typeof argument === 'string') {
    const assign = argument === '{}' ? assignment : callAssignment;
    return [print([assign('const output', bracketed(call, [argument], ')')), ';'])];
  }
  const isBeside = `const output = ${call}`.length <= 80;
  const head = isBeside ? `const output = ${call}` : `  ${call}`;
  const body =
    head.length < 80 ? [head, argument, ');'] : [head, indent([hardline, argument, ',']), hardline, ');'];
  const text = print(isBeside ? body : indent(body));
  return isBeside ? [text] : ['const output =', text];
}
