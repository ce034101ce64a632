import { bracketed } from '../../layout/bracketed.ts';
import { describePin } from '../../documents/describe-pin.ts';
import { markdownBlock, markdownCode, markdownParagraphs, markdownText } from '../../text/markdown.ts';
import { inOrderAdded } from '../../model/in-order-added.ts';
import { pascalCase } from '../../names/words.ts';
import { importNames } from './imports.ts';
import { assignment, callAssignment, chainAssignment, indented, print } from './layout.ts';
import type { NodeStreamSymbols } from './names.ts';
import type { Operation } from './operations-view.ts';
import { eachOutput, outputStatement, snippetText } from './programs.ts';
import type { ProgramTerms } from './program-opening.ts';
import type { TypeScriptSdk } from './typescript-sdk.ts';

/** Returns the view of `README.md`. */
export function readmeView(sdk: TypeScriptSdk): object {
  const { model, names, operations, program } = sdk;
  const added = inOrderAdded(model).flatMap((added) => operations.filter(({ member }) => member === added));
  const [first] = added;
  const unary = added.find(({ type }) => type !== 'stream');
  return {
    title: markdownText(model.client.name),
    paragraphs: markdownParagraphs(model.client.description),
    packageName: program.packageName,
    semver: model.semver,
    className: names.client,
    withOptions: unary === undefined ? '' : optionsBlock(unary),
    caught: unary === undefined ? '' : errorBlock(unary, program.packageName),
    withResponse: unary === undefined ? '' : responseBlock(unary),
    standalone: unary === undefined ? '' : functionBlock(unary, program),
    firstCall: first === undefined ? '' : markdownBlock(snippetText(sdk, first), 'ts'),
    calls: operations.map((operation) => callView(sdk, operation)),
    clientImport: importNames([names.client], program.packageName) ?? '',
    flow: flowBlocks(
      added.find(({ type }) => type === 'flow'),
      program.packageName,
    ),
    ...streamBlocks(added),
  };
}

function callView(sdk: TypeScriptSdk, operation: Operation): object {
  const { member, view } = operation;
  return {
    heading: markdownCode(view.name),
    paragraphs: markdownParagraphs(member.comment),
    facts:
      member.type === 'flow'
        ? `Runs ${describePin(member)}.`
        : `Alias ${markdownCode(member.alias)}, runs ${describePin(member)}.`,
    snippet: markdownBlock(snippetText(sdk, operation), 'ts'),
  };
}

/** Shows how a run is started, followed and found again, and how its flow is warmed. */
function flowBlocks(operation: Operation | undefined, packageName: string): object | undefined {
  if (operation?.type !== 'flow') return undefined;
  const { start, execution, warm } = operation.names;
  const handle = print([
    callAssignment('const execution', bracketed(`client.${execution}(`, ['id'], ')')),
    ';',
  ]);
  const started = [
    print([
      callAssignment('const execution', ['await ', bracketed(`client.${start}(`, ['input'], ')')]),
      ';',
    ]),
    'console.log(execution.id);',
    'const output = await execution.wait();',
    'for await (const event of execution.events())',
    '  console.log(event.type, event.nodeName);',
  ];
  const followed = [
    handle,
    'for await (const event of execution.follow()) {',
    '  console.log(event.timestampMs, event.type, event.nodeName, event.output);',
    '}',
  ];
  const found = [
    handle,
    'const { status, errorMessage, failedNodeName } = await execution.get();',
    'console.log(status, errorMessage, failedNodeName);',
  ];
  return {
    started: markdownBlock(started.join('\n'), 'ts'),
    followed: markdownBlock(followed.join('\n'), 'ts'),
    found: markdownBlock(found.join('\n'), 'ts'),
    resumed: markdownBlock(
      [
        importNames(['FlowPausedError'], packageName) ?? '',
        '',
        handle,
        'try {',
        '  const output = await execution.wait();',
        '  console.log(output);',
        '} catch (error) {',
        '  if (!(error instanceof FlowPausedError)) throw error;',
        '  const pauses = await execution.pauses();',
        '  console.log(pauses.at(-1)?.question);',
        '  // The fields of the message that decisionType names.',
        '  const decision = { "<field>": "<value>" };',
        '  const resumed = await execution.resume(error.pauseId, decision, {',
        '    resumedBy: "ann@example.com",',
        '  });',
        '  console.log(resumed.alreadyResumed, await execution.wait());',
        '}',
      ].join('\n'),
      'ts',
    ),
    warmed: markdownBlock(print(['await ', `client.${warm}();`]), 'ts'),
  };
}

