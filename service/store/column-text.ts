import { limits } from '../../specs/limits.ts';
import { cutErrorText } from '../errors/cut-error-text.ts';

/** Maximum size of a text in an execution record: the largest text from a node, plus room for the service's own text around it. */
const maxColumnBytes = limits.nodeErrorBytes + 4_096;

/** Makes an error text storable in either database: PostgreSQL rejects NUL. */
export function columnText(text: string): string {
  return cutErrorText(text, maxColumnBytes).replaceAll('\u0000', '\ufffd').toWellFormed();
}
