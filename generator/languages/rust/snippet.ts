import type { SdkMember } from '../../model/sdk-model.ts';
import { callName } from '../../names/call-name.ts';
import { printAwait, printChain, printLoop, printUse } from './lines.ts';
import type { RustSdk } from './rust-sdk.ts';

/** The info string of a block that `cargo test` compiles but does not run. */
export const compiled = 'rust,no_run';

/** Returns the smallest program that calls a member. */
export function snippet(sdk: RustSdk, member: SdkMember): string {
  const name = callName(sdk, member);
  const { statements, value, imports } = sdk.samples.of(member);
  return [
    printUse(sdk.names.crate, ['Client', 'Error', ...imports]),
    '',
    '#[tokio::main]',
    'async fn main() -> Result<(), Error> {',
    '    let client = Client::new()?;',
    ...statements,
    printChain(value, 'let input = ', ';'),
    ...(member.mode === 'pipeline'
      ? [printLoop(`${name}(&input)`, '"{:?}", output?')]
      : [printAwait(`${name}(&input)`), '    println!("{output:?}");']),
    '    Ok(())',
    '}',
    '',
  ].join('\n');
}
