import type { SdkMember } from '../../model/sdk-model.ts';
import { printChain, printUse } from './lines.ts';
import type { RustSdk } from './rust-sdk.ts';

/** The info string of a block that `cargo test` compiles but does not run. */
export const compiled = 'rust,no_run';

/** What a program contains besides its body. */
export interface ProgramHead {
  /** Names from the crate, besides `Client`, `Error` and those of the sample. */
  uses?: readonly string[];
  /** Path of a name from the standard library: `std::time::Duration`. */
  std?: string;
  /** Path of a name from a dependency: `serde_json::json`. */
  dependency?: string;
  /** Its sample is the variable `input`. */
  member?: SdkMember;
}

/** Returns a complete program: it creates a `client`, and then runs `body`, the indented lines of `main`. */
export function program(sdk: RustSdk, head: ProgramHead, body: readonly string[]): string {
  const { uses = [], std, dependency, member } = head;
  const sample = member && sdk.samples.of(member);
  return [
    ...(std === undefined ? [] : [`use ${std};`, '']),
    printUse(sdk.names.crate, ['Client', 'Error', ...uses, ...(sample?.imports ?? [])]),
    ...(dependency === undefined ? [] : [`use ${dependency};`]),
    '',
    '#[tokio::main]',
    'async fn main() -> Result<(), Error> {',
    '    let client = Client::new()?;',
    ...(sample === undefined ? [] : [...sample.statements, printChain(sample.value, 'let input = ', ';')]),
    ...body,
    '    Ok(())',
    '}',
    '',
  ].join('\n');
}
