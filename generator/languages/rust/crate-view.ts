import { markdownBlock } from '../../text/markdown.ts';
import { inOrderAdded } from '../../model/in-order-added.ts';
import { docComment, prose } from './doc-comment.ts';
import { fakeTransport } from './fake-transport.ts';
import { printText } from './lines.ts';
import type { RustSdk } from './rust-sdk.ts';
import { compiled } from './program.ts';
import { snippet } from './snippet.ts';

/** Returns the view of `lib.rs`: an overview, then what a program imports. */
export function crateView(sdk: RustSdk): object {
  const { model, names } = sdk;
  const { name, description } = model.client;
  const [title = 'svc'] = prose(name);
  return {
    doc: docComment([`Rust SDK of ${title}.`, ...prose(description)], 0, '//!'),
    example: model.members.length > 0 ? exampleLines(sdk) : [],
    hasCalls: model.members.length > 0,
    identity: printText('IDENTITY', `${names.package}/${model.semver} (rust; ${model.generator})`),
  };
}

/** Returns the first call of the README, as lines of a documentation comment. */
function exampleLines(sdk: RustSdk): string[] {
  const [first] = inOrderAdded(sdk.model);
  if (first === undefined) return [];
  return compiledLines(snippet(sdk, first));
}

/** Returns the view of `http.rs`: an example transport for tests, then the parts that transports consist of. */
export function httpView({ names }: RustSdk): object {
  return { fake: compiledLines(fakeTransport(names.crate)) };
}

/** Returns a program as lines of a documentation comment. */
function compiledLines(program: string): string[] {
  return markdownBlock(program, compiled)
    .trimEnd()
    .split('\n')
    .map((line) => `//! ${line}`.trimEnd());
}
