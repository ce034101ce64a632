import type { FileView } from '../language.ts';
import type { SdkMember } from '../model/sdk-model.ts';
import type { Expression } from './expressions.ts';
import { call, printExpression } from './expressions.ts';
import { importLine } from './import-line.ts';
import type { PythonSdk } from './python-sdk.ts';
import { callName } from './python-sdk.ts';
import { docstring } from './docstrings.ts';

/** Place of a member's program in the archive. */
export function examplePath({ names }: PythonSdk, alias: string): string {
  return `examples/${names.examples.get(alias) ?? 'call'}.py`;
}

/** The program in `examples/` that calls one member, whatever module it imports. */
export interface Example {
  path: string;
  /** What it imports from the module, and whether that is its codecs too. */
  imports: string[];
  usesCodecs: boolean;
  /** What else its template prints; every string is finished Python. */
  program: object;
}

/** The program as a file of the archive (SDK.md, The archive). */
export function exampleFile(module: string, { path, imports, usesCodecs, program }: Example): FileView {
  return {
    path,
    template: 'examples/example.py',
    view: {
      ...program,
      imports: importLine(module, imports),
      codecImport: usesCodecs ? importLine(module, ['_protojson as _json']) : '',
    },
  };
}

export function exampleOf(sdk: PythonSdk, member: SdkMember): Example {
  const name = callName(sdk, member) ?? '';
  const sample = sdk.samples.ofRoot(member.input, member.sample);
  const input = root(sdk, member.input);
  const output = root(sdk, member.output);
  const read = input.className
    ? call(`${input.className}.from_json`, [{ value: 'arguments[0]' }])
    : call(`${input.codec}.decode`, [{ value: '_json.parse_json(arguments[0])' }]);
  const write = output.className ? 'answer.to_json()' : `_json.print_json(${output.codec}.encode(answer))`;
  const imports = ['Client', 'SvcError', ...sample.imports];
  if (input.className) imports.push('messages');
  return {
    path: examplePath(sdk, member.alias),
    imports,
    usesCodecs: !input.className || !output.className,
    program: {
      docstring: docstring(
        [
          `Calls \`\`${name}\`\` once and prints the answer.`,
          'The input is the first argument, as ProtoJSON, or a sample without one. The key is taken from SVC_API_KEY, the address of the service from SVC_BASE_URL.',
        ],
        0,
      ),
      input: input.annotation,
      read: statement(read, 8, 'return '),
      sample: statement(sample.expression, 4, 'return '),
      call: statement(call(`client.${name}`, [{ value: 'message' }]), 12, 'answer = '),
      write,
    },
  };
}

/** A message by its class, a well-known type by its codec. */
function root(
  { texts }: PythonSdk,
  fullName: string,
): { className: string; annotation: string; codec: string } {
  const type = texts.types.rootType(fullName);
  const { annotation, codec } = texts.of(type, 'messages.');
  const className = type.kind === 'message' ? annotation : '';
  return { className, annotation, codec: typeof codec === 'string' ? codec : '' };
}

function statement(expression: Expression, indent: number, before: string): string {
  return printExpression(expression, indent, before.length, 0);
}
