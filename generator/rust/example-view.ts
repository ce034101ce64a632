import type { FileView } from '../language.ts';
import type { SdkMember } from '../model/sdk-model.ts';
import { createMemory } from '../remember.ts';
import { docComment } from './doc-comment.ts';
import { printAwait, printChain, printUse } from './lines.ts';
import { bareName } from './reserved-names.ts';
import type { RustSdk } from './rust-sdk.ts';
import { callName } from './rust-sdk.ts';

/** Name of a member's program, as `cargo run --example` takes it. */
export function exampleName({ names }: RustSdk, alias: string): string {
  return names.examples.get(alias) ?? 'call';
}

/** The program in `examples/` that calls one member (SDK.md, The archive). */
export function exampleFile(sdk: RustSdk, member: SdkMember): FileView {
  const { crate } = sdk.names;
  const example = examples.recall(sdk.printedAs(member), '', () => exampleOf(sdk, member));
  return files.recall(example, crate, () => ({
    path: example.path,
    template: 'examples/example.rs',
    view: { ...example.program, imports: printUse(crate, example.imports) },
  }));
}

/** The program in whatever crate. */
interface Example {
  path: string;
  /** What it imports from the crate. */
  imports: string[];
  program: object;
}

const examples = createMemory<object, Example>();

/** By the name of the crate. */
const files = createMemory<Example, FileView>();

function exampleOf(sdk: RustSdk, member: SdkMember): Example {
  const name = callName(sdk, member) ?? '';
  const { statements, value, imports } = sdk.samples.of(member);
  const input = sdk.texts.of(sdk.texts.types.rootType(member.input), 'messages::');
  const module = /^(messages|types)::/.exec(input)?.[1];
  const used = module === undefined ? imports : [...imports, module];
  return {
    path: `examples/${exampleName(sdk, member.alias)}.rs`,
    imports: ['Client', 'Error', 'json', ...used],
    program: {
      doc: docComment(
        [
          `Calls \`${bareName(name)}\` once and prints the answer.`,
          'The input is the first argument, as ProtoJSON, or a sample without one. The key is taken from `SVC_API_KEY`, the address of the service from `SVC_BASE_URL`.',
        ],
        0,
        '//!',
      ),
      call: printAwait(`${name}(&input)`),
      input,
      statements,
      sample: printChain(value, '', ''),
    },
  };
}
