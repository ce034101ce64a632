import type { FlowMember, SdkMember } from '../../model/sdk-model.ts';
import { foldLines } from '../../text/fold-lines.ts';
import { callPath } from '../../model/call-path.ts';
import { docstring } from './docstrings.ts';
import type { Expression, Item } from './expressions.ts';
import { call, printBroken, printExpression } from './expressions.ts';
import { fieldsName } from './fields-view.ts';
import { stringLiteral } from './literals.ts';
import type { PythonNames } from './plan-names.ts';
import type { PythonSdk } from './python-sdk.ts';
import type { TypeTexts } from './type-texts.ts';
import type { FieldType } from '../../../specs/messages/message-model.ts';

/** View of `client.py`; every string is finished Python. */
interface CallsView {
  docstring: string;
  asyncDocstring: string;
  /** `User-Agent` of the SDK, as a literal. */
  identity: string;
  calls: CallView[];
  hasNodes: boolean;
  hasFlows: boolean;
  /** Whether a call takes options alone. */
  usesOptions: boolean;
  /** Whether a call takes the fields of a message. */
  usesFields: boolean;
  /** Whether a call uses a class of `messages.py`. */
  usesMessages: boolean;
}

interface CallView {
  name: string;
  /** Definition of the module constant that describes the call: `_TOKENIZE: Final = Method(...)`. */
  definition: string;
  /** Set for a flow. */
  flow: FlowView | undefined;
  /** The positional parameter: `message: _messages.Word | None = None`. */
  parameter: string;
  /** Type of the keyword arguments. */
  keywords: string;
  output: string;
  docstring: string;
  rawDocstring: string;
  /** The same expression behind texts of different lengths: `return `, `return await ` ... */
  send: string;
  sendValue: string;
  sendAwait: string;
  sendAnswer: string;
  rawOutput: string;
}

/** The further methods of a flow, and how they do it. */
interface FlowView {
  startName: string;
  executionName: string;
  warmName: string;
  startDocstring: string;
  rawStartDocstring: string;
  executionDocstring: string;
  warmDocstring: string;
  rawWarmDocstring: string;
  /** Return types. */
  execution: string;
  asyncExecution: string;
  rawExecution: string;
  rawAsyncExecution: string;
  /** The same expression behind texts of different lengths. */
  start: string;
  startValue: string;
  startAwait: string;
  startAnswer: string;
  find: string;
  warm: string;
  warmAwait: string;
  rawWarm: string;
  rawWarmAwait: string;
}

const lineWidth = 88;
const indent = 4;

export function callsView(sdk: PythonSdk): CallsView {
  const { model, names, callable } = sdk;
  const calls = callable.map((member) => callView(sdk, member));
  const { name, description } = model.client;
  return {
    docstring: docstring(
      [`Calls the members of the client ${quoted(name)}; use it as a context manager.`, description],
      4,
    ),
    asyncDocstring: docstring(
      [
        `Calls the members of the client ${quoted(name)} from asyncio; use it as a context manager.`,
        description,
      ],
      4,
    ),
    identity: identityText(
      `${names.distribution}/${model.semver} (python; ${model.generator})`,
      calls.length > 0,
    ),
    calls,
    hasNodes: callable.some(({ type }) => type === 'node'),
    hasFlows: callable.some(({ type }) => type === 'flow'),
    usesMessages: calls.some(({ parameter, output }) => `${parameter} ${output}`.includes('_messages.')),
    usesOptions: calls.some(({ keywords, flow }) => flow !== undefined || keywords === 'CallOptions'),
    usesFields: calls.some(({ keywords }) => keywords.includes('_fields.')),
  };
}

/** The `User-Agent` of the SDK, as the value of its constant: in parentheses if the line would be too long. */
function identityText(text: string, annotated: boolean): string {
  const literal = stringLiteral(text);
  const head = annotated ? '_identity: Final = ' : '_identity = ';
  const breaks = head.length + literal.length > lineWidth && indent + literal.length <= lineWidth;
  return breaks ? `(\n    ${literal}\n)` : literal;
}

function callView({ names, texts }: PythonSdk, member: SdkMember): CallView {
  const name = names.calls.get(member.alias) ?? member.alias;
  const constant = `_${name.toUpperCase()}`;
  const inputType = texts.types.rootType(member.input);
  const input = texts.of(inputType, '_messages.');
  const isMessage = inputType.kind === 'message';
  const output = texts.of(texts.types.rootType(member.output), '_messages.');
  const argument = argumentName(texts, inputType);
  const send = sending(member.type === 'flow' ? 'self._run' : 'self._send', constant, argument);
  return {
    name,
    definition: definition(constant, member.type === 'flow' ? 'Flow(' : 'Method(', [
      { label: 'name=', value: stringLiteral(name) },
      member.type === 'flow'
        ? { label: 'graph_id=', value: stringLiteral(member.pin.graph) }
        : { label: 'path=', value: stringLiteral(callPath(member)) },
      { label: 'input=', value: input.codec },
      { label: 'output=', value: output.codec },
    ]),
    flow:
      member.type === 'flow'
        ? flowView(names, member, { constant, argument, output: output.annotation })
        : undefined,
    parameter: isMessage ? optionalParameter(argument, input.annotation) : `message: ${input.annotation}`,
    keywords: isMessage
      ? unpacked(`_fields.${fieldsName(texts.typeName(inputType.fullName))}`)
      : 'CallOptions',
    output: output.annotation,
    docstring: docstring([member.comment, pinSentence(member)], 8),
    rawDocstring: docstring([`Call \`\`${name}\`\` and return the whole response.`], 8),
    send: printExpression(send, 8, 'return '.length, 0),
    sendValue: printExpression(send, 8, 'return '.length, '.value'.length),
    sendAwait: printExpression(send, 8, 'return await '.length, 0),
    sendAnswer: printExpression(send, 8, 'answer = await '.length, 0),
    rawOutput: returned(['RawResponse'], output.annotation),
  };
}

