import type { NodeMember } from '../model/sdk-model.ts';
import { foldLines } from '../text/fold-lines.ts';
import { docstring } from './docstrings.ts';
import { call, printExpression } from './expressions.ts';
import { stringLiteral } from './literals.ts';
import type { PythonSdk } from './python-sdk.ts';

/** What `client.py` prints; every string is finished Python. */
export interface CallsView {
  docstring: string;
  asyncDocstring: string;
  /** `User-Agent` of the SDK, as a literal. */
  identity: string;
  calls: CallView[];
  /** Whether a call takes or gives a class of `messages.py`. */
  usesMessages: boolean;
}

interface CallView {
  name: string;
  /** Module constant that describes the call: `_TOKENIZE`. */
  constant: string;
  nameLiteral: string;
  path: string;
  inputCodec: string;
  outputCodec: string;
  input: string;
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

/** Path of a direct node call beneath the base URL (SPEC.md, Single node). */
export function callPath(member: NodeMember): string {
  const { pin } = member;
  const segments = [...pin.package.split('/'), pin.version, pin.node].map(encodeURIComponent);
  return `/invocations/v1/nodes/${segments.join('/')}`;
}

export function callsView(sdk: PythonSdk): CallsView {
  const { model, names } = sdk;
  const { name, description } = model.client;
  const calls = sdk.callable.map((member) => callView(sdk, member));
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
    identity: stringLiteral(`${names.distribution}/${model.semver} ${model.generator}`),
    calls,
    usesMessages: calls.some(({ input, output }) => `${input} ${output}`.includes('_messages.')),
  };
}

function callView({ names, texts }: PythonSdk, member: NodeMember): CallView {
  const name = names.calls.get(member.alias) ?? member.alias;
  const constant = `_${name.toUpperCase()}`;
  const input = texts.of(texts.ofRoot(member.input), '_messages.');
  const output = texts.of(texts.ofRoot(member.output), '_messages.');
  const send = call('self._send', [{ value: constant }, { value: 'message' }, { value: 'options' }]);
  const { pin } = member;
  return {
    name,
    constant,
    nameLiteral: stringLiteral(name),
    path: stringLiteral(callPath(member)),
    inputCodec: printExpression(input.codec, 4, 'input='.length, 1),
    outputCodec: printExpression(output.codec, 4, 'output='.length, 1),
    input: input.annotation,
    output: output.annotation,
    docstring: docstring(
      [member.comment, `Node ${quoted(pin.node)} of ${quoted(pin.package)}, version ${pin.version}.`],
      8,
    ),
    rawDocstring: docstring([`Call \`\`${name}\`\` and give the whole answer.`], 8),
    send: printExpression(send, 8, 'return '.length, 0),
    sendValue: printExpression(send, 8, 'return '.length, '.value'.length),
    sendAwait: printExpression(send, 8, 'return await '.length, 0),
    sendAnswer: printExpression(send, 8, 'answer = await '.length, 0),
    rawOutput: rawOutput(output.annotation),
  };
}

/** `RawResponse[Words]`, broken where ruff breaks a return annotation that is too long. */
function rawOutput(output: string): string {
  const flat = `RawResponse[${output}]`;
  const fits = '    ) -> :'.length + flat.length <= 88;
  return fits ? flat : `RawResponse[\n        ${output}\n    ]`;
}

/** Untrusted text within a sentence. */
function quoted(text: string): string {
  return `"${foldLines(text)}"`;
}
