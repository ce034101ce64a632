import type { SdkMember } from '../../model/sdk-model.ts';
import type { FlowNames, SessionNames } from '../../names/plan-methods.ts';
import { markdownCode } from '../../text/markdown.ts';
import { callPath } from '../../model/call-path.ts';
import { docComment, prose } from './doc-comment.ts';
import { printBody, printSignature, printUse } from './lines.ts';
import { stringLiteral } from './literals.ts';
import { constantName } from './plan-names.ts';
import type { RustSdk } from './rust-sdk.ts';
import { bareName } from './reserved-names.ts';

/** View of `calls.rs` and `members.rs`; every string is finished Rust. */
interface CallsView {
  /** Imports of `calls.rs` from the crate. */
  imports: string;
  methods: MethodView[];
  /** Imports of `members.rs` from the crate. */
  memberImports: string;
  nodes: RowView[];
  flows: RowView[];
  pipelineNodes: RowView[];
  pipelineFlows: RowView[];
}

interface MethodView {
  doc: string;
  signature: string;
  body: string;
}

/** A row of the table of members. */
interface RowView {
  constant: string;
  /** Name of the method as a literal. */
  name: string;
  /** Path of a node, id of the graph of a flow; a literal. */
  place: string;
  input: string;
  output: string;
}

/** Returns the view with all members, in their order. */
export function callsView(sdk: RustSdk): CallsView {
  const calls = sdk.model.members.map((member) => callView(sdk, member));
  const rowsOf = (type: SdkMember['type'], mode: SdkMember['mode']): RowView[] =>
    calls.filter(({ member }) => member.type === type && member.mode === mode).map(({ row }) => row);
  const modules = [...new Set(calls.flatMap((call) => call.modules))];
  const flows = rowsOf('flow', 'unary');
  const hasUploads = sdk.names.uploads.size > 0;
  return {
    imports: [
      ...(hasUploads ? [printUse('crate::stream', ['Inputs'])] : []),
      printUse('crate', [
        'Client',
        ...(sdk.model.members.length > 0 ? ['Call'] : []),
        ...(flows.length > 0 ? ['Error', 'Execution'] : []),
        ...(sdk.names.sessions.size > 0 ? ['Error', 'Session', 'SplitStream'] : []),
        ...(sdk.model.members.some(({ mode }) => mode === 'pipeline') ? ['FrameStream'] : []),
        'members',
        ...modules,
      ]),
    ].join('\n'),
    methods: calls.flatMap(({ methods }) => methods),
    memberImports: printUse('crate', ['member', ...modules]),
    nodes: rowsOf('node', 'unary'),
    flows,
    pipelineNodes: rowsOf('node', 'pipeline'),
    pipelineFlows: rowsOf('flow', 'pipeline'),
  };
}

/** The view of one member. */
interface CallView {
  member: SdkMember;
  methods: MethodView[];
  row: RowView;
  /** Modules of the crate that contain its types. */
  modules: string[];
}

function callView(sdk: RustSdk, member: SdkMember): CallView {
  const row = rowView(sdk, member);
  const modules = ['messages', 'types'].filter((name) => (row.input + row.output).includes(`${name}::`));
  return { member, methods: methodsOf(sdk, member, row), row, modules };
}

function rowView({ names, texts }: RustSdk, member: SdkMember): RowView {
  const name = names.calls.get(member.alias) ?? '';
  return {
    constant: constantName(name),
    name: stringLiteral(bareName(name)),
    place: stringLiteral(member.type === 'flow' ? member.pin.graph : callPath(member)),
    input: texts.of(texts.types.rootType(member.input), 'messages::'),
    output: texts.of(texts.types.rootType(member.output), 'messages::'),
  };
}

