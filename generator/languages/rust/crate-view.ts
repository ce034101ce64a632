import { docComment, prose } from './doc-comment.ts';
import { printText } from './lines.ts';
import type { RustSdk } from './rust-sdk.ts';

/** `lib.rs`: what a program imports. */
export function crateView({ model, names, callable }: RustSdk): object {
  const { name, description } = model.client;
  const [title = 'svc'] = prose(name);
  return {
    doc: docComment(
      [
        `Rust SDK of ${title}.`,
        ...prose(description),
        'A [`Client`] calls the service; its methods take and give the [`messages`].',
      ],
      0,
      '//!',
    ),
    hasCalls: callable.length > 0,
    identity: printText('IDENTITY', `${names.package}/${model.semver} (rust; ${model.generator})`),
  };
}
