import type { FileView, Language, SdkPlan } from '../../language.ts';
import { callsView } from './calls-view.ts';
import { crateView, httpView } from './crate-view.ts';
import { exampleFile, exampleName } from './example-view.ts';
import { messagesView } from './messages-view.ts';
import { projectView } from './project-view.ts';
import { readmeFile } from './readme-view.ts';
import { rustSdk } from './rust-sdk.ts';
import type { RustSdk } from './rust-sdk.ts';
import { testFiles } from './samples-view.ts';
import { snippet } from './snippet.ts';
import { rustTerms } from './terms.ts';

/** Rust of edition 2024: one crate over reqwest and tokio, structs with exact ProtoJSON. */
export const language: Language = {
  id: 'rust',
  archiveSuffix: 'rs',

  plan: (model) => planOf(rustSdk(model)),
};

function planOf(sdk: RustSdk): SdkPlan {
  return {
    manifest: {
      package: { name: sdk.names.package, import: sdk.names.crate },
      setup: 'cargo fetch --quiet',
      test: 'cargo test --quiet --lib',
      example: (member) => `cargo run --quiet --example ${exampleName(sdk, member.alias)} --`,
    },
    terms: rustTerms(sdk),
    files: () => files(sdk),
    runtimePath: (path) => path,
    snippet: (member) => snippet(sdk, member),
  };
}

function files(sdk: RustSdk): FileView[] {
  const calls = callsView(sdk);
  return [
    { path: 'Cargo.toml', template: 'Cargo.toml', view: projectView(sdk) },
    { path: 'src/lib.rs', template: 'src/lib.rs', view: crateView(sdk) },
    { path: 'src/http.rs', template: 'src/http.rs', view: httpView(sdk) },
    ...(sdk.model.members.length > 0
      ? [{ path: 'src/calls.rs', template: 'src/calls.rs', view: calls }]
      : []),
    { path: 'src/members.rs', template: 'src/members.rs', view: calls },
    { path: 'src/messages.rs', template: 'src/messages.rs', view: messagesView(sdk) },
    readmeFile(sdk),
    ...testFiles(sdk),
    ...sdk.model.members.map((member) => exampleFile(sdk, member)),
  ];
}
