// Written by `svc node types` for acme/greeter 1.0.0. Do not edit: run it again
// when package.yaml or a proto file changes.
import type { PipelineHandler, UnaryHandler } from "svc/node";

/** A greeting. */
export interface GreetReply {
  text: string;
}

/** A person to greet. */
export interface GreetRequest {
  /** Name as it appears in the greeting. */
  name: string;
}

/** Handlers of acme/greeter: `export default {...} satisfies Handlers`. */
export interface Handlers {
  /** Greets a person by name. */
  Greet: UnaryHandler<GreetRequest, GreetReply>;
  /** Greets each person of a stream as soon as they arrive. */
  GreetAll: PipelineHandler<GreetRequest, GreetReply>;
  /** Greets a person, and asks a human for the name if it is missing. */
  Welcome: UnaryHandler<GreetRequest, GreetReply>;
}