/**
 * A constant of the module, an item a line. A name that leaves its call no room on the line gets parentheses around it, unless a
 * line between them would be too long.
 */
function definition(constant: string, open: string, items: Item[]): string {
  const head = `${constant}: Final = `;
  const flat = head + printBroken({ open, items, close: ')' }, 0);
  if (head.length + open.length <= lineWidth) return flat;
  const lines = `${head}(\n    ${printBroken({ open, items, close: ')' }, indent)}\n)`;
  return lines.split('\n').every((line) => line.length <= lineWidth) ? lines : flat;
}

/** `message: Word | None = None`, broken where ruff breaks it. */
function optionalParameter(name: string, annotation: string): string {
  const flat = `${name}: ${annotation} | None = None`;
  return 8 + flat.length + 1 <= lineWidth ? flat : `${name}: ${annotation}\n        | None = None`;
}

/** Name of the positional parameter, which type checkers hold apart from a field that is a keyword. */
function argumentName(texts: TypeTexts, type: FieldType): string {
  if (type.kind !== 'message') return 'message';
  const fields = texts.types.message(type.fullName).fields.map(({ name }) => name);
  return fields.some((name) => texts.fieldName(type.fullName, name) === 'message') ? 'message_' : 'message';
}

/** What stands between the brackets of `**given: Unpack[...]`, on a line of its own where ruff breaks them. */
function unpacked(type: string): string {
  const fits = 8 + `**given: Unpack[${type}],`.length <= lineWidth;
  return fits ? type : `\n            ${type}\n        `;
}

function flowView(
  names: PythonNames,
  member: FlowMember,
  { constant, argument, output }: { constant: string; argument: string; output: string },
): FlowView {
  const flowNames = names.flows.get(member.alias);
  const { start: startName = '', execution: executionName = '', warm: warmName = '' } = flowNames ?? {};
  const name = names.calls.get(member.alias) ?? '';
  const start = sending('self._start', constant, argument);
  const warm = call('self._warm', [{ value: constant }, { value: 'options' }]);
  const find = call('self._execution', [{ value: constant }, { value: 'execution_id' }]);
  return {
    startName,
    executionName,
    warmName,
    startDocstring: docstring([`Start a run of \`\`${name}\`\` and do not wait for it.`], 8),
    rawStartDocstring: docstring([`Call \`\`${startName}\`\` and return the whole response.`], 8),
    executionDocstring: docstring(
      [`Return a run of \`\`${name}\`\` by its id, even if another process started it.`],
      8,
    ),
    warmDocstring: docstring([`Prepare \`\`${name}\`\` for its next run.`], 8),
    rawWarmDocstring: docstring([`Call \`\`${warmName}\`\` and return the whole response.`], 8),
    execution: returned(['Execution'], output),
    asyncExecution: returned(['AsyncExecution'], output),
    rawExecution: returned(['RawResponse', 'Execution'], output),
    rawAsyncExecution: returned(['RawResponse', 'AsyncExecution'], output),
    start: printExpression(start, 8, 'return '.length, 0),
    startValue: printExpression(start, 8, 'return '.length, '.value'.length),
    startAwait: printExpression(start, 8, 'return await '.length, 0),
    startAnswer: printExpression(start, 8, 'answer = await '.length, 0),
    find: printExpression(find, 8, 'return '.length, 0),
    warm: printExpression(warm, 8, 0, 0),
    warmAwait: printExpression(warm, 8, 'await '.length, 0),
    rawWarm: printExpression(warm, 8, 'return '.length, 0),
    rawWarmAwait: printExpression(warm, 8, 'return await '.length, 0),
  };
}

function sending(method: string, constant: string, argument: string): Expression {
  return call(method, [{ value: constant }, { value: argument }, { value: 'given' }]);
}

function pinSentence(member: SdkMember): string {
  if (member.type === 'flow') return `Runs the flow ${quoted(member.pin.artifact)} and waits for its output.`;
  const { pin } = member;
  return `Node ${quoted(pin.node)} of ${quoted(pin.package)}, version ${pin.version}.`;
}

/** `RawResponse[Words]`, broken where ruff breaks a return annotation that is too long. */
function returned(generics: readonly string[], output: string, margin = '    ', isOutermost = true): string {
  const [outer, ...inner] = generics;
  if (outer === undefined) return output;
  const flat = `${generics.join('[')}[${output}${']'.repeat(generics.length)}`;
  const around = isOutermost ? `${margin}) -> :` : margin;
  if (around.length + flat.length <= 88) return flat;
  const deeper = `${margin}    `;
  return `${outer}[\n${deeper}${returned(inner, output, deeper, false)}\n${margin}]`;
}

/** Untrusted text within a sentence. */
function quoted(text: string): string {
  return `"${foldLines(text)}"`;
}