/** Shows how streams are read, and how a pipeline node accepts streamed input. */
function streamBlocks(operations: readonly Operation[]): object {
  const streams = operations.filter((operation) => operation.type === 'stream');
  const [stream] = streams;
  if (stream === undefined) return {};
  const read = [
    print(outputStatement(stream)),
    `${eachOutput} {`,
    '  console.log(outputs.executionId, output);',
    '  if (isEnough(output)) break;',
    '}',
  ];
  const node = streams.find(({ names }) => names.node !== undefined)?.names.node;
  return { stream: markdownBlock(read.join('\n'), 'ts'), ...(node && nodeStreamBlocks(node)) };
}

/** Streamed input in one request, in a split stream, and in a live session. */
function nodeStreamBlocks(names: NodeStreamSymbols): object {
  const called = (target: string, name: string, argument?: string): string =>
    print([
      callAssignment(`const ${target}`, bracketed(`${name}(`, argument === undefined ? [] : [argument], ')')),
      ';',
    ]);
  const upload = [
    'async function* inputs() {',
    '  for await (const input of source) yield input;',
    '}',
    called('outputs', `client.${names.upload}`, 'inputs()'),
    `${eachOutput} console.log(output);`,
  ];
  const split = [
    called('stream', `await client.${names.create}`),
    'console.log(stream.id);',
    'const { executionId, inputFrames } = await stream.upload(source);',
    'console.log(executionId, inputFrames);',
  ];
  const reader = [
    print([
      chainAssignment('const outputs', 'client', [bracketed(`.${names.stream}(`, ['id'], ')'), '.output()']),
      ';',
    ]),
    `${eachOutput} console.log(output);`,
  ];
  const live = [
    called('session', `await client.${names.open}`),
    'await session.send(input);',
    'for await (const output of session) {',
    '  console.log(output);',
    '  if (isEnough(output)) break;',
    '  await session.send(input);',
    '}',
  ];
  const block = (lines: readonly string[]): string => markdownBlock(lines.join('\n'), 'ts');
  return { upload: block(upload), split: block(split), reader: block(reader), live: block(live) };
}

/** Returns a call with its own options. */
function optionsBlock({ view }: Operation): string {
  const call = bracketed(`client.${view.name}(`, ['input', 'options'], ')');
  const lines = [
    'const options = { timeoutMs: 10_000, maxRetries: 5 };',
    print([assignment('const output', ['await ', call]), ';']),
  ];
  return markdownBlock(lines.join('\n'), 'ts');
}

/** Returns a call whose error is caught if it has a certain status. */
function errorBlock(operation: Operation, packageName: string): string {
  const lines = [
    importNames(['StatusError'], packageName) ?? '',
    '',
    'try {',
    print(indented(1, outputStatement(operation))),
    '  console.log(output);',
    '} catch (error) {',
    '  if (!(error instanceof StatusError)) throw error;',
    '  console.log(error.status, error.code, error.message);',
    '}',
  ];
  return markdownBlock(lines.join('\n'), 'ts');
}

function responseBlock({ view }: Operation): string {
  const call = print([callAssignment('const call', bracketed(`client.${view.name}(`, ['input'], ')')), ';']);
  const rest = [
    'const { value, response } = await call.withResponse();',
    'console.log(response.status, response.headers, response.attempts, value);',
  ];
  return markdownBlock([call, ...rest].join('\n'), 'ts');
}

/** Variables of {@link functionBlock}, which would hide a function of the same name. */
const functionVariables: ReadonlySet<string> = new Set(['input', 'options', 'output']);

function functionBlock({ view }: Operation, { packageName, options }: ProgramTerms): string {
  const isHidden = functionVariables.has(view.name);
  const callee = isHidden ? `call${pascalCase(view.name)}` : view.name;
  const lines = [
    importNames(['connect', isHidden ? `${view.name} as ${callee}` : callee], packageName) ?? '',
    '',
    ...(options === undefined
      ? ['const connection = connect();']
      : [options, 'const connection = connect(options);']),
    print([
      assignment('const output', ['await ', bracketed(`${callee}(`, ['connection', 'input'], ')')]),
      ';',
    ]),
  ];
  return markdownBlock(lines.join('\n'), 'ts');
}
