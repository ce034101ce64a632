/** The identity of a published node that a call needs. Placements of compiled flows have the same fields. */
export interface CallableNode {
  /** `<handle>/<package>` */
  packageName: string;
  nodeName: string;
  /** Registry id. */
  nodeUlid: string;
  ownerTenantId: string;
  versionId: string;
  /** Set on the node of an Instance: a generic node of another package handles its calls. */
  generic?: {
    /** `<handle>/<name>@<version>` of the Instance. */
    instance: string;
  };
}
