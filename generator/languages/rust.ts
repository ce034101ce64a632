import type { FileView, Language, SdkPlan } from '../language.ts';
import { callsView } from '../rust/calls-view.ts';
import { crateView } from '../rust/crate-view.ts';
import { exampleFile, exampleName } from '../rust/example-view.ts';
import { messagesView } from '../rust/messages-view.ts';
import { projectView } from '../rust/project-view.ts';
import { readmeFile } from '../rust/readme-view.ts';
import { callName, rustSdk } from '../rust/rust-sdk.ts';
import type { RustSdk } from '../rust/rust-sdk.ts';
import { testFiles } from '../rust/samples-view.ts';
import { snippet } from '../rust/snippet.ts';
import { rustTerms } from '../rust/terms.ts';

/** Rust of edition 2024: one crate over reqwest and tokio, structs with exact ProtoJSON (SDK.md, Per language). */
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
      example: (member) =>
        callName(sdk, member) === undefined
          ? undefined
          : `cargo run --quiet --example ${exampleName(sdk, member.alias)} --`,
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
    ...(sdk.callable.length > 0 ? [{ path: 'src/calls.rs', template: 'src/calls.rs', view: calls }] : []),
    { path: 'src/members.rs', template: 'src/members.rs', view: calls },
    { path: 'src/messages.rs', template: 'src/messages.rs', view: messagesView(sdk) },
    readmeFile(sdk),
    ...testFiles(sdk),
    ...sdk.callable.map((member) => exampleFile(sdk, member)),
  ];
}