function methodsOf(sdk: RustSdk, member: SdkMember, row: RowView): MethodView[] {
  const name = sdk.names.calls.get(member.alias) ?? '';
  const { constant, input, output } = row;
  const parameters = ['&self', `input: &${input}`];
  const target = `&members::${constant}`;
  const call = (method: string): string => printBody(`self.${method}`, [target, 'input']);
  const streams = member.mode === 'pipeline';
  const returned = `${streams ? 'FrameStream' : 'Call'}<${output}>`;
  if (member.type === 'node') {
    const { pin } = member;
    const node = `Node ${markdownCode(pin.node)} of ${markdownCode(pin.package)}, version ${pin.version}.`;
    return [
      {
        doc: docComment([...prose(member.comment), node], 4),
        signature: printSignature(name, parameters, returned),
        body: call(streams ? 'stream_node' : 'call'),
      },
      ...uploadMethods(sdk, member, name, row),
      ...sessionMethods(name, sdk.names.sessions.get(member.alias), row),
    ];
  }
  const flow = sdk.names.flows.get(member.alias);
  return [
    {
      doc: docComment(
        [
          ...prose(member.comment),
          `Runs the flow ${markdownCode(member.alias)} (artifact ${markdownCode(member.pin.artifact)}) and ${streams ? 'streams' : 'waits for'} its output.`,
        ],
        4,
      ),
      signature: printSignature(name, parameters, returned),
      body: call(streams ? 'stream_flow' : 'run'),
    },
    ...(flow === undefined
      ? []
      : streams
        ? [warmMethod(name, flow, target)]
        : furtherMethods(name, flow, row)),
  ];
}

function uploadMethods({ names }: RustSdk, { alias }: SdkMember, name: string, row: RowView): MethodView[] {
  const upload = names.uploads.get(alias);
  if (upload === undefined) return [];
  return [
    {
      doc: docComment(
        [
          `Calls ${methodLink(name)} with many messages, which are sent once, as they are read. The output begins when all of them have been sent.`,
        ],
        4,
      ),
      signature: printSignature(
        upload,
        ['&self', `inputs: impl Inputs<${row.input}>`],
        `FrameStream<${row.output}>`,
      ),
      body: printBody('self.upload', [`&members::${row.constant}`, 'inputs']),
    },
  ];
}

function sessionMethods(name: string, session: SessionNames | undefined, row: RowView): MethodView[] {
  if (session === undefined) return [];
  const target = `&members::${row.constant}`;
  const stream = `SplitStream<${row.input}, ${row.output}>`;
  return [
    {
      doc: docComment(
        [`Creates a stream of ${methodLink(name)} whose input and output travel in requests of their own.`],
        4,
      ),
      signature: printSignature(session.create, ['&self'], `Call<${stream}>`),
      body: printBody('self.create_stream', [target]),
    },
    {
      doc: docComment(
        [
          `Returns such a stream of ${methodLink(name)} by its id, even if another process created it. Sends no request.`,
          '# Errors',
          '[`ErrorKind::Message`](crate::ErrorKind::Message): the id is invalid.',
        ],
        4,
      ),
      signature: printSignature(
        session.find,
        ['&self', 'stream_id: impl Into<String>'],
        `Result<${stream}, Error>`,
      ),
      body: printBody('self.find_stream', [target, 'stream_id']),
    },
    {
      doc: docComment(
        [
          `Opens a live session with ${methodLink(name)}: messages travel both ways at the same time. The timeout limits the time until it is ready.`,
        ],
        4,
      ),
      signature: printSignature(session.open, ['&self'], `Call<Session<${row.input}, ${row.output}>>`),
      body: printBody('self.open_session', [target]),
    },
  ];
}

function warmMethod(name: string, flow: FlowNames, target: string): MethodView {
  return {
    doc: docComment([`Prepares ${methodLink(name)} for its next run.`], 4),
    signature: printSignature(flow.warm, ['&self'], 'Call<()>'),
    body: printBody('self.warm', [target]),
  };
}

function methodLink(name: string): string {
  return `[\`${bareName(name)}\`](Self::${bareName(name)})`;
}

function furtherMethods(
  name: string,
  flow: FlowNames,
  { constant, input, output }: Pick<RowView, 'constant' | 'input' | 'output'>,
): MethodView[] {
  const run = methodLink(name);
  const target = `&members::${constant}`;
  return [
    {
      doc: docComment([`Starts a run of ${run} and does not wait for it.`], 4),
      signature: printSignature(flow.start, ['&self', `input: &${input}`], `Call<Execution<${output}>>`),
      body: printBody('self.start', [target, 'input']),
    },
    {
      doc: docComment(
        [
          `Returns a run of ${run} by its id, even if another process started it. Sends no request.`,
          '# Errors',
          '[`ErrorKind::Message`](crate::ErrorKind::Message): the id is invalid.',
        ],
        4,
      ),
      signature: printSignature(
        flow.execution,
        ['&self', 'execution_id: impl Into<String>'],
        `Result<Execution<${output}>, Error>`,
      ),
      body: printBody('self.execution', [target, 'execution_id']),
    },
    warmMethod(name, flow, target),
  ];
}
