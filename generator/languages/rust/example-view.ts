import type { FileView } from '../../language.ts';
import type { SdkMember } from '../../model/sdk-model.ts';
import { callName } from '../../names/call-name.ts';
import { docComment } from './doc-comment.ts';
import { printAwait, printChain, printLoop, printUse } from './lines.ts';
import { bareName } from './reserved-names.ts';
import type { RustSdk } from './rust-sdk.ts';

/** Returns the name of a member's program, as `cargo run --example` accepts it. */
export function exampleName({ names }: RustSdk, alias: string): string {
  return names.examples.get(alias) ?? 'call';
}

/** Returns the program in `examples/` that calls one member. */
export function exampleFile(sdk: RustSdk, member: SdkMember): FileView {
  const name = callName(sdk, member);
  const { statements, value, imports } = sdk.samples.of(member);
  const input = sdk.texts.of(sdk.texts.types.rootType(member.input), 'messages::');
  const module = /^(messages|types)::/.exec(input)?.[1];
  const used = module === undefined ? imports : [...imports, module];
  return {
    path: `examples/${exampleName(sdk, member.alias)}.rs`,
    template: 'examples/example.rs',
    view: {
      imports: printUse(sdk.names.crate, ['Client', 'Error', 'json', ...used]),
      doc: docComment(
        [
          `Calls \`${bareName(name)}\` once and prints the output.`,
          'The first argument is the input as ProtoJSON; without it, the program sends a sample. `SVC_API_KEY` contains the key, `SVC_BASE_URL` the address of the service.',
        ],
        0,
        '//!',
      ),
      call:
        member.mode === 'pipeline'
          ? printLoop(`${name}(&input)`, '"{}", json::to_string(&output?)?')
          : `${printAwait(`${name}(&input)`)}\n    println!("{}", json::to_string(&output)?);`,
      input,
      statements,
      sample: printChain(value, '', ''),
    },
  };
}
