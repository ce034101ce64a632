import { readmeView } from '../../documents/readme-view.ts';
import type { FileView } from '../../language.ts';
import { markdownBlock } from '../../text/markdown.ts';
import { shownMembers } from '../../model/shown-members.ts';
import type { SdkMember } from '../../model/sdk-model.ts';
import { callName } from '../../names/call-name.ts';
import { exampleName } from './example-view.ts';
import { fakeTransport } from './fake-transport.ts';
import { bareName } from './reserved-names.ts';
import type { RustSdk } from './rust-sdk.ts';
import { printAwait, printChain, printLoop } from './lines.ts';
import { compiled, program, type ProgramHead } from './program.ts';
import { snippet } from './snippet.ts';

/** Returns `README.md`: from the installation to a call of every member. */
export function readmeFile(sdk: RustSdk): FileView {
  const { model, names } = sdk;
  const { unary, flow, stream, upload } = shownMembers(model);
  return {
    path: 'README.md',
    template: 'README.md',
    view: {
      ...readmeView(model, {
        fence: compiled,
        heading: (member) => bareName(callName(sdk, member)),
        snippet: (member) => snippet(sdk, member),
        example: ({ alias }) => exampleName(sdk, alias),
      }),
      package: names.package,
      crate: names.crate,
      wholeResponse: unary ? wholeResponse(sdk, unary) : '',
      flow: flow ? flowSnippet(sdk, flow) : '',
      execution: flow && names.flows.get(flow.alias)?.execution,
      follow: flow ? followSnippet(sdk, flow) : '',
      stream: stream && callName(sdk, stream),
      upload: upload ? uploadSnippet(sdk, upload) : '',
      pause: flow ? pauseSnippet(sdk, flow) : '',
      inbox: flow ? inboxSnippet(sdk) : '',
      find: upload && names.sessions.get(upload.alias)?.find,
      split: upload ? splitSnippet(sdk, upload) : '',
      fake: markdownBlock(fakeTransport(names.crate), compiled),
      live: upload ? liveSnippet(sdk, upload) : '',
    },
  };
}

/** Returns a call with options that shows everything in the response besides the output. */
function wholeResponse(sdk: RustSdk, member: SdkMember): string {
  return programBlock(sdk, { uses: ['ErrorKind'], std: 'std::time::Duration', member }, [
    `    let call = client.${callName(sdk, member)}(&input);`,
    '    let response = call.timeout(Duration::from_secs(5)).max_retries(1).response();',
    '    match response.await {',
    '        Ok(response) => {',
    '            println!("{} {:?} {:?}", response.status, response.headers, response.value);',
    '        }',
    '        Err(error) if error.kind() == ErrorKind::RateLimited => {',
    '            println!("again in {:?}", error.retry_after());',
    '        }',
    '        Err(error) => return Err(error),',
    '    }',
  ]);
}

/** Shows how a run is started, watched and found again. */
function flowSnippet(sdk: RustSdk, member: SdkMember): string {
  const flow = sdk.names.flows.get(member.alias);
  if (flow === undefined) return '';
  return programBlock(sdk, { member }, [
    printAwait(`${flow.start}(&input)`, 'execution'),
    '    let id = execution.id();',
    '    // Any later process finds the run again by its id.',
    `    let execution = client.${flow.execution}(id)?;`,
    '    let output = execution.wait().await?;',
    '    println!("{output:?}");',
    '    let mut events = execution.events().stream();',
    '    while let Some(event) = events.next().await {',
    '        println!("{}", event?.kind);',
    '    }',
  ]);
}

/** Shows how a run is followed to its end. */
function followSnippet(sdk: RustSdk, member: SdkMember): string {
  const flow = sdk.names.flows.get(member.alias);
  if (flow === undefined) return '';
  return programBlock(sdk, { uses: ['event_kinds'], member }, [
    printAwait(`${flow.start}(&input)`, 'execution'),
    '    let mut events = execution.follow();',
    '    while let Some(event) = events.next().await {',
    '        let event = event?;',
    '        println!("{} {} {:?}", event.time(), event.kind, event.node_name);',
    '        if event.kind == event_kinds::HITL_PAUSED {',
    '            println!("a decision on {:?} is due", event.pause_id);',
    '        }',
    '    }',
    '    let record = execution.get().await?;',
    '    println!("{} {:?}", record.status, record.error_message);',
  ]);
}

