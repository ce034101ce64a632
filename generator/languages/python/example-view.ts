import type { FileView } from '../../language.ts';
import type { SdkMember } from '../../model/sdk-model.ts';
import { callName } from '../../names/call-name.ts';
import type { Expression } from './expressions.ts';
import { call, printAssigned, printReturned } from './expressions.ts';
import { importLine } from './import-line.ts';
import { returnedName } from './signature-lines.ts';
import type { PythonSdk } from './python-sdk.ts';
import { docstring } from './docstrings.ts';

/** Well-known types whose Python values are the ones that the module `json` reads and prints. */
const plainJson: ReadonlySet<string> = new Set([
  ...['BoolValue', 'DoubleValue', 'FloatValue', 'StringValue'],
  ...['Int32Value', 'Int64Value', 'UInt32Value', 'UInt64Value'],
  ...['Any', 'ListValue', 'Struct', 'Value'],
]);

/** How an example reads an input and prints an output. */
interface Root {
  annotation: string;
  /** Names of the package's top level in the annotation. */
  imports: string[];
  /** Absent if the program takes no input. */
  read?: Expression;
  write: string;
  isPlainJson: boolean;
}

/** Returns the place of a member's program in the archive. */
export function examplePath({ names }: PythonSdk, alias: string): string {
  return `examples/${names.examples.get(alias) ?? 'call'}.py`;
}

/** Returns the program in `examples/` that calls one member. */
export function exampleFile(sdk: PythonSdk, member: SdkMember): FileView {
  const { module } = sdk.names;
  const name = callName(sdk, member);
  const sample = sdk.samples.ofRoot(member.input, member.sample);
  const called = call(`client.${name}`, [{ value: 'message' }]);
  const input = root(sdk, member.input);
  const output = root(sdk, member.output);
  const imports = ['Client', 'SvcError', ...sample.imports, ...(input.read ? input.imports : [])];
  const takes = input.read
    ? `The first argument is the input as ${input.isPlainJson ? 'JSON' : 'ProtoJSON'}; without it, the program sends a sample.`
    : 'The program sends a sample.';
  return {
    path: examplePath(sdk, member.alias),
    template: 'examples/example.py',
    view: {
      times: sample.times.length > 0 && importLine('datetime', sample.times),
      imports: importLine(module, imports),
      usesJson: input.isPlainJson || output.isPlainJson,
      docstring: docstring(
        [
          `Calls \`\`${name}\`\` once and prints the output.`,
          `${takes} SVC_API_KEY contains the key, SVC_BASE_URL the address of the service.`,
        ],
        0,
      ),
      input: returnedName(input.annotation, ''),
      read:
        input.read &&
        (input.isPlainJson
          ? printAssigned(`given: ${input.annotation}`, input.read, 8)
          : printReturned(input.read, 8)),
      isPlainJson: input.isPlainJson,
      sample: input.read
        ? printReturned(sample.expression, 4)
        : printAssigned('message', sample.expression, 8),
      failures: input.isPlainJson ? '(SvcError, ValueError)' : 'SvcError',
      call: printAssigned('output', called, 12),
      write: output.write,
      isStream: member.mode === 'pipeline',
      stream: printAssigned('stream', called, 12),
    },
  };
}

/**
 * Returns how an example reads an input and prints an output. A message is read and printed by its class, and a type
 * whose values are plain JSON by the module `json`. An input of another type is not read.
 */
function root({ texts }: PythonSdk, fullName: string): Root {
  const type = texts.types.rootType(fullName);
  const qualified = texts.of(type, 'messages.').annotation;
  const annotation = qualified.replaceAll('_json.', '');
  const imports = [...qualified.matchAll(/_json\.(\w+)/g)].map(([, name = '']) => name);
  if (annotation.startsWith('messages.')) imports.push('messages');
  const named = { annotation, imports, isPlainJson: false };
  if (type.kind === 'message' || annotation === 'Empty') {
    const argumentsRead = [{ value: 'arguments[0]' }, { label: 'strict=', value: 'True' }];
    return { ...named, read: call(`${annotation}.from_json`, argumentsRead), write: 'output.to_json()' };
  }
  if (type.kind !== 'wellKnown' || !plainJson.has(type.wellKnown)) return { ...named, write: 'output' };
  const read = call('json.loads', [{ value: 'arguments[0]' }]);
  return { ...named, read, write: 'json.dumps(output)', isPlainJson: true };
}
