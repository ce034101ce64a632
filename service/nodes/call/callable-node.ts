/** The identity of a published node, as far as a call needs it. Placements of compiled flows have the same fields. */
export interface CallableNode {
  /** `<handle>/<package>` */
  packageName: string;
  nodeName: string;
  /** Registry id. */
  nodeUlid: string;
  ownerTenantId: string;
  versionId: string;
  /** Set on the node of an Instance: a generic node of another package answers its calls. */
  generic?: {
    /** `<handle>/<name>@<version>` of the Instance. */
    instance: string;
  };
}