/** Shows how a node accepts many messages. */
function uploadSnippet(sdk: RustSdk, member: SdkMember): string {
  return programBlock(sdk, { uses: ['stream'], member }, [
    '    let inputs = stream::iter(vec![input]);',
    printLoop(`${sdk.names.uploads.get(member.alias) ?? ''}(inputs)`, '"{:?}", output?'),
  ]);
}

/** Shows how input and output are sent in separate requests. */
function splitSnippet(sdk: RustSdk, member: SdkMember): string {
  const session = sdk.names.sessions.get(member.alias);
  if (session === undefined) return '';
  return programBlock(sdk, { uses: ['stream'], member }, [
    printAwait(`${session.create}()`, 'created'),
    '    let upload = created.upload(stream::iter(vec![input])).await?;',
    '    println!("{} {}", upload.execution_id, upload.input_messages);',
    '    // Any process gets the output by the id of the stream.',
    printChain({ root: 'client', links: [`${session.find}(created.id())?`] }, 'let found = ', ';'),
    '    let mut outputs = found.output();',
    '    while let Some(output) = outputs.next().await {',
    '        println!("{:?}", output?);',
    '    }',
  ]);
}

/** Shows how messages are sent in both directions, until the program has received the ones that it expects. */
function liveSnippet(sdk: RustSdk, member: SdkMember): string {
  const session = sdk.names.sessions.get(member.alias);
  if (session === undefined) return '';
  return programBlock(sdk, { std: 'std::time::Duration', dependency: 'tokio::time::timeout', member }, [
    printAwait(`${session.open}()`, 'mut session'),
    '    session.send(&input).await?;',
    '    // The node decides how many messages it sends. This program waits for one, up to ten seconds.',
    '    let next = timeout(Duration::from_secs(10), session.next());',
    '    if let Ok(Some(output)) = next.await {',
    '        println!("{:?}", output?);',
    '    }',
    '    session.close();',
  ]);
}

/** Shows how a program makes a decision each time its run pauses. */
function pauseSnippet(sdk: RustSdk, member: SdkMember): string {
  const flow = sdk.names.flows.get(member.alias);
  if (flow === undefined) return '';
  return programBlock(sdk, { uses: ['Decision', 'ErrorKind'], dependency: 'serde_json::json', member }, [
    printAwait(`${flow.start}(&input)`, 'execution'),
    '    let output = loop {',
    '        let paused = match execution.wait().await {',
    '            Ok(output) => break output,',
    '            Err(error) if error.kind() == ErrorKind::FlowPaused => error,',
    '            Err(error) => return Err(error),',
    '        };',
    '        for pause in execution.pauses().await? {',
    '            println!("{:?} {:?} {:?}", pause.node_name, pause.decision_type, pause.question);',
    '        }',
    '        // The fields of the message that the decision_type of the pause names.',
    '        let decision = json!({ "<field>": "<value>" });',
    '        let decision = Decision::json(&decision).by("ann@example.com");',
    '        let pause_id = paused.pause_id().unwrap_or_default();',
    '        execution.resume(pause_id, decision).await?;',
    '    };',
    '    println!("{output:?}");',
  ]);
}

/** Shows how a program makes the pending decisions of all runs. */
function inboxSnippet(sdk: RustSdk): string {
  return programBlock(sdk, { uses: ['Decision', 'PauseStatus'], dependency: 'serde_json::json' }, [
    '    let mut pauses = client.pauses().status(PauseStatus::Waiting).stream();',
    '    while let Some(pause) = pauses.next().await {',
    '        let pause = pause?;',
    '        println!("{:?} {:?}", pause.decision_type, pause.question);',
    '        let decision = Decision::json(&json!({ "<field>": "<value>" }));',
    '        let execution = client.any_execution(pause.execution_id)?;',
    '        execution.resume(pause.id, decision).await?;',
    '    }',
  ]);
}

function programBlock(sdk: RustSdk, head: ProgramHead, body: readonly string[]): string {
  return markdownBlock(program(sdk, head, body), compiled);
}
