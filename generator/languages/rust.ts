import type { FileView, Language } from '../language.ts';
import type { SdkModel } from '../model/sdk-model.ts';
import { callsView } from '../rust/calls-view.ts';
import { crateView } from '../rust/crate-view.ts';
import { exampleFile, exampleName } from '../rust/example-view.ts';
import { messagesView } from '../rust/messages-view.ts';
import { projectView } from '../rust/project-view.ts';
import { readmeFile } from '../rust/readme-view.ts';
import { callName, rustSdk } from '../rust/rust-sdk.ts';
import { testFiles } from '../rust/samples-view.ts';
import { snippet } from '../rust/snippet.ts';
import { rustTerms } from '../rust/terms.ts';

/** Rust of edition 2024: one crate over reqwest and tokio, structs with exact ProtoJSON (SDK.md, Per language). */
export const language: Language = {
  id: 'rust',
  archiveSuffix: 'rs',

  manifest(model) {
    const sdk = rustSdk(model);
    return {
      package: { name: sdk.names.package, import: sdk.names.crate },
      setup: 'cargo fetch --quiet',
      test: 'cargo test --quiet --lib',
      example: (member) =>
        callName(sdk, member) === undefined
          ? undefined
          : `cargo run --quiet --example ${exampleName(sdk, member.alias)} --`,
    };
  },

  runtimePath: (path) => path,

  files,

  snippet: (model, member) => snippet(rustSdk(model), member),

  terms: (model) => rustTerms(rustSdk(model)),
};

function files(model: SdkModel): FileView[] {
  const sdk = rustSdk(model);
  const calls = callsView(sdk);
  return [
    { path: 'Cargo.toml', template: 'Cargo.toml', view: projectView(sdk) },
    { path: 'src/lib.rs', template: 'src/lib.rs', view: crateView(sdk) },
    ...(sdk.callable.length > 0 ? [{ path: 'src/calls.rs', template: 'src/calls.rs', view: calls }] : []),
    { path: 'src/members.rs', template: 'src/members.rs', view: calls },
    { path: 'src/messages.rs', template: 'src/messages.rs', view: messagesView(sdk) },
    readmeFile(sdk),
    ...testFiles(sdk),
    ...sdk.callable.map((member) => exampleFile(sdk, member)),
  ];
}
