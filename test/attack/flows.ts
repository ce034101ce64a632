/** The messages of all packages of these tests. */
const toolsProto = (handle: string): string => `syntax = "proto3";
package ${handle}.tools.v1;
import "google/protobuf/struct.proto";
message Bulk {
  string text = 1;
  int64 count = 2;
  repeated int32 numbers = 3;
  repeated Item items = 4;
  google.protobuf.Value any = 5;
}
message Item {
  string name = 1;
  int64 count = 2;
  repeated Item children = 3;
}
`;

const toolNodes = ['Echo', 'Hang', 'Chatty'] as const;

/** Body of the publication of `<handle>/tools`. */
export function toolsPackage(handle: string, endpoint: string): object {
  const bulk = `${handle}.tools.v1.Bulk`;
  return {
    name: `${handle}/tools`,
    version: '1.0.0',
    visibility: 'private',
    protos: { 'tools.proto': toolsProto(handle) },
    nodes: toolNodes.map((name) => ({ name, input: bulk, output: bulk })),
    endpoint,
  };
}

/** A flow of one node of `<handle>/tools`. */
export function flowOf(handle: string, node: (typeof toolNodes)[number]): object {
  return { name: node, entry: 'a', terminal: 'a', nodes: [placement('a', handle, node)] };
}

/** A flow of two nodes with an expression between them. */
export function mappingFlow(handle: string, expression: string): object {
  return {
    name: 'Mapping',
    entry: 'a',
    terminal: 'b',
    nodes: [placement('a', handle, 'Echo'), placement('b', handle, 'Echo')],
    edges: [{ from: 'a', to: 'b', adapter: { text: expression } }],
  };
}

function placement(id: string, handle: string, node: string): object {
  return { id, package: `${handle}/tools`, version: '1.0.0', node_name: node };
}
