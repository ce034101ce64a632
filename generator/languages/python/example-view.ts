import type { FileView } from '../../language.ts';
import type { SdkMember } from '../../model/sdk-model.ts';
import { callName } from '../../names/call-name.ts';
import type { Expression } from './expressions.ts';
import { call, printExpression } from './expressions.ts';
import { importLine } from './import-line.ts';
import type { PythonSdk } from './python-sdk.ts';
import { docstring } from './docstrings.ts';

/** Place of a member's program in the archive. */
export function examplePath({ names }: PythonSdk, alias: string): string {
  return `examples/${names.examples.get(alias) ?? 'call'}.py`;
}

/** The program in `examples/` that calls one member. */
export function exampleFile(sdk: PythonSdk, member: SdkMember): FileView {
  const { module } = sdk.names;
  const name = callName(sdk, member) ?? '';
  const sample = sdk.samples.ofRoot(member.input, member.sample);
  const input = root(sdk, member.input);
  const output = root(sdk, member.output);
  const read = input.className
    ? call(`${input.className}.from_json`, [{ value: 'arguments[0]' }, { label: 'strict=', value: 'True' }])
    : call(`${input.codec}.decode`, [{ value: '_json.parse_json(arguments[0])' }]);
  const write = output.className ? 'output.to_json()' : `_json.print_json(${output.codec}.encode(output))`;
  const imports = ['Client', 'SvcError', ...sample.imports];
  if (input.className.startsWith('messages.')) imports.push('messages');
  return {
    path: examplePath(sdk, member.alias),
    template: 'examples/example.py',
    view: {
      imports: importLine(module, imports),
      // Only well-known types that are no messages need a codec.
      codecImport: input.className && output.className ? '' : importLine(module, ['_protojson as _json']),
      docstring: docstring(
        [
          `Calls \`\`${name}\`\` once and prints the output.`,
          'The first argument is the input as ProtoJSON; without it, the program sends a sample. SVC_API_KEY contains the key, SVC_BASE_URL the address of the service.',
        ],
        0,
      ),
      input: input.annotation,
      read: statement(read, 8, 'return '),
      sample: statement(sample.expression, 4, 'return '),
      call: statement(call(`client.${name}`, [{ value: 'message' }]), 12, 'output = '),
      write,
      isStream: member.mode === 'pipeline',
      stream: statement(call(`client.${name}`, [{ value: 'message' }]), 12, 'stream = '),
    },
  };
}

/** A message by its class, another well-known type by its codec. */
function root(
  { texts }: PythonSdk,
  fullName: string,
): { className: string; annotation: string; codec: string } {
  const type = texts.types.rootType(fullName);
  const { annotation, codec } = texts.of(type, 'messages.');
  const isEmpty = type.kind === 'wellKnown' && type.wellKnown === 'Empty';
  const className = type.kind === 'message' || isEmpty ? annotation : '';
  return { className, annotation, codec: typeof codec === 'string' ? codec : '' };
}

function statement(expression: Expression, indent: number, before: string): string {
  return printExpression(expression, indent, before.length, 0);
}
